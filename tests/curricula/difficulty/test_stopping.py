"""Stopping early: exact chances, checked against counting all that may come."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.difficulty.stopping import chance_of_change, is_decided, tier_of_counts

STATES = st.integers(1, 16).flatmap(
    lambda most: st.integers(1, most).flatmap(
        lambda samples: st.tuples(st.integers(0, samples), st.just(samples), st.just(most))
    )
)


def chance_by_urn(passes: int, samples: int, most: int) -> float:
    """Draw the rest from Polya's urn, one by one, in fractions."""
    now = tier_of_counts(passes, samples)
    chances = {passes: Fraction(1)}
    for drawn in range(samples, most):
        later: dict[int, Fraction] = {}
        for right, chance in chances.items():
            share = (right + Fraction(1, 2)) / (drawn + 1)
            later[right + 1] = later.get(right + 1, Fraction(0)) + chance * share
            later[right] = later.get(right, Fraction(0)) + chance * (1 - share)
        chances = later
    return float(sum(c for right, c in chances.items() if tier_of_counts(right, most) != now))


@given(STATES)
def test_the_chance_of_change_is_exact(state):
    assert chance_of_change(*state) == pytest.approx(chance_by_urn(*state), abs=1e-8)


@given(STATES)
def test_without_tolerance_only_what_cannot_change_is_decided(state):
    passes, samples, most = state
    now = tier_of_counts(passes, samples)
    possible = {tier_of_counts(passes + k, most) for k in range(most - samples + 1)}
    assert is_decided(passes, samples, most, tolerance=0.0) == (possible == {now})


def test_nothing_is_decided_before_the_first_sample():
    assert not is_decided(0, 0, 10, tolerance=0.9)


def test_everything_is_decided_after_the_last_sample():
    assert all(is_decided(passes, 10, 10, tolerance=0.0) for passes in range(11))


def test_the_middle_is_decided_before_the_ends():
    assert math.isclose(chance_of_change(4, 8, 10), 0.0)
    assert chance_of_change(8, 8, 10) > 0.0
