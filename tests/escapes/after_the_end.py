# attack: sends more when everything is answered
# ruff: noqa
import os, struct, threading, time


def later():
    while True:
        for fd in range(3, 64):
            try:
                os.write(fd, struct.pack("!cII", b"E", 0, 0))
            except OSError:
                pass


def answer(n):
    threading.Thread(target=later, daemon=True).start()
    time.sleep(0.05)
    return n * n + 1
