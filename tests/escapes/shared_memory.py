# attack: leaves shared memory behind, of both kinds
# ruff: noqa
import ctypes
from multiprocessing import shared_memory

libc = ctypes.CDLL(None)


def answer(n):
    made = []
    for flags in (0o1600, 0o3600):
        if libc.shmget(0x7E57, 4096, flags) >= 0:
            made.append("segment")
    if libc.msgget(0x7E57, 0o1600) >= 0 or libc.semget(0x7E57, 1, 0o1600) >= 0:
        made.append("queue")
    try:
        shared_memory.SharedMemory("new-@tag@", create=True, size=4096)
        made.append("object")
    except OSError:
        pass
    return made or 0
