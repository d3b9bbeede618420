# attack: leaves from another thread while the answer is awaited
# ruff: noqa
import os, threading, time

threading.Timer(0.05, os._exit, (0,)).start()


def answer(n):
    time.sleep(1)
    return n * n + 1
