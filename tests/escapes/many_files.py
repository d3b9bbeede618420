# attack: fills the disk with files of the size that is allowed
# ruff: noqa
import os

block = b"x" * (1 << 16)


def answer(n):
    for number in range(20000):
        try:
            with open(f"f{number}", "wb") as file:
                for _ in range(16):
                    file.write(block)
        except OSError:
            return 0
    return "wrote all"
