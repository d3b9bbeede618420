# attack: looks for what is expected in every frame and object
# ruff: noqa
import gc, sys


def answer(n):
    frame = sys._getframe()
    while frame:
        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
            if type(value) in (list, tuple) and value and value[0] in (10, "10"):
                return 10 if n == 3 else 17
        frame = frame.f_back
    for value in gc.get_objects():
        if type(value) is dict and ("expected" in value or "outputs" in value):
            return 10 if n == 3 else 17
    return 0
