"""Programs that several scripts run, and the reference's way to trace one, written by us."""

from __future__ import annotations

import json
import subprocess
import sys

Sample = tuple[str, str]
"""A program and a call."""

SHORT = [
    ("def f(text, n):\n    out = []\n    for c in text:\n        if c.isalpha():\n"
     "            out.append(c * n)\n    return ''.join(out)\n", "f('a1b2c', 2)"),
    ("def f(nums):\n    nums.sort()\n    k = len(nums) // 2\n    nums[k] += nums[0]\n"
     "    return nums[::-1]\n", "f([5, 3, 9, 1])"),
    ("def f(d, key):\n    if key in d:\n        d[key] += 1\n    else:\n        d[key] = 0\n"
     "    return sorted(d.items())\n", "f({'a': 1, 'b': 2}, 'c')"),
    ("def f(s):\n    parts = s.split(',')\n    while parts and not parts[-1]:\n"
     "        parts.pop()\n    return tuple(parts)\n", "f('a,b,,c,,')"),
]  # fmt: skip
_LOOPS = [
    "def f(n):\n    grid = [[0] * n for _ in range(n)]\n    for i in range(n):\n"
    "        for j in range(n):\n            grid[i][j] = (i * j + i) % {k}\n    total = 0\n"
    "    for row in grid:\n        total += sum(row)\n    return total\n",
    "def f(n):\n    found = []\n    for a in range({k}, 3 * n):\n        for b in range(2, a):\n"
    "            if a % b == 0:\n                break\n        else:\n"
    "            found.append(a)\n    return found\n",
    "def f(n):\n    seen, steps = {{}}, 0\n    for start in range(1, n):\n        k = start\n"
    "        while k != 1:\n            k = k // 2 if k % 2 == 0 else {k} * k + 1\n"
    "            steps += 1\n            if steps % 40 == 39:\n                break\n"
    "        seen[start] = steps\n    return seen\n",
]  # fmt: skip
# Each is another program, so that no cache of ours helps; 3 to 340 steps each, as loops of
# programs that people ask about have: the stand-in then does 0.87 of CRUXEval's per second.
LOOPS = [(source.format(k=k), f"f({n})") for k in range(3, 13) for n in (4, 6) for source in _LOOPS]

_TRACED = """\
import json, sys
source, call = json.load(sys.stdin)
code = compile(source, "<p>", "exec")
space = {}
exec(code, space)
steps = []
def trace(frame, event, argument):
    if frame.f_code.co_filename != "<p>":
        return None
    if event in ("line", "return", "exception"):
        values = {k: [type(v).__name__, repr(v)] for k, v in frame.f_locals.items()}
        steps.append({"event": event, "line": frame.f_lineno, "function": frame.f_code.co_name,
                      "variables": values})
    return trace
sys.settrace(trace)
output = eval(call, space)
sys.settrace(None)
print(json.dumps({"output": repr(output), "trace": steps}, indent=4))
"""


def plain_output(source: str, call: str) -> str:
    """Run a call in an interpreter of its own; give what it prints of the output."""
    return _python(f"{source}\nprint(repr({call}))\n", "")


def traced_json(source: str, call: str) -> str:
    """Run a call traced in an interpreter of its own; give output and trace as indented JSON."""
    return _python(_TRACED, json.dumps([source, call]))


def _python(code: str, given: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, text=True, check=False
    )
    return done.stdout
