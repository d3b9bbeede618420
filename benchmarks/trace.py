"""Measures verification plus tracing against a stand-in for the reference's way.

    python benchmarks/trace.py [CRUXEVAL.jsonl] [--rounds 5] [--samples 24] [--json OUT]

The stand-in does, for each sample, what the reference's scripts do, written by us: it starts
an interpreter twice (run, run again under ``sys.settrace``), reads the assertion with ``ast``,
keeps the whole trace with the repr of every local at every line as indented JSON, and derives
ten questions from it. Ours is ``tracing.run_many`` and ``curricula.questions.derive``. Both
do the same samples in turn, round by round; what counts is CPU time with that of children.
Without a file, a few programs of our own stand for CRUXEval's.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import tracing
from curricula.questions.derive import derive
from tracing import workers

Sample = tuple[str, str]

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

_PLAIN = "{source}\nprint(repr({call}))\n"
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


def stand_in(samples: Sequence[Sample]) -> list[str]:
    """Do the samples as the reference does; give their outputs' texts."""
    outputs = []
    for source, call in samples:
        ast.parse(f"assert {call} == None")
        plain = _python(_PLAIN.format(source=source, call=call), "")
        told = json.loads(_python(_TRACED, json.dumps([source, call])))
        with tempfile.NamedTemporaryFile("w+", suffix=".json") as kept:
            json.dump(told, kept, indent=4)
            kept.seek(0)
            steps = json.load(kept)["trace"]
        lines = [step for step in steps if step["event"] == "line"]
        rng = random.Random(0)
        questions = []
        for place in rng.sample(range(len(lines)), min(10, len(lines))):
            step, later = lines[place], lines[place + 1 : place + 2]
            occurrence = sum(one["line"] == step["line"] for one in lines[: place + 1])
            text = source.split("\n")[step["line"] - 1].strip()
            questions.append((text, occurrence, later and later[0]["line"], step["variables"]))
        outputs.append(told["output"] if plain.strip() == told["output"] else "")
    return outputs


def _python(code: str, given: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, text=True, check=False
    )
    return done.stdout


def ours(samples: Sequence[Sample]) -> list[str]:
    """Do the samples with this library; give their outputs' literals."""
    outputs = []
    for trace in tracing.run_many(samples):
        if trace.outcome in ("returned", "raised"):
            derive(trace, limit=10)
        outputs.append(trace.output.literal if trace.output else "")
    return outputs


def cpu_of(work: Callable[[], list[str]]) -> tuple[float, list[str]]:
    """Measure the CPU seconds of this process and its children.

    Workers of ours are ended inside the measure, so that their time is counted.
    """
    workers.close()
    before = os.times()
    result = work()
    workers.close()
    after = os.times()
    return sum(after[:4]) - sum(before[:4]), result


def compare(name: str, samples: Sequence[Sample], few: int, rounds: int) -> dict[str, object]:
    """Interleave both ways; the stand-in does the first few samples only, it is slow."""
    rates: list[tuple[float, float]] = []
    again = max(1, 12_000 // len(samples))
    agreeing = 0
    for _ in range(rounds):
        base_seconds, base = cpu_of(lambda: stand_in(samples[:few]))
        # Ours has servers to start, which a build of thousands of samples pays once.
        our_seconds, our = cpu_of(lambda: ours(samples * again))
        rates.append((few / base_seconds, again * len(samples) / our_seconds))
        agreeing = sum(one == other != "" for one, other in zip(base, our, strict=False))
    ratios = [own / base for base, own in rates]
    return {
        "work": name,
        "samples": len(samples),
        "rounds": rounds,
        "stand_in_per_cpu_second": round(statistics.median(base for base, _ in rates), 1),
        "ours_per_cpu_second": round(statistics.median(own for _, own in rates), 1),
        "times": round(statistics.median(ratios), 1),
        "range": [round(min(ratios), 1), round(max(ratios), 1)],
        "agreeing": f"{agreeing} of {few}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, help="CRUXEval's problems, a JSON a line")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=24, help="samples of the stand-in a round")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    given = parser.parse_args()
    short = SHORT * 100
    if given.file:
        rows = [json.loads(line) for line in given.file.read_text("utf-8").splitlines()]
        short = [(ast.unparse(ast.parse(r["code"])) + "\n", f"f({r['input']})") for r in rows]
    rows = [
        compare("CRUXEval-like", short, given.samples, given.rounds),
        compare("loop-heavy", LOOPS, min(given.samples, 24), given.rounds),
    ]
    version = f"{platform.python_implementation()} {platform.python_version()}"
    print(
        f"| work ({version}, {platform.machine()}) | stand-in | ours | times | range | agreeing |"
    )
    print("|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['work']} | {row['stand_in_per_cpu_second']} | {row['ours_per_cpu_second']} "
            f"| {row['times']} | {row['range']} | {row['agreeing']} |"
        )
    if given.json:
        given.json.write_text(json.dumps({"python": version, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
