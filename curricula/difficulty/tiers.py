"""Tiers: named ranges of a pass rate.

A tier is worked out from a difficulty alone, so anyone may draw the lines elsewhere
without asking a model again. What an estimate says is shrunk towards the mean, as every
prediction is, so it has lines of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from curricula.difficulty.base import Difficulty
from tracing.errors import UsageError

__all__ = ["ESTIMATED", "MEASURED", "TIERS", "Thresholds", "tier_of"]

TIERS = ("easy", "medium", "hard", "trivial", "unsolved")
"""All tiers; the first three are what is published under their names."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where the tiers end.

    Attributes:
        hard: Highest rate of a hard problem, in [0, 1].
        medium: Highest rate of a medium problem.
        easy: Highest rate of an easy problem; above lies the trivial.
        unsolved: A problem that was never solved is ``unsolved``, not ``hard``, where the upper
            end of its interval is at most this: ten samples can say so, four cannot.
    """

    hard: float = 0.3
    medium: float = 0.7
    easy: float = 0.95
    unsolved: float = 0.3

    def __post_init__(self) -> None:
        if not 0 <= self.hard <= self.medium <= self.easy <= 1:
            raise UsageError(
                f"thresholds rise from 0 to 1, not {self.hard}, {self.medium}, {self.easy}"
            )


MEASURED = Thresholds()
"""The lines for measured rates."""
ESTIMATED = Thresholds(hard=0.25, medium=0.45, easy=1.0)
"""The lines for estimates: about a third of CRUXEval each; see docs/difficulty.md."""


def tier_of(difficulty: Difficulty, thresholds: Thresholds | None = None) -> str:
    """Name the tier of a difficulty.

    Args:
        difficulty: A measured or an estimated one.
        thresholds: Where the tiers end; None for the lines that fit the source of the
            difficulty, :data:`MEASURED` or :data:`ESTIMATED`.

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
    is_measured = difficulty.source == "passrate"
    lines = thresholds or (MEASURED if is_measured else ESTIMATED)
    if is_measured and difficulty.passes == 0 and difficulty.high <= lines.unsolved:
        return "unsolved"
    if difficulty.rate <= lines.hard:
        return "hard"
    if difficulty.rate <= lines.medium:
        return "medium"
    return "easy" if difficulty.rate <= lines.easy else "trivial"
