"""Problems without end, whose tier a function may choose, and datasets of them."""

from __future__ import annotations

from itertools import islice

import pytest

import synth
from tracing.errors import UsageError


def test_a_function_that_chooses_the_tier_is_asked_before_each_batch():
    asked = []

    def tier():
        asked.append("easy" if len(asked) % 2 else "hard")
        return asked[-1]

    problems = synth.stream(tier, seed=3)
    first = next(problems)
    assert (first.tier, asked) == ("hard", ["hard"])
    tiers = [first.tier]
    while len(asked) < 3:
        tiers.append(next(problems).tier)
    assert list(dict.fromkeys(tiers)) == ["hard", "easy"]
    assert tiers[-1] == "hard"
    changes = [place for place in range(1, len(tiers)) if tiers[place] != tiers[place - 1]]
    assert len(changes) == 2


def test_a_dataset_of_a_stream_goes_on_behind_what_was_taken():
    problems = synth.stream("easy", seed=4)
    first, second = (synth.dataset_of(problems, count)["train"] for count in (4, 3))
    known = [problem.id for problem in islice(synth.stream("easy", seed=4), 7)]
    assert [row["id"] for row in (*first, *second)] == known


def test_a_dataset_has_each_problem_once_and_ends_with_its_source():
    problems = list(islice(synth.stream("easy", seed=4), 3))
    rows = synth.dataset_of([*problems, *problems], 5)["train"]
    assert [row["id"] for row in rows] == [problem.id for problem in problems]


@pytest.mark.parametrize("count", [0, -1, 2.0, "3"])
def test_a_count_that_is_none_is_refused(count):
    with pytest.raises(UsageError, match="count must be a whole number"):
        synth.dataset_of([], count)
