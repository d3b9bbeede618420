# attack: returns a list nested deeper than any reader goes
# ruff: noqa
def answer(n):
    value = []
    for _ in range(100000):
        value = [value]
    return value
