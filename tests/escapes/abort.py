# attack: aborts
# ruff: noqa
import os


def answer(n):
    os.abort()
