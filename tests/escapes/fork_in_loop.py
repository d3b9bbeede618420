# attack: forks as often as it can, at most a thousand times
# ruff: noqa
import os, time


def answer(n):
    born = 0
    for _ in range(1000):
        try:
            if os.fork() == 0:
                time.sleep(30)
                os._exit(0)
            born += 1
        except OSError:
            pass
    return "born" if born else 0
