# attack: forks with the bare system calls
# ruff: noqa
import ctypes, os, platform, time

calls = (
    [(56, 17), (57,), (58,), (435, 0, 0)]
    if platform.machine() == "x86_64"
    else [(220, 17), (435, 0, 0)]
)
libc = ctypes.CDLL(None)


def answer(n):
    for call in calls:
        pid = libc.syscall(*call, 0, 0, 0, 0)
        if pid == 0:
            time.sleep(30)
            os._exit(0)
        if pid > 0:
            return "born"
    return 0
