# attack: recurses without a limit, in Python and in C
# ruff: noqa
import sys

sys.setrecursionlimit(10**9)


class Deep:
    def __repr__(self):
        return repr(self)


def answer(n):
    if n == 4:
        return repr(Deep())
    return answer(n)
