# attack: waits without using the processor
# ruff: noqa
import time


def answer(n):
    time.sleep(3600)
