# attack: stops its own process
# ruff: noqa
import os, signal


def answer(n):
    os.kill(os.getpid(), signal.SIGSTOP)
    return n
