"""Tiers: named ranges of a pass rate.

A tier is worked out from a difficulty alone, so anyone may draw the lines elsewhere
without asking a model again. What an estimate says is shrunk towards the mean, as every
prediction is, so it has lines of its own.
"""

from __future__ import annotations

from curricula.difficulty.base import Difficulty
from curricula.difficulty.thresholds import Thresholds, thresholds_of

__all__ = ["TIERS", "Thresholds", "tier_of"]

TIERS = ("easy", "medium", "hard", "trivial", "unsolved")
"""All tiers; the first three are what is published under their names."""


def tier_of(difficulty: Difficulty, thresholds: Thresholds | None = None) -> str:
    """Name the tier of a difficulty.

    Args:
        difficulty: A measured or an estimated one.
        thresholds: Where the tiers end; None for the difficulty's own lines, or where it has
            none, those that fit its source
            (:func:`curricula.difficulty.thresholds.thresholds_of`).

    Returns:
        One of :data:`TIERS`. An estimate is never ``"unsolved"``: nobody tried.

    Example:
        >>> tier_of(Difficulty("passrate", "m", 10, 3, 0.3, 0.1078, 0.6032))
        'hard'
        >>> tier_of(Difficulty("passrate", "m", 10, 0, 0.0, 0.0, 0.2775))
        'unsolved'
        >>> tier_of(Difficulty("passrate", "m", 4, 0, 0.0, 0.0, 0.4899))
        'hard'
    """
    lines = thresholds or thresholds_of(difficulty.source, difficulty.thresholds)
    is_measured = difficulty.source == "passrate"
    if is_measured and difficulty.passes == 0 and difficulty.high <= lines.unsolved:
        return "unsolved"
    if difficulty.rate <= lines.hard:
        return "hard"
    if difficulty.rate <= lines.medium:
        return "medium"
    return "easy" if difficulty.rate <= lines.easy else "trivial"
