# attack: raises an exception whose class hides its name
# ruff: noqa
class Meta(type):
    __name__ = property(lambda cls: 1 / 0)
    __instancecheck__ = lambda cls, value: True

    def __getattribute__(cls, name):
        raise RuntimeError


class Lie(BaseException, metaclass=Meta):
    pass


def answer(n):
    raise Lie
