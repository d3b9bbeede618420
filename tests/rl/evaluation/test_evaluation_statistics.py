"""pass@k, intervals and paired tests, held against their definitions."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl.evaluation.report import Unit
from rl.evaluation.statistics import Difference, interval, mcnemar, pass_at_k
from tracing.errors import UsageError


@given(st.integers(1, 9), st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_right_reply(samples, data):
    right = data.draw(st.integers(0, samples))
    k = data.draw(st.integers(1, samples))
    marks = [place < right for place in range(samples)]
    draws = list(itertools.combinations(marks, k))
    assert pass_at_k(samples, right, k) == pytest.approx(sum(map(any, draws)) / len(draws))


@given(st.integers(1, 60), st.data())
def test_pass_at_k_is_the_product_of_the_paper(samples, data):
    right = data.draw(st.integers(0, samples))
    k = data.draw(st.integers(1, samples))
    product = 0.0
    if samples - right >= k:
        product = math.prod(1 - k / n for n in range(samples - right + 1, samples + 1))
    assert pass_at_k(samples, right, k) == pytest.approx(1 - product)


@given(st.integers(1, 40), st.data())
def test_pass_at_1_is_the_plain_rate(samples, data):
    right = data.draw(st.integers(0, samples))
    assert pass_at_k(samples, right, 1) == right / samples


@pytest.mark.parametrize("counts", [(3, 4, 1), (3, -1, 1), (3, 1, 0), (3, 1, 4)])
def test_counts_that_cannot_be_are_refused(counts):
    with pytest.raises(UsageError):
        pass_at_k(*counts)


def test_greedy_marks_get_wilsons_interval():
    low, high, how = interval([[1.0]] * 3 + [[0.0]] * 7)
    assert (round(low, 4), round(high, 4), how) == (0.1078, 0.6032, "wilson")


def test_marks_in_groups_get_an_interval_by_groups():
    rng = random.Random(1)
    alike = [[float(rng.random() < 0.5)] * 8 for _ in range(60)]
    mixed = [[float(rng.random() < 0.5) for _ in range(8)] for _ in range(60)]
    wide, narrow = interval(alike), interval(mixed)
    assert wide[2] == narrow[2] == "bootstrap over groups"
    # Eight marks that are always alike say no more than one.
    assert wide[1] - wide[0] > 2 * (narrow[1] - narrow[0])


def test_equal_marks_in_groups_still_leave_room():
    assert interval([[0.0, 0.0]] * 9) == (0.0, interval([[0.0]] * 9)[1], "wilson over groups")
    assert interval([[1.0, 1.0]] * 9)[0] == interval([[1.0]] * 9)[0]


@pytest.mark.parametrize("groups", [[[1.0, 0.0]], [[1.0, 0.0], [1.0, 1.0]], [[1.0, 0.5]] * 9])
def test_few_groups_get_the_widest_interval_that_they_allow(groups):
    low, high, how = interval(groups)
    assert how == "wilson over groups"
    # Two marks of one group are worth no more than one.
    assert high - low >= interval([[1.0]] * len(groups))[1] - interval([[1.0]] * len(groups))[0]


def test_one_large_group_is_worth_little_more_than_one():
    low, high, _ = interval([[1.0, 0.0] * 50, [1.0], [0.0]])
    assert high - low > 0.75


def test_an_interval_is_the_same_every_time():
    groups = [[0.25, 1.0], [0.5], [0.0]]
    assert interval(groups) == interval(groups)


@given(st.integers(0, 12), st.integers(0, 12))
def test_mcnemar_is_a_two_sided_sign_test(gained, lost):
    total = gained + lost
    least = abs(gained - lost)
    extreme = sum(
        math.comb(total, count) for count in range(total + 1) if abs(2 * count - total) >= least
    )
    assert mcnemar(gained, lost) == pytest.approx(extreme / 2**total)


def test_mcnemar_takes_any_number_of_problems():
    assert mcnemar(3000, 0) == 0.0
    assert mcnemar(900, 900) == 1.0


def test_single_marks_are_compared_by_mcnemar():
    pairs = [[(0.0, 1.0)]] * 9 + [[(1.0, 0.0)]] + [[(1.0, 1.0)]] * 10
    found = Difference.of(pairs)
    assert (found.gained, found.lost, found.test) == (9, 1, "McNemar, exact")
    assert found.mean == pytest.approx(0.4)
    assert round(found.p, 4) == 0.0215
    assert found.low < 0.4 < found.high


def test_rates_are_compared_by_flipping_signs():
    rng = random.Random(2)
    same = [[(rng.random(), rng.random())] for _ in range(60)]
    better = [[(0.3 * rng.random(), 0.3 * rng.random() + 0.2)] for _ in range(60)]
    assert Difference.of(same).p > 0.05
    assert Difference.of(better).p < 0.001
    assert Difference.of(better).test == "signs flipped by group"


def test_few_groups_are_no_evidence_however_many_marks_they_have():
    better = [[(0.0, 1.0)] * 40] * 3
    found = Difference.of(better)
    assert (found.mean, found.p, found.test) == (1.0, 0.25, "signs flipped by group")
    assert found.low < 0
    assert Difference.of([[(0.0, 1.0), (0.0, 0.5)]]).p == 1.0


@given(st.lists(st.sampled_from([-2, -1, 0, 1, 3]), max_size=20))
def test_flipped_signs_are_a_sign_test_where_all_differences_are_alike(signs):
    pairs = [[(0.5 - s / 16, 0.5 + s / 16)] for s in signs] or [[(0.5, 0.5)]]
    total = sum(signs)
    if sum(s != 0 for s in signs) <= 12:
        ways = itertools.product(*[(s, -s) for s in signs if s])
        far = [abs(sum(way)) >= abs(total) for way in ways]
        assert Difference.of(pairs).p == sum(far) / len(far)
    else:
        assert 0 < Difference.of(pairs).p <= 1


def test_no_difference_is_no_evidence():
    found = Difference.of([[(0.5, 0.5)]] * 20)
    assert (found.mean, found.p) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("official", "k", "value"),
    [
        ((1.0, 0.0, None, None), 1, 0.5),
        ((1.0, None, None, None), 1, 1.0),
        ((1.0, None, None, None), 3, 1.0),
        ((None, None, None, None), 1, 0.0),
        ((0.0, None, None, None), 1, 0.0),
        ((1.0, 0.0, 0.0, 0.0), 2, 0.5),
    ],
)
def test_the_official_rule_leaves_skipped_replies_out(official, k, value):
    unit = Unit("a", "a", "output", (0.0,) * 4, official)
    assert unit.value("official", k) == value
