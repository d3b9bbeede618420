# attack: spins in Python
# ruff: noqa
def answer(n):
    while n:
        n += 1
