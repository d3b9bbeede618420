# attack: asks for memory outside its own heap: mappings, pipes, files without a name
# ruff: noqa
import ctypes, mmap, os


def answer(n):
    keep = []
    while True:
        try:
            keep.append(mmap.mmap(-1, 1 << 26))
            keep[-1].write(b"x" * (1 << 26))
        except (OSError, MemoryError, ValueError):
            break
    for _ in range(1000):
        try:
            fd = os.memfd_create("m")
            os.write(fd, b"x" * (1 << 24))
        except OSError:
            break
    return 0
