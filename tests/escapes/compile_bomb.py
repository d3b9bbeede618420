# attack: is a program that the compiler itself chokes on
# ruff: noqa
VALUE = (1 << 40) ** 1000000 if False else None
exec("(" * 5000 + ")" * 5000)


def answer(n):
    return 0
