"""How many inputs are made per CPU second, drawn and as candidates for programs?

    python benchmarks/inputs.py [--rounds 5] [--json OUT]

Drawn: values of each signature through Hypothesis, one wrapped test for all of them,
beside a stand-in that wraps a test for each signature and draws one input a call, as one
would do first. Candidates: what selection asks for each program, mutations included; there
is nothing to compare these with. Agreeing counts the drawn values that are of their types.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from itertools import islice
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from measuring import Row, arguments, cpu_of, table, tell, times, versions

from synth.draw import draw
from synth.generate import programs
from synth.inputs import candidates, strategy_of
from synth.types import Type

SIGNATURES = (
    ("int",),
    ("str", "int"),
    ("list[int]",),
    ("list[str]", "str"),
    ("dict[str, int]", "str"),
    ("list[tuple[str, int]]", "int"),
    ("list[list[int]]",),
    ("set[int]", "list[int]"),
)
INPUTS = 40
BATCH = 10
PROGRAMS = 150

Drawn = list[tuple[int, Any]]
"""Inputs, each with the number of its signature."""


def signatures() -> list[st.SearchStrategy[Any]]:
    return [st.tuples(*(strategy_of(Type.parse(t)) for t in some)) for some in SIGNATURES]


def ours(rng: random.Random) -> Drawn:
    made: Drawn = []
    for number, strategy in enumerate(signatures()):
        for _ in range(INPUTS // BATCH):
            made += ((number, value) for value in draw(strategy, BATCH, rng))
    return made


def stand_in(rng: random.Random) -> Drawn:
    made: Drawn = []
    for number, strategy in enumerate(signatures()):

        @settings(database=None, deadline=None)
        @given(strategy.map(lambda value, number=number: (number, value)))
        def test(drawn: tuple[int, Any]) -> None:
            made.append(drawn)

        for _ in range(INPUTS):
            test.hypothesis.fuzz_one_input(rng.randbytes(1024))
    return made


def is_of(value: Any, kind: Type) -> bool:
    """Say whether a value is of a type, its items included."""
    if type(value).__name__ != kind.name:
        return False
    if kind.name == "tuple":
        return len(value) == len(kind.args) and all(map(is_of, value, kind.args))
    if kind.name == "dict":
        key, item = kind.args
        return all(is_of(k, key) and is_of(v, item) for k, v in value.items())
    return not kind.args or all(is_of(item, kind.item) for item in value)


def rate(work: Callable[[random.Random], Drawn], seed: int) -> tuple[float, Drawn]:
    """Give the inputs made per CPU second, and the inputs."""
    seconds, made = cpu_of(lambda: work(random.Random(seed)))
    return len(made) / seconds, made


def candidate_rate(seed: int) -> float:
    """Count candidates per CPU second, the writing of their programs left out."""
    rng = random.Random(seed)
    sample = list(islice(programs(seed, 0, tier="hard"), PROGRAMS))
    seconds, made = cpu_of(lambda: sum(len(candidates(program, rng, 14)) for program in sample))
    return made / seconds


def main() -> None:
    chosen = arguments(__doc__, rounds=(int, 5, "rounds"))
    types = [tuple(map(Type.parse, some)) for some in SIGNATURES]
    rate(ours, 0)  # imports and the tables of words
    base, own, wanted = [], [], []
    right = drawn = 0
    for seed in range(chosen.rounds):
        per_second, made = rate(ours, seed)
        own.append(per_second)
        base.append(rate(stand_in, seed)[0])
        wanted.append(candidate_rate(seed))
        drawn += len(made)
        right += sum(all(map(is_of, value, types[number])) for number, value in made)
    rows = [times("inputs drawn", base, own, f"{right}/{drawn}")]
    more: list[Row] = [
        {
            "work": "candidate inputs for programs",
            "ours": round(statistics.median(wanted)),
            "range": [round(min(wanted)), round(max(wanted))],
        }
    ]
    tell(rows, versions("hypothesis"), "Inputs per CPU second", chosen.json, candidates=more)
    print(table(more))


if __name__ == "__main__":
    main()
