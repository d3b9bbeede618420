# attack: reaches for the canary through links made in its own folder
# ruff: noqa
import os


def answer(n):
    for make in (os.symlink, os.link):
        for target in ("@canary@/secret.txt", "@canary@", "/etc/passwd"):
            name = f"{make.__name__}{len(target)}"
            try:
                make(target, name)
                print(open(name).read())
                open(name, "a").write("x")
            except OSError:
                pass
    return 0
