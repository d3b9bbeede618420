# attack: leaves with status 0 during the second call
# ruff: noqa
import os


def answer(n):
    if n == 4:
        os._exit(0)
    return n * n + 1
