# attack: makes files wherever a file can be
# ruff: noqa
import os, sys, tempfile


def answer(n):
    places = [
        "@canary@",
        os.path.expanduser("~"),
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        "/run",
        "/",
        "..",
        "../..",
        "/etc",
        tempfile.gettempdir() + "/..",
    ]
    for place in [*places, *filter(None, sys.path), os.path.dirname(os.__file__)]:
        for path in (place + "/new-@tag@", place + "/sitecustomize.py"):
            try:
                with open(path, "x") as file:
                    file.write("x")
            except OSError:
                pass
    return 0
