# attack: leaves threads behind that go on after the answer
# ruff: noqa
import threading, time


def spin():
    while True:
        time.sleep(0)


def answer(n):
    for _ in range(4):
        threading.Thread(target=spin).start()
    return 0
