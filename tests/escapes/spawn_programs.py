# attack: starts programs in all the ways of the library
# ruff: noqa
import os, subprocess


def answer(n):
    for start in (
        lambda: subprocess.run(["/bin/sh", "-c", "touch @canary@/new"]),
        lambda: os.system("touch @canary@/new") and 1 / 0,
        lambda: os.posix_spawn("/bin/sh", ["sh", "-c", "touch @canary@/new"], {}),
        lambda: os.popen("touch @canary@/new").read(),
    ):
        try:
            start()
        except BaseException:
            continue
    return 0
