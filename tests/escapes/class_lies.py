# attack: returns objects that say they are of another class
# ruff: noqa
class Liar:
    __class__ = int

    def __repr__(self):
        return "10"

    __index__ = __int__ = lambda self: 10


def answer(n):
    return Liar()
