"""The fit finds what is there, says how good it is, and gives the same each time."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.difficulty.features import FEATURES
from curricula.difficulty.fit import Example, auc, fit, spearman
from tracing.errors import ExecVerifyError

TRUTH = (-1.0, -0.5, 0.0, 0.8, 0.5, 0.0, 0.0)


def examples(count: int = 300) -> list[Example]:
    """Draw rates of ten samples from a known logistic score."""
    rng = random.Random(1)
    made = []
    for _ in range(count):
        features = tuple(rng.gauss(2.0, 1.0) for _ in FEATURES)
        score = 1.0 + sum(w * x for w, x in zip(TRUTH, features, strict=True))
        chance = 1 / (1 + 2.718281828 ** (-score))
        made.append(Example(features, sum(rng.random() < chance for _ in range(10)) / 10))
    return made


def fitted(some: list[Example], seed: int = 0):
    return fit(some, name="n", model="m", data="d", seed=seed)


def test_the_coefficients_of_a_known_score_are_found():
    made = fitted(examples())
    assert list(made.weights.values()) == pytest.approx(TRUTH, abs=0.15)
    assert made.auc > 0.85
    assert made.auc_low < made.auc < made.auc_high
    assert made.spearman_low < made.spearman < made.spearman_high


def test_a_fit_is_repeatable():
    assert fitted(examples(80)) == fitted(examples(80))


def test_rates_without_a_pattern_give_no_quality():
    rng = random.Random(2)
    noise = [
        Example(tuple(rng.random() for _ in FEATURES), rng.choice([0.0, 1.0])) for _ in range(200)
    ]
    made = fitted(noise)
    assert abs(made.auc - 0.5) < 0.1


def relatives(families: int, each: int) -> list[Example]:
    """Draw families whose members share features and rate, which have nothing to do with each other."""
    rng = random.Random(3)
    made = []
    for number in range(families):
        features = tuple(rng.random() for _ in FEATURES)
        made += [Example(features, rng.choice([0.0, 1.0]), f"family {number}")] * each
    return made


def test_relatives_of_what_is_held_out_do_not_help_to_estimate_it():
    one, three = fitted(relatives(60, 1)), fitted(relatives(60, 3))
    apart = fitted([replace(example, family="") for example in relatives(60, 3)])
    assert three.auc <= one.auc + 0.02 < apart.auc
    assert three.spearman <= one.spearman + 0.04 < apart.spearman


def test_relatives_make_an_interval_no_narrower():
    one, three = fitted(relatives(60, 1)), fitted(relatives(60, 3))
    apart = fitted([replace(example, family="") for example in relatives(60, 3)])
    width = one.auc_high - one.auc_low
    assert three.auc_high - three.auc_low == pytest.approx(width, rel=0.2)
    assert apart.auc_high - apart.auc_low < 0.8 * width


def test_problems_of_a_few_families_are_refused():
    with pytest.raises(ExecVerifyError, match="60 problems of 9 program families"):
        fitted([Example((float(i),) * len(FEATURES), i % 2, f"{i % 9}") for i in range(60)])


def test_the_intercept_is_that_of_the_features_as_they_are():
    same = [Example((1.0,) * len(FEATURES), 0.0 if i % 4 else 1.0) for i in range(80)]
    made = fitted(same)
    assert made.intercept == pytest.approx(-1.0986, abs=1e-3)


@pytest.mark.parametrize(
    "some", [examples(20), [Example((0.0,) * len(FEATURES), 1.0)] * 60], ids=["few", "one kind"]
)
def test_what_makes_no_estimate_is_refused(some):
    with pytest.raises(ExecVerifyError, match="do not make an estimate"):
        fitted(some)


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.0, 0.3, 0.5, 1.0])), min_size=2))
def test_auc_counts_pairs(rows):
    solved = [score for score, rate in rows if rate >= 0.5]
    others = [score for score, rate in rows if rate < 0.5]
    pairs = [(a > b) + 0.5 * (a == b) for a in solved for b in others]
    expected = sum(pairs) / len(pairs) if pairs else 0.5
    assert auc([r[0] for r in rows], [r[1] for r in rows]) == pytest.approx(expected)


@given(st.lists(st.integers(-9, 9), min_size=2))
def test_spearman_of_a_column_with_itself_is_one(values):
    expected = 1.0 if len(set(values)) > 1 else 0.0
    assert spearman(values, values) == pytest.approx(expected)
    assert spearman(values, [-value for value in values]) == pytest.approx(-expected)


def test_spearman_shares_ranks():
    # scipy.stats.spearmanr([1, 2, 2, 4], [3, 1, 4, 4])
    assert spearman([1, 2, 2, 4], [3, 1, 4, 4]) == pytest.approx(0.5)
