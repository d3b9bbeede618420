"""Variants: of the same type, different, readable, and the same for the same seed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.mutate import LONGEST, WIDEST, constants, parts, pool_of, variants
from tracing.values import encode

ATOMS = st.one_of(
    st.booleans(),
    st.integers(-99, 99),
    st.text(alphabet="abC 1,", max_size=12),
    st.binary(max_size=6),
    st.integers(-40, 40).map(lambda n: n / 4),
    st.none(),
)
VALUES = st.one_of(
    ATOMS,
    st.lists(st.integers(-9, 9), max_size=6),
    st.lists(st.lists(st.integers(0, 3), max_size=3), max_size=3),
    st.tuples(st.integers(), st.text("xy", max_size=3)),
    st.dictionaries(st.text("abc", max_size=3), st.integers(0, 9), max_size=4),
    st.sets(st.integers(0, 20), max_size=5),
    st.frozensets(st.text("ab", max_size=3), max_size=4),
    st.builds(range, st.integers(-3, 3), st.integers(0, 9), st.sampled_from([1, 2, -1])),
)
POOL = pool_of([3, 2, 4, "odd", b"x", 0.5, [7], ("k", 1)])


@given(VALUES, st.integers(0, 5))
def test_variants_are_other_values_of_the_same_type(value: Any, seed: int) -> None:
    found = variants(value, POOL, random.Random(seed))
    texts = [encode(one) for one in found]
    assert len(set(texts)) == len(texts)
    assert encode(value) not in texts
    assert {type(one) for one in found} <= {type(value)}


@given(VALUES, st.integers(0, 5))
def test_variants_stay_readable(value: Any, seed: int) -> None:
    for one in variants(value, POOL, random.Random(seed)):
        if isinstance(one, (str, bytes)):
            assert len(one) <= LONGEST
        elif isinstance(one, (list, tuple, dict, set, frozenset)):
            assert len(one) <= WIDEST


@given(VALUES)
def test_a_seed_gives_one_list_of_variants_and_the_value_is_left_alone(value: Any) -> None:
    before = encode(value)
    one, other = (variants(value, POOL, random.Random(3)) for _ in range(2))
    assert [*map(encode, one)] == [*map(encode, other)]
    assert encode(value) == before


MADE: dict[str, tuple[Any, Any]] = {
    "empty list": ([3, 1], []),
    "duplicate": ([3, 1], [3, 3, 1]),
    "swap": ([3, 1], [1, 3]),
    "one fewer": ([3, 1], [3]),
    "one more": ([3, 1], [3, 1, 3]),
    "sign": (7, -7),
    "boundary": (7, 0),
    "neighbour": (7, 8),
    "case": ("Abc", "aBC"),
    "upper": ("Abc", "ABC"),
    "empty text": ("Abc", ""),
    "twice": ("Abc", "AbcAbc"),
    "words turned": ("go up", "up go"),
    "a constant": ("Abc", "odd"),
    "a constant as a number": (7, 3),
    "empty dict": ({"a": 1, "b": 2}, {}),
    "dict in another order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "dict with values swapped": ({"a": 1, "b": 2}, {"a": 2, "b": 1}),
    "empty set": ({1, 2}, set()),
    "flip": (True, False),
    "an empty range": (range(3), range(0)),
}


@pytest.mark.parametrize("case", MADE.values(), ids=MADE)
def test_every_kind_of_change_is_made(case: tuple[Any, Any]) -> None:
    value, wanted = case
    tried = [variants(value, POOL, random.Random(seed)) for seed in range(12)]
    assert any(encode(wanted) == encode(one) for found in tried for one in found)


def test_constants_come_with_their_neighbours() -> None:
    source = "def f(n, s):\n    'Say.' * 9\n    return n > 10 and s == 'go' or n == 2.5 or b'q'\n"
    assert set(constants(source)) == {"Say.", 9, 8, 10, 11, "go", 2.5, b"q"}


def test_parts_of_an_argument_are_what_another_may_be_about() -> None:
    assert "bc" in parts("abcd bc")
    assert parts({"k": [1]}) == [1, "k", [1]]
    assert parts([[1, 2], [3]]) == [2, [1, 2], [3], 1, 2, 3]
    assert parts({"b", "a"}) == [2, "a", "b"]
    assert parts(True) == []


def test_a_pool_keeps_types_apart() -> None:
    assert pool_of([1, True, 1.0, 1, "1"]) == {int: [1], bool: [True], float: [1.0], str: ["1"]}
