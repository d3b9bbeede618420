# attack: kills itself in the way that the parent would
# ruff: noqa
import os, signal


def answer(n):
    os.kill(os.getpid(), signal.SIGKILL)
