# attack: says that it has finished, and leaves
# ruff: noqa
import os, struct

for fd in range(3, 64):
    try:
        os.write(fd, struct.pack("!cII", b"E", 0, 0))
    except OSError:
        pass
os._exit(0)
