# attack: a power so large that C code runs for hours
# ruff: noqa
def answer(n):
    return (n + 9) ** (10**9)
