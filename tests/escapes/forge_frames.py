# attack: sends well-formed results with wrong values, more of them than there are tests
# ruff: noqa
import os, struct


def frame(kind, text):
    return struct.pack("!cII", kind, len(text), 0) + text


data = frame(b"V", b"0") * 5 + frame(b"E", b"")
for fd in range(3, 64):
    try:
        os.write(fd, data)
    except OSError:
        pass
os._exit(0)
