"""How many inputs are made per CPU-second, drawn and as candidates for programs?

    python benchmarks/inputs.py [--json]

Drawn: values of each signature through Hypothesis, one wrapped test for all of them,
beside a stand-in that wraps a test for each signature and draws one input a call, as one
would do first. Candidates: what selection asks for each program, mutations included.
Rounds of the two are interleaved; median and range over the rounds are printed. CPU time
of this process, which has no children here.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

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
ROUNDS = 5
INPUTS = 40
BATCH = 10
PROGRAMS = 150


def signatures() -> list[st.SearchStrategy[Any]]:
    return [st.tuples(*(strategy_of(Type.parse(t)) for t in some)) for some in SIGNATURES]


def ours(rng: random.Random) -> int:
    made = 0
    for strategy in signatures():
        for _ in range(INPUTS // BATCH):
            made += len(draw(strategy, BATCH, rng))
    return made


def stand_in(rng: random.Random) -> int:
    made: list[Any] = []
    for strategy in signatures():

        @settings(database=None, deadline=None)
        @given(strategy)
        def test(value: Any) -> None:
            made.append(value)

        for _ in range(INPUTS):
            test.hypothesis.fuzz_one_input(rng.randbytes(1024))
    return len(made)


def rate(work: Callable[[random.Random], int], seed: int) -> float:
    """Count per CPU-second."""
    start = time.process_time()
    made = work(random.Random(seed))
    return made / (time.process_time() - start)


def candidate_rate(seed: int) -> float:
    """Count candidates per CPU-second, the generation of their programs left out."""
    rng = random.Random(seed)
    sample = list(islice(programs(seed, 0, tier="hard"), PROGRAMS))
    start = time.process_time()
    made = sum(len(candidates(program, rng, 14)) for program in sample)
    return made / (time.process_time() - start)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="write JSON")
    chosen = parser.parse_args()
    rate(ours, 0)  # imports and the tables of words
    found: dict[str, list[float]] = {"drawn": [], "drawn by the stand-in": [], "candidates": []}
    for seed in range(ROUNDS):
        found["drawn"].append(rate(ours, seed))
        found["drawn by the stand-in"].append(rate(stand_in, seed))
        found["candidates"].append(candidate_rate(seed))
    rows = {
        name: {"median": statistics.median(rates), "low": min(rates), "high": max(rates)}
        for name, rates in found.items()
    }
    if chosen.json:
        print(json.dumps({"unit": "inputs per CPU-second", "rounds": ROUNDS, **rows}, indent=2))
        return
    print(f"{'inputs per CPU-second':32}{'median':>10}{'range':>20}")
    for name, row in rows.items():
        print(f"{name:32}{row['median']:10,.0f}{row['low']:12,.0f} - {row['high']:,.0f}")


if __name__ == "__main__":
    main()
