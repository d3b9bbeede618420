"""Measures rewards per second against a stand-in for the reference's way.

    python benchmarks/reward.py [CRUXEVAL.jsonl] [--rounds 5] [--samples 24] [--json OUT]

The stand-in does for each completion what the reference's reward does, written by us: it
cuts the answer out, writes the program and the assertion into one text, starts an interpreter
on it, and pays when that exits with 0. Ours is ``curricula.scoring.score_many``, which is what
``rl.rewards.white_box`` calls. Both score the same completions, half of them right, in turn,
round by round; what counts is CPU time with that of children. A last line gives the time of
one training step of stage I: 1,024 completions, eight of each prompt, with step answers.
Without a file, a few programs of our own stand for CRUXEval's.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measuring import cpu_of, versions

import tracing
from curricula.questions import derive
from curricula.scoring import score_many
from tracing import Trace

Scored = tuple[str, dict[str, Any]]

PROGRAMS = [
    ("def f(text, n):\n    out = []\n    for c in text:\n        if c.isalpha():\n"
     "            out.append(c * n)\n    return ''.join(out)\n", "f('a1b2c', {n})"),
    ("def f(nums):\n    nums.sort()\n    k = len(nums) // 2\n    nums[k] += nums[0]\n"
     "    return nums[::-1]\n", "f([5, 3, {n}, 1])"),
    ("def f(d, key):\n    if key in d:\n        d[key] += 1\n    else:\n        d[key] = 0\n"
     "    return sorted(d.items())\n", "f({{'a': 1, 'b': {n}}}, 'c')"),
    ("def f(s):\n    parts = s.split(',')\n    while parts and not parts[-1]:\n"
     "        parts.pop()\n    return tuple(parts)\n", "f('a,b,{n},c,,')"),
]  # fmt: skip
_ANSWER = re.compile(r"<answer>\s*(.*?)\s*</answer>", re.DOTALL)
_REPLY = "<reasoning>\nstep by step\n</reasoning>\n<answer>\n{}\n</answer>"


def stand_in(scored: Sequence[Scored]) -> list[float]:
    """Score completions as the reference does: an interpreter for each."""
    rewards = []
    for completion, row in scored:
        answer = _ANSWER.search(completion)
        program = f"{row['source']}\n{answer[1] if answer else 'assert False'}\n"
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, timeout=10, check=False
        )
        rewards.append(2.0 if done.returncode == 0 else 0.0)
    return rewards


def ours(scored: Sequence[Scored]) -> list[float]:
    """Score completions with this library."""
    rewards = score_many([text for text, _ in scored], [row for _, row in scored])
    return [reward.total or 0.0 for reward in rewards]


def rows_of(traces: Sequence[Trace], task: str) -> list[dict[str, Any]]:
    """Make rows without questions of runs that returned."""
    return [
        {
            "task": task,
            "source": trace.source,
            "entry": "f",
            "call": trace.call,
            "output": {"type": trace.output.type, "literal": trace.output.literal},
        }
        for trace in traces
        if trace.output is not None
    ]


def completions_of(rows: Sequence[dict[str, Any]]) -> list[Scored]:
    """Write a completion for each row; every second one predicts another row's value."""
    scored = []
    for place, row in enumerate(rows):
        told = row if place % 2 == 0 else rows[(place + 1) % len(rows)]
        call = row["call"] if row["task"] == "output" or place % 2 == 0 else told["call"]
        value = (told if row["task"] == "output" else row)["output"]["literal"]
        scored.append((_REPLY.format(f"assert {call} == {value}"), row))
    return scored


def compare(name: str, scored: Sequence[Scored], few: int, rounds: int) -> dict[str, object]:
    """Interleave both ways; the stand-in does the first few only, it is slow."""
    rates: list[tuple[float, float]] = []
    again = max(1, 4096 // len(scored))
    agreeing = 0
    for _ in range(rounds):
        base_seconds, base = cpu_of(lambda: stand_in(scored[:few]))
        # Ours has servers to start, which a training run pays once.
        our_seconds, our = cpu_of(lambda: ours([*scored] * again))
        rates.append((few / base_seconds, again * len(scored) / our_seconds))
        agreeing = sum(one == other for one, other in zip(base, our, strict=False))
    ratios = [own / base for base, own in rates]
    return {
        "work": name,
        "stand_in_per_cpu_second": round(statistics.median(base for base, _ in rates), 1),
        "ours_per_cpu_second": round(statistics.median(own for _, own in rates)),
        "times": round(statistics.median(ratios)),
        "range": [round(min(ratios)), round(max(ratios))],
        "agreeing": f"{agreeing} of {few}",
    }


def step_of(traces: Sequence[Trace], rounds: int) -> float:
    """Measure the CPU seconds of one step of stage I: 128 prompts, eight completions of each."""
    scored: list[Scored] = []
    for (_, row), trace in zip(completions_of(rows_of(traces, "output")), traces, strict=True):
        questions = derive(trace)
        right = [q.answers[0] for q in questions]
        lines = [
            f"{v.literal}; {v.type}" if q.kind in ("state", "iteration") else v.literal
            for q, v in zip(questions, right, strict=True)
        ]
        told = [
            {"kind": q.kind, "line": q.line, "occurrence": q.occurrence, "variable": q.variable,
             "answers": [{"type": v.type, "literal": v.literal} for v in q.answers]}
            for q in questions
        ]  # fmt: skip
        reply = "\n".join([f"assert {trace.call} == {row['output']['literal']}", *lines])
        # As a loader gives them: equal rows, but not the same objects.
        scored += [(_REPLY.format(reply), {**row, "questions": [*told]}) for _ in range(8)]
        if len(scored) == 1024:
            break
    return statistics.median(cpu_of(lambda: ours(scored))[0] for _ in range(rounds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, help="CRUXEval's problems, a JSON a line")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=24, help="samples of the stand-in a round")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    given = parser.parse_args()
    jobs = [(source, call.format(n=n)) for n in range(2, 34) for source, call in PROGRAMS]
    if given.file:
        read = [json.loads(line) for line in given.file.read_text("utf-8").splitlines()]
        jobs = [(row["code"], f"f({row['input']})") for row in read]
    traces = [trace for trace in tracing.run_many(jobs) if trace.output is not None]
    rows = [
        compare(what, completions_of(rows_of(traces, task)), given.samples, given.rounds)
        for what, task in (("output prediction", "output"), ("input prediction", "input"))
    ]
    step = step_of(traces, given.rounds)
    version = versions()
    print(f"| work ({version}) | stand-in | ours | times | range | agreeing |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['work']} | {row['stand_in_per_cpu_second']} | {row['ours_per_cpu_second']} "
            f"| {row['times']} | {row['range']} | {row['agreeing']} |"
        )
    print(f"\n1,024 completions of stage I with their step answers: {step:.2f} CPU seconds")
    if given.json:
        figures = {"python": version, "rows": rows, "step_seconds": step}
        given.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
