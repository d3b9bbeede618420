# attack: a pattern that backtracks without end, in C
# ruff: noqa
import re


def answer(n):
    return bool(re.match(r"(a+)+$", "a" * 64 + "b"))
