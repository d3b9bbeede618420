# attack: sends half a result, and leaves
# ruff: noqa
import os, struct

for fd in range(3, 64):
    try:
        os.write(fd, struct.pack("!cII", b"V", 100, 0) + b"1")
    except OSError:
        pass
os._exit(0)
