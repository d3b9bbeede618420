# attack: reads what is not its own
# ruff: noqa
import os


def answer(n):
    paths = [
        "@canary@/secret.txt",
        "/etc/passwd",
        "/etc/shadow",
        "/etc/hostname",
        os.path.expanduser("~/.bashrc"),
        "/proc/self/environ",
        "/proc/self/maps",
        "/proc/PARENT_PID/environ",
        "/proc/1/environ",
        "/proc/self/root/etc/passwd",
        "/proc/self/cwd/../../etc/passwd",
    ]
    read = []
    for path in paths:
        try:
            with open(path, "rb") as file:
                read.append((path, file.read(100)))
        except OSError:
            pass
    for folder in ("@canary@", "/", "/home", "/root", "/proc", "/tmp", "/dev/shm", ".."):
        try:
            read.append((folder, os.listdir(folder)))
        except OSError:
            pass
    print(read)
    return repr(read) if read else 0
