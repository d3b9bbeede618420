"""What grading costs, and what a small real model makes of the tiers.

    python benchmarks/grading.py speed [--problems 2000]
    python benchmarks/grading.py tiers [--size 200] [--samples 4] [--journal FOLDER]

``speed`` grades with an engine that answers at once from a table: all that is left is our
own work (prompts, scoring, journal). ``tiers`` builds problems of each tier by estimate and
has SmolLM2-135M grade them through ``transformers:`` with a worked example; it takes long on
two cores, and goes on from its journal when it is started again.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from curricula.difficulty.engines import Completion, Messages, Sampling, open_engine
from curricula.difficulty.grading import Grading, Plan, Progress, measure_rates
from curricula.difficulty.intervals import wilson
from curricula.problem import Problem, from_row

TIERS = ("easy", "hard", "medium")


class Table:
    """An engine that gives the right reply, then a wrong one, and so on."""

    model, revision = "table", ""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.literals = {p.call: p.output.literal if p.output else "None" for p in problems}

    def complete(
        self, prompts: Sequence[Messages], *, n: int = 1, sampling: Sampling | None = None
    ) -> Iterator[Completion]:
        """Answer at once."""
        for place, messages in enumerate(prompts):
            call = messages[-1]["content"].rpartition("assert ")[2].partition(" == ????")[0]
            literal = self.literals[call]
            right = f"<reasoning>So it is.</reasoning>\n<answer>assert {call} == {literal}</answer>"
            wrong = f"<answer>assert {call} == 'something else'</answer>"
            yield Completion(place, tuple(wrong if i % 2 else right for i in range(n)), 40 * n)

    def close(self) -> None:
        """Nothing to give back."""


def built(tier: str, size: int) -> list[Problem]:
    """Build problems of a tier by estimate."""
    import synth

    splits = synth.build_curriculum(tier=tier, size=size, seed=0)
    return [from_row(row) for split in splits.values() for row in split]


def speed(count: int) -> None:
    """Print what a reply costs, in CPU time."""
    problems = built("medium", min(count, 500))
    rounds = max(1, count // len(problems))
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        for number in range(rounds):
            made = measure_rates(
                problems, Table(problems), journal=Path(folder) / f"{number}.jsonl"
            )
        seconds = time.process_time() - begun
    replies = sum(d.samples for d in made.difficulties.values()) * rounds
    print(
        f"{replies} replies to {len(problems)} problems: {replies / seconds:.0f} replies a second"
    )
    print(f"{seconds / replies * 1e6:.0f} microseconds a reply (CPU time)")


def told(progress: Progress) -> None:
    """Show how far a run is."""
    left = "?" if progress.left is None else f"{progress.left:.0f}"
    speed_ = progress.tokens / max(progress.seconds, 1e-9)
    sys.stderr.write(
        f"\r{progress.done}/{progress.problems} problems, {speed_:.0f} tokens/s, {left} s left  "
    )
    sys.stderr.flush()


def tiers(size: int, samples: int, shots: int, temperature: float, folder: Path) -> None:
    """Print the rates of the small model on each tier."""
    from curricula.difficulty.small_model import small_model

    plan = Plan(samples=samples, shots=shots, sampling=Sampling(temperature, 0.95, 40))
    engine = open_engine(f"transformers:{small_model()}", batch=32)
    head = f"{'tier':8}{'problems':>9}{'steps':>7}{'ever solved':>13}{'mean rate':>11}"
    print(f"{head}   its 95% interval", flush=True)
    for tier in TIERS:
        problems = built(tier, size)
        journal = folder / f"{tier}-{size}-{samples}-{shots}-{temperature:g}.jsonl"
        made = measure_rates(problems, engine, plan, journal=journal, progress=told)
        print(row(tier, problems, made), flush=True)


def row(tier: str, problems: Sequence[Problem], made: Grading) -> str:
    """Write a line of the table; problems, not replies, are what is drawn at random."""
    rates = [d.rate for d in made.difficulties.values()]
    mean = sum(rates) / len(rates)
    spread = math.sqrt(sum((r - mean) ** 2 for r in rates) / max(1, len(rates) - 1))
    half = 1.96 * spread / math.sqrt(len(rates))
    solved = sum(rate > 0 for rate in rates)
    low, high = max(0.0, mean - half), mean + half
    if solved == 0:
        low, high = wilson(0, len(rates))
    steps = statistics.median(problem.structure.steps for problem in problems)
    head = f"{tier:8}{len(rates):9}{steps:7.0f}{solved / len(rates):13.1%}{mean:11.1%}"
    return f"{head}   {low:.1%} to {high:.1%}"


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description="What grading costs, and a small model's rates.")
    parser.add_argument("what", choices=["speed", "tiers"])
    parser.add_argument("--problems", type=int, default=2000)
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--shots", type=int, default=1)
    parser.add_argument("--temperature", type=float, default=0.3)
    parser.add_argument("--journal", type=Path, default=Path("runs/grading"))
    given = parser.parse_args()
    if given.what == "speed":
        speed(given.problems)
    else:
        tiers(given.size, given.samples, given.shots, given.temperature, given.journal)


if __name__ == "__main__":
    main()
