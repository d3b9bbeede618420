# attack: leaves folders that cannot be listed, with files in them
# ruff: noqa
import os


def answer(n):
    for name in ("a", "b"):
        os.makedirs(f"{name}/inner")
        with open(f"{name}/inner/file", "w") as file:
            file.write("x")
        for path in (f"{name}/inner", name, "."):
            try:
                os.chmod(path, 0)
            except OSError:
                pass
    os.umask(0o777)
    try:
        os.mkdir("closed")
    except OSError:
        pass
    return 0
