# attack: has its own function called on every line of whoever runs it
# ruff: noqa
import sys


def tracer(frame, event, argument):
    for name in ("text", "kind", "value"):
        frame.f_locals[name] = b"E"
    raise KeyboardInterrupt


def answer(n):
    frame = sys._getframe()
    while frame:
        frame.f_trace = tracer
        frame = frame.f_back
    sys.settrace(tracer)
    sys.setprofile(tracer)
    return 0
