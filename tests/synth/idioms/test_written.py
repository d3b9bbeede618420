"""Idioms: each way of writing one runs on ordinary and on empty values."""

from __future__ import annotations

import random

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
}


def function(name: str, kind: str, seed: int) -> str:
    """Write a function that is one idiom."""
    ctx = Context(random.Random(seed))
    written = IDIOMS[name].write(ctx.parameter(Type.parse(kind), Domain(), "data"), ctx)
    body = [*written.statements, c.return_(written.result)]
    return c.module([*ctx.helpers, c.def_("f", ["data"], body)])


NEW = ["chunks", "closure counter", "digit steps", "key value text", "match kind", "merge ordered"]
NEW += ["pair sum", "rotate letters", "rotate queue"]


@pytest.mark.parametrize("name", NEW)
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
    for seed in range(20):
        names: dict = {}
        exec(function("merge ordered", "list[int]", seed), names)
        made = names["f"]([3, 9, 3, -2, 7, 5])
        merged = made[0] + made[1] if isinstance(made, tuple) else made
        assert merged in (sorted(merged), sorted(merged, reverse=True))
        assert sorted(merged) == [-2, 3, 3, 5, 7, 9]
