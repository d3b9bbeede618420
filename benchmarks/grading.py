"""What grading costs, and what a small real model makes of the tiers.

    python benchmarks/grading.py speed [--problems 2000]
    python benchmarks/grading.py tiers [--size 200] [--samples 4] [--journal FOLDER]

``speed`` grades with an engine that answers at once from a table: all that is left is our
own work (prompts, scoring, journal). ``tiers`` builds problems of each tier by estimate and
has SmolLM2-135M grade them through ``transformers:``; it takes long on two cores, and goes on
from its journal when it is started again. The model is asked plainly (program, "What does f(3)
return?", a literal) after four examples, since a model of that size cannot keep to the prompts
of :mod:`curricula.prompts` and is at the floor with them (``--shots 1`` shows that).
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from curricula.difficulty.engines import Completion, Engine, Messages, Sampling, open_engine
from curricula.difficulty.engines.base import DEFAULT
from curricula.difficulty.grading import Grading, Plan, Progress, measure_rates
from curricula.difficulty.intervals import wilson
from curricula.problem import Problem, from_row
from curricula.prompts import output_prompt

TOKENS = (12, 40)
"""Most tokens of a reply: asked plainly, and with the format to keep to."""
SHORT = 25
"""Characters below which an output is short: about what twelve tokens hold."""
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


EXAMPLES = (
    ("def f(n):\n    return n + 2\n", "f(3)", "5"),
    ("def f(text):\n    return text.upper()\n", "f('ab')", "'AB'"),
    (
        "def f(xs):\n    ys = []\n    for x in xs:\n        ys.append(x * 2)\n    return ys\n",
        "f([1, 4])",
        "[2, 8]",
    ),
    ("def f(n):\n    return n > 3\n", "f(7)", "True"),
)


class Plainly:
    """An engine that asks another one plainly, and writes its literals as the format wants."""

    def __init__(self, asked: Engine, problems: Sequence[Problem]) -> None:
        self.asked, self.model = asked, asked.model
        self.revision = f"{asked.revision}, asked plainly"
        self.problems = {_output_prompt(problem): problem for problem in problems}

    def complete(
        self, prompts: Sequence[Messages], *, n: int = 1, sampling: Sampling = DEFAULT
    ) -> Iterator[Completion]:
        """Ask; the first line of a reply is its answer."""
        problems = [self.problems[messages[-1]["content"]] for messages in prompts]
        plain = [_plain(problem) for problem in problems]
        for made in self.asked.complete(plain, n=n, sampling=sampling):
            call = problems[made.prompt].call
            texts = tuple(_formatted(call, text) for text in made.texts)
            yield replace(made, texts=texts)

    def close(self) -> None:
        """Let the other engine go."""
        self.asked.close()


def _output_prompt(problem: Problem) -> str:
    return output_prompt(problem, questions=())[-1]["content"]


def _plain(problem: Problem) -> list[dict[str, str]]:
    messages = []
    for source, call, literal in EXAMPLES:
        messages += _asked(source, call)
        messages.append({"role": "assistant", "content": literal})
    return messages + _asked(problem.source, problem.call)


def _asked(source: str, call: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"{source}\nWhat does {call} return?"}]


def _formatted(call: str, text: str) -> str:
    literal = next(iter(text.strip().splitlines()), "")
    return f"<answer>\nassert {call} == {literal}\n</answer>"


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

    plan = Plan(
        samples=samples, shots=shots, sampling=Sampling(temperature, 0.95, TOKENS[shots > 0])
    )
    engine = open_engine(f"transformers:{small_model()}", batch=32)
    head = f"{'tier':8}{'steps':>6}{'short':>7}{'problems':>10}{'solved':>8}{'programs':>10}"
    print(f"{head}{'solved':>8}{'mean rate':>11}   its 95% interval", flush=True)
    counts = {}
    for tier in TIERS:
        problems = built(tier, size)
        journal = folder / f"{tier}-{size}-{samples}-{shots}-{temperature:g}.jsonl"
        asked = engine if shots else Plainly(engine, problems)
        made = measure_rates(problems, asked, plan, journal=journal, progress=told)
        rates = by_program(problems, made)
        counts[tier] = (sum(map(any, rates)), len(rates))
        print(row(tier, problems, rates), flush=True)
    chance = by_chance(*counts["easy"], *counts["hard"])
    print(
        f"so many of the solved programs are easy and not hard by chance in {chance:.1%} of cases"
    )


def by_program(problems: Sequence[Problem], made: Grading) -> list[list[float]]:
    """Put the rates of a program's problems together: they are no independent draws."""
    rates: dict[str, list[float]] = {}
    for problem in problems:
        if problem.id in made.difficulties:
            rates.setdefault(problem.source, []).append(made.difficulties[problem.id].rate)
    return list(rates.values())


def row(tier: str, problems: Sequence[Problem], rates: Sequence[Sequence[float]]) -> str:
    """Write a line of the table."""
    every = [rate for some in rates for rate in some]
    low, high = interval(rates)
    steps = statistics.median(problem.structure.steps for problem in problems)
    short = sum(p.output is not None and len(p.output.literal) < SHORT for p in problems)
    return (
        f"{tier:8}{steps:6.0f}{short / len(problems):7.0%}"
        f"{len(every):10}{sum(map(bool, every)):8}{len(rates):10}{sum(map(any, rates)):8}"
        f"{statistics.fmean(every):11.1%}   {low:.1%} to {high:.1%}"
    )


def interval(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Give the 95% interval of the mean of rates that are alike within groups."""
    count = sum(map(len, groups))
    mean = sum(map(sum, groups)) / count
    if mean == 0:
        return wilson(0, len(groups))
    apart = sum((sum(group) - mean * len(group)) ** 2 for group in groups)
    half = 1.96 * math.sqrt(apart * len(groups) / max(1, len(groups) - 1)) / count
    return max(0.0, mean - half), mean + half


def by_chance(solved: int, count: int, others_solved: int, others: int) -> float:
    """Give the chance that at least so many of the solved are in the first group (Fisher)."""
    every, total = count + others, solved + others_solved
    ways = sum(
        math.comb(count, k) * math.comb(others, total - k)
        for k in range(solved, min(total, count) + 1)
    )
    return ways / math.comb(every, total)


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description="What grading costs, and a small model's rates.")
    parser.add_argument("what", choices=["speed", "tiers"])
    parser.add_argument("--problems", type=int, default=2000)
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--samples", type=int, default=4)
    parser.add_argument("--shots", type=int, default=0)
    parser.add_argument("--temperature", type=float, default=0.3)
    parser.add_argument("--journal", type=Path, default=Path("runs/grading"))
    given = parser.parse_args()
    if given.what == "speed":
        speed(given.problems)
    else:
        tiers(given.size, given.samples, given.shots, given.temperature, given.journal)


if __name__ == "__main__":
    main()
