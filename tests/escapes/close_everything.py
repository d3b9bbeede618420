# attack: closes every descriptor and goes on
# ruff: noqa
import os

os.closerange(0, 64)


def answer(n):
    return n * n + 1
