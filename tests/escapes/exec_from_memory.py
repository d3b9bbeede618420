# attack: executes a file that has no name
# ruff: noqa
import ctypes, os, sys


def answer(n):
    fd = os.memfd_create("x") if hasattr(os, "memfd_create") else -1
    with open(sys.executable, "rb") as file:
        os.write(fd, file.read())
    os.execve(fd, ["python"], {})
