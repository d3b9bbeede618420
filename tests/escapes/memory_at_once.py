# attack: asks for more than there is
# ruff: noqa
def answer(n):
    return len(bytes(1 << 42))
