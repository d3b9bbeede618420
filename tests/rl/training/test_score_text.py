"""How held-out scores stand in cards and in the demo's table."""

from __future__ import annotations

import pytest

from rl.training.outcome import score_text

SCORE = {"rate": 0.25, "low": 0.1, "high": 0.4567, "n": 60}


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (None, ""),
        (SCORE, "0.250 (0.100 to 0.457, n=60)"),
        ({**SCORE, "families": 21}, "0.250 (0.100 to 0.457, n=60 of 21 families)"),
    ],
    ids=["none", "of an older run", "with families"],
)
def test_a_score_says_of_how_many_families_it_is(score, text):
    assert score_text(score) == text
