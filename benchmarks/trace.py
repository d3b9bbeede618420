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
import random
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from measuring import cpu_of, versions
from workload import LOOPS, SHORT, Sample, plain_output, traced_json

import tracing
from curricula.questions.derive import derive


def stand_in(samples: Sequence[Sample]) -> list[str]:
    """Do the samples as the reference does; give their outputs' texts."""
    outputs = []
    for source, call in samples:
        ast.parse(f"assert {call} == None")
        plain = plain_output(source, call)
        told = json.loads(traced_json(source, call))
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


def ours(samples: Sequence[Sample]) -> list[str]:
    """Do the samples with this library; give their outputs' literals."""
    outputs = []
    for trace in tracing.run_many(samples):
        if trace.outcome in ("returned", "raised"):
            derive(trace, limit=10)
        outputs.append(trace.output.literal if trace.output else "")
    return outputs


def compare(
    name: str, samples: Sequence[Sample], few: int, many: int, rounds: int
) -> dict[str, object]:
    """Interleave both ways; the stand-in does the first few samples only, it is slow."""
    rates: list[tuple[float, float]] = []
    again = max(1, many // len(samples))
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
    parser.add_argument("--many", type=int, default=12_000, help="samples of ours a round")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    given = parser.parse_args()
    short = SHORT * 100
    if given.file:
        rows = [json.loads(line) for line in given.file.read_text("utf-8").splitlines()]
        short = [(ast.unparse(ast.parse(r["code"])) + "\n", f"f({r['input']})") for r in rows]
    rows = [
        compare("CRUXEval-like", short, given.samples, given.many, given.rounds),
        compare("loop-heavy", LOOPS, min(given.samples, 24), given.many, given.rounds),
    ]
    version = versions()
    print(f"| work ({version}) | stand-in | ours | times | range | agreeing |")
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
