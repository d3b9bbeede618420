# attack: hides a lying object inside an honest list
# ruff: noqa
class Equal(str):
    __eq__ = lambda self, other: True
    __hash__ = str.__hash__


def answer(n):
    return [Equal("x"), {Equal("y"): 1}]
