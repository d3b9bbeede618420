"""Intervals equal values worked out elsewhere, and hold what they promise."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.difficulty.intervals import exact, wilson
from tracing.errors import ExecVerifyError

COUNTS = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("passes", "samples", "low", "high"),
    [
        # Newcombe, Two-sided confidence intervals for the single proportion (1998), table I.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
    ],
)
def test_wilson_gives_the_published_values(passes, samples, low, high):
    assert [round(end, 4) for end in wilson(passes, samples)] == [low, high]


@pytest.mark.parametrize(
    ("passes", "samples", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0, 0.1684),
        (1, 29, 0.0009, 0.1776),
        (10, 10, 0.6915, 1.0),
    ],
)
def test_the_exact_interval_gives_the_published_values(passes, samples, low, high):
    assert [round(end, 4) for end in exact(passes, samples)] == [low, high]


def test_without_samples_any_rate_may_be():
    assert wilson(0, 0) == exact(0, 0) == (0.0, 1.0)


@given(COUNTS, st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_an_interval_holds_the_rate_and_its_mirror_is_the_mirrored_count(counts, level):
    passes, samples = counts
    for interval in (wilson, exact):
        low, high = interval(passes, samples, level=level)
        assert 0 <= low <= passes / samples <= high <= 1
        mirrored = interval(samples - passes, samples, level=level)
        assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(COUNTS)
def test_the_exact_interval_is_wider_at_a_higher_level(counts):
    narrow, wide = exact(*counts, level=0.8), exact(*counts, level=0.99)
    assert wide[0] <= narrow[0]
    assert narrow[1] <= wide[1]


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.5, 0.83])
def test_the_exact_interval_holds_the_true_rate_as_often_as_it_says(rate):
    samples = 10
    held = 0.0
    for passes in range(samples + 1):
        low, high = exact(passes, samples)
        chance = math.comb(samples, passes) * rate**passes * (1 - rate) ** (samples - passes)
        held += chance * (low <= rate <= high)
    assert held >= 0.95


@pytest.mark.parametrize(("passes", "samples", "level"), [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0)])
def test_counts_that_make_no_sense_are_refused(passes, samples, level):
    for interval in (wilson, exact):
        with pytest.raises(ExecVerifyError):
            interval(passes, samples, level=level)
