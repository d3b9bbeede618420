"""When to stop asking: where more samples would hardly change the tier.

The chance that the remaining samples lead to another tier is worked out exactly, by summing
over all that they may be (beta-binomial, with Jeffreys' prior, which expects rates near 0 and
1 as real ones are). What this saves, and what it costs, is measured by
benchmarks/stopping.py and told in docs/difficulty.md.
"""

from __future__ import annotations

import math

from curricula.difficulty.base import Difficulty
from curricula.difficulty.intervals import wilson
from curricula.difficulty.tiers import Thresholds, tier_of

__all__ = ["chance_of_change", "is_decided", "tier_of_counts"]

PRIOR = 0.5
_DIGITS = 9


def is_decided(
    passes: int, samples: int, most: int, *, tolerance: float, thresholds: Thresholds | None = None
) -> bool:
    """Tell whether to stop asking about a problem.

    Args:
        passes: Right answers up to now.
        samples: Answers up to now.
        most: Answers that there will be at most.
        tolerance: Chance of another tier that is put up with; with 0, it must be impossible.
        thresholds: Where the tiers end.

    Returns:
        True where the chance of another tier is no higher than that.

    Example:
        >>> is_decided(2, 4, 12, tolerance=0.05), is_decided(4, 8, 12, tolerance=0.05)
        (False, True)
    """
    return chance_of_change(passes, samples, most, thresholds) <= tolerance


def chance_of_change(
    passes: int, samples: int, most: int, thresholds: Thresholds | None = None
) -> float:
    """Give the chance that the remaining samples lead to another tier than the present one.

    Args:
        passes: Right answers up to now.
        samples: Answers up to now.
        most: Answers that there will be at most.
        thresholds: Where the tiers end.

    Returns:
        A probability; 0 where no outcome of the remaining samples changes the tier.
    """
    rest = most - samples
    if samples == 0 and rest > 0:
        return 1.0
    now = tier_of_counts(passes, samples, thresholds)
    return round(
        math.fsum(
            _chance(more, rest, passes + PRIOR, samples - passes + PRIOR)
            for more in range(rest + 1)
            if tier_of_counts(passes + more, most, thresholds) != now
        ),
        _DIGITS,
    )


def tier_of_counts(passes: int, samples: int, thresholds: Thresholds | None = None) -> str:
    """Name the tier that counts of right answers lead to.

    Args:
        passes: Right answers.
        samples: Answers, at least one.
        thresholds: Where the tiers end.

    Returns:
        One of :data:`curricula.difficulty.tiers.TIERS`.
    """
    low, high = wilson(passes, samples)
    made = Difficulty("passrate", "", samples, passes, passes / samples, low, high)
    return tier_of(made, thresholds)


def _chance(more: int, rest: int, right: float, wrong: float) -> float:
    """Give the chance of so many right among the rest, by the beta-binomial distribution."""
    ways = math.comb(rest, more)
    return ways * math.exp(_log_beta(right + more, wrong + rest - more) - _log_beta(right, wrong))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
