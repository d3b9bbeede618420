# attack: changes files of others without opening them
# ruff: noqa
import os, shutil

keep = "@canary@/keep.txt"


def answer(n):
    for act in (
        lambda: os.chmod(keep, 0o777),
        lambda: os.chmod("@canary@", 0),
        lambda: os.chown(keep, 12345, 12345),
        lambda: os.utime(keep, (0, 0)),
        lambda: os.truncate(keep, 0),
        lambda: os.open(keep, os.O_RDONLY | os.O_TRUNC),
        lambda: os.setxattr(keep, "user.x", b"x"),
        lambda: os.rename(keep, "@canary@/moved"),
        lambda: os.rename(keep, "moved"),
        lambda: os.unlink(keep),
        lambda: shutil.rmtree("@canary@"),
        lambda: os.mkdir("@canary@/new"),
        lambda: os.mkfifo("@canary@/fifo"),
        lambda: os.mknod("@canary@/node"),
    ):
        try:
            act()
        except (OSError, AttributeError):
            pass
    return 0
