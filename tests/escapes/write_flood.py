# attack: writes to both output descriptors without end
# ruff: noqa
import os

block = b"x" * 65536


def answer(n):
    while True:
        for fd in (1, 2):
            try:
                os.write(fd, block)
            except OSError:
                pass
