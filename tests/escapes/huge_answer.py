# attack: returns a list too long to be worth reading
# ruff: noqa
def answer(n):
    return list(range(10**6))
