# attack: changes builtins and modules that the answer passes through
# ruff: noqa
import builtins, json, os, struct, sys


def answer(n):
    builtins.repr = builtins.str = builtins.type = builtins.len = lambda *a: 10
    json.dumps = json.loads = lambda *a, **k: "10"
    struct.pack = lambda *a: b"E"
    sys.modules["re"] = sys.modules["os"] = None
    return 0
