# attack: reads address zero
# ruff: noqa
import ctypes


def answer(n):
    return ctypes.string_at(0)
