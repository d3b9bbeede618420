# attack: returns numbers that say they equal anything
# ruff: noqa
class Equal(int):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = int.__hash__
    __repr__ = __str__ = lambda self: "10"


def answer(n):
    return Equal(0)
