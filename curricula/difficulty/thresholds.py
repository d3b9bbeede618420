"""Where tiers end. What they are called, and which one a rate is in, :mod:`.tiers` knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from tracing.errors import UsageError

__all__ = ["ESTIMATED", "MEASURED", "Thresholds", "thresholds_of"]


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


def thresholds_of(source: str, own: Sequence[float] = ()) -> Thresholds:
    """Give the lines by which a rate's tier is drawn.

    Args:
        source: ``"passrate"`` or ``"estimate"``.
        own: The lines that stand beside the rate, where it has lines of its own.

    Returns:
        Its own lines, else :data:`MEASURED` or :data:`ESTIMATED`.

    Raises:
        UsageError: Its own lines are not four, or do not rise.
    """
    if len(own) == len(fields(Thresholds)):
        return Thresholds(*own)
    if own:
        raise UsageError(f"thresholds are {len(fields(Thresholds))} numbers, not {len(own)}")
    return MEASURED if source == "passrate" else ESTIMATED
