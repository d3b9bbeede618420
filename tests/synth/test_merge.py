"""Duplicates between shards: found by keys, whatever the passes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.dedup import Fingerprint, fingerprint
from synth.merge import keys, later_duplicates

KEYS = st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=8), max_size=5)


@given(KEYS, st.integers(1, 7))
def test_the_number_of_passes_changes_nothing(
    shards: list[list[tuple[int, ...]]], passes: int
) -> None:
    assert list(later_duplicates(shards, passes=passes)) == list(later_duplicates(shards))


@given(KEYS)
def test_no_two_shards_keep_a_common_key(shards: list[list[tuple[int, ...]]]) -> None:
    dropped = set(later_duplicates(shards))
    owners: dict[int, int] = {}
    for shard, programs in enumerate(shards):
        for place, some in enumerate(programs):
            if (shard, place) not in dropped:
                assert all(owners.setdefault(key, shard) == shard for key in some)


def test_the_first_shard_loses_nothing() -> None:
    shards: list[list[tuple[int, ...]]] = [[(1,), (1,)], [(1,), (2,)], [(2,)]]
    assert list(later_duplicates(shards)) == [(1, 0), (2, 0)]


def test_one_structure_has_one_set_of_keys() -> None:
    one = keys(fingerprint("def f(a):\n    return a.upper() + 'x'\n"))
    assert one == keys(fingerprint("def g(text):\n    return text.upper() + 'yz'\n"))


def test_keys_are_what_they_were_on_every_machine() -> None:
    assert keys(fingerprint("def f(a):\n    return a\n"))[:2] == (
        5721036759293017908,
        9790830088022356871,
    )


@pytest.mark.parametrize(
    ("similarity", "low", "high"), [(0.95, 0.97, 1), (0.9, 0.9, 1), (0.4, 0, 0.02)]
)
def test_alike_programs_share_a_key_and_others_do_not(
    similarity: float, low: float, high: float
) -> None:
    rng = random.Random(0)
    size = 100
    shared = round(2 * similarity * size / (1 + similarity))
    met = 0
    for _ in range(300):
        pool = [rng.getrandbits(64) for _ in range(2 * size - shared)]
        one = Fingerprint("0", "", frozenset(pool[:size]))
        other = Fingerprint("1", "", frozenset(pool[size - shared :]))
        met += bool(set(keys(one)) & set(keys(other)))
    assert low <= met / 300 <= high
