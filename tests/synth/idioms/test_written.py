"""Idioms: each way of writing one runs on ordinary and on empty values."""

from __future__ import annotations

import random
import re

import pytest

from synth import cst as c
from synth.context import Context
from synth.idioms import IDIOMS
from synth.program import Domain
from synth.types import Type

VALUES = {
    "int": [0, 1, 6, 17],
    "str": ["", "a", "Ab-z k9", "stress tests"],
    "list[int]": [[], [4], [3, 9, 3, -2, 7, 5]],
    "list[str]": [[], [""], ["a=s", "rest", "tea", "xox"]],
    "list[list[int]]": [[], [[]], [[4, 1], [], [0, 7, 7]]],
    "dict[str, int]": [{}, {"a": 3, "bc": 3, "d": 0}],
    "dict[int, int]": [{}, {1: 3, 4: 3, 0: 8}],
}


def function(name: str, kind: str, seed: int) -> str:
    """Write a function that is one idiom."""
    ctx = Context(random.Random(seed))
    written = IDIOMS[name].write(ctx.parameter(Type.parse(kind), Domain(), "data"), ctx)
    body = [*written.statements, c.return_(written.result)]
    return c.module([*ctx.helpers, c.def_("f", ["data"], body)])


@pytest.mark.parametrize("name", sorted(IDIOMS))
def test_an_idiom_runs_on_ordinary_and_on_empty_values(name):
    for kind in IDIOMS[name].takes:
        for seed in range(25):
            names: dict = {}
            exec(function(name, kind, seed), names)
            for value in VALUES[kind]:
                names["f"](value)


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("pair sum", 20),
        ("rotate letters", 20),
        ("key value text", 20),
        ("merge ordered", 8),
        ("chunks", 8),
    ],
)
def test_an_idiom_is_written_in_several_ways(name, forms):
    kind = IDIOMS[name].takes[0]
    assert len({function(name, kind, seed) for seed in range(60)}) >= forms


def test_merging_two_halves_gives_all_items_in_order():
    for seed in range(60):
        names: dict = {}
        written = function("merge ordered", "list[int]", seed)
        if not re.search(r"append\(left\.pop\(0\)\)", written):
            continue  # what is taken is changed on its way
        exec(written, names)
        made = names["f"]([3, 9, 3, -2, 7, 5])
        merged = made[0] + made[1] if isinstance(made, tuple) else made
        assert merged in (sorted(merged), sorted(merged, reverse=True))
        assert sorted(merged) == [-2, 3, 3, 5, 7, 9]
