# attack: changes the functions that send
# ruff: noqa
import os, socket

real = os.write
os.write = lambda fd, data: real(fd, b"V" + b"\0" * 8) and len(data)
socket.socket.sendall = lambda *a: None


def answer(n):
    return 0
