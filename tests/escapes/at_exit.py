# attack: registers work for when the interpreter ends
# ruff: noqa
import atexit, threading, time


class Late:
    def __del__(self):
        time.sleep(30)


keep = Late()
keep.me = keep
atexit.register(time.sleep, 30)
threading._register_atexit(time.sleep, 30)


def answer(n):
    return 0
