# attack: starts threads until it may not
# ruff: noqa
import threading, time

threading.stack_size(32768)


def answer(n):
    while True:
        try:
            threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
        except RuntimeError:
            return 0
