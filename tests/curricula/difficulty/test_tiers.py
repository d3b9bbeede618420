"""Tiers are ranges of a rate, drawn where one likes."""

from __future__ import annotations

import pytest

from curricula import tier_of
from curricula.difficulty import Difficulty, Thresholds
from curricula.difficulty.intervals import wilson
from tracing.errors import ExecVerifyError


def measured(passes: int, samples: int = 10) -> Difficulty:
    return Difficulty("passrate", "m", samples, passes, passes / samples, *wilson(passes, samples))


def estimated(rate: float) -> Difficulty:
    return Difficulty("estimate", "e", 0, 0, rate, 0.0, 1.0)


@pytest.mark.parametrize(
    ("passes", "tier"),
    [
        (0, "unsolved"),
        (1, "hard"),
        (3, "hard"),
        (4, "medium"),
        (7, "medium"),
        (8, "easy"),
        (9, "easy"),
        (10, "trivial"),
    ],
)
def test_ten_samples_have_a_tier(passes, tier):
    assert tier_of(measured(passes)) == tier


def test_a_few_failures_do_not_prove_a_problem_unsolved():
    assert [tier_of(measured(0, samples)) for samples in (1, 4, 8, 9, 16)] == [
        "hard",
        "hard",
        "hard",
        "unsolved",
        "unsolved",
    ]


def test_nineteen_of_twenty_is_easy_and_not_trivial():
    assert tier_of(measured(19, 20)) == "easy"
    assert tier_of(measured(39, 40)) == "trivial"


def test_an_estimate_is_hard_or_medium_or_easy():
    tiers = [tier_of(estimated(rate)) for rate in (0.0, 0.25, 0.26, 0.45, 0.46, 1.0)]
    assert tiers == ["hard", "hard", "medium", "medium", "easy", "easy"]


def test_thresholds_are_a_parameter():
    strict = Thresholds(hard=0.1, medium=0.2, easy=0.5, unsolved=0.0)
    assert [tier_of(measured(passes), strict) for passes in (0, 2, 3, 6)] == [
        "hard",
        "medium",
        "easy",
        "trivial",
    ]
    assert tier_of(estimated(0.15), strict) == "medium"


def test_thresholds_that_fall_are_refused():
    with pytest.raises(ExecVerifyError, match="rise from 0 to 1"):
        Thresholds(hard=0.5, medium=0.4)
