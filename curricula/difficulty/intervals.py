"""Intervals of a pass rate: Wilson's, and the exact one of Clopper and Pearson.

Plain arithmetic on counts; results are the same on every platform to the ten decimals
that are kept.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from tracing.errors import UsageError

__all__ = ["exact", "wilson"]

_DIGITS = 10


def wilson(passes: float, samples: float, *, level: float = 0.95) -> tuple[float, float]:
    """Give Wilson's score interval of a rate: short, and right on average.

    Args:
        passes: Right answers; a fraction, where answers that depend on each other are counted
            as fewer.
        samples: Answers, or as many as they are worth.
        level: Share of repetitions in which the interval should hold the rate.

    Returns:
        The lower and the upper end; (0, 1) where there is no sample.

    Raises:
        UsageError: The counts or the level make no sense.

    Source: Wilson, Probable inference, the law of succession, and statistical inference (1927).

    Example:
        >>> [round(end, 4) for end in wilson(3, 10)]
        [0.1078, 0.6032]
    """
    _check(passes, samples, level)
    if samples == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    rate, share = passes / samples, z * z / samples
    centre = (rate + share / 2) / (1 + share)
    half = z * math.sqrt((rate * (1 - rate) + share / 4) / samples) / (1 + share)
    # At the ends the formula gives the rate itself, but for rounding.
    low = 0.0 if passes == 0 else round(max(0.0, centre - half), _DIGITS)
    high = 1.0 if passes == samples else round(min(1.0, centre + half), _DIGITS)
    return low, high


def exact(passes: int, samples: int, *, level: float = 0.95) -> tuple[float, float]:
    """Give the exact interval of a rate: it holds the rate at least as often as it says.

    Args:
        passes: Right answers.
        samples: Answers.
        level: Share of repetitions in which the interval holds the rate, at least.

    Returns:
        The lower and the upper end; (0, 1) where there is no sample.

    Raises:
        UsageError: The counts or the level make no sense.

    Source: Clopper and Pearson, The use of confidence or fiducial limits (1934).

    Example:
        >>> [round(end, 4) for end in exact(0, 10)]
        [0.0, 0.3085]
    """
    _check(passes, samples, level)
    tail = (1 - level) / 2
    low = 0.0 if passes == 0 else _rate_with(tail, passes, samples)
    high = 1.0 if passes == samples else _rate_with(1 - tail, passes + 1, samples)
    return low, high


def _rate_with(chance: float, passes: int, samples: int) -> float:
    """Find the rate at which at least so many passes have the given chance, by halving."""
    low, high = 0.0, 1.0
    while high - low > 10.0 ** -(_DIGITS + 2):
        middle = (low + high) / 2
        if _at_least(passes, samples, middle) < chance:
            low = middle
        else:
            high = middle
    return round((low + high) / 2, _DIGITS)


def _at_least(passes: int, samples: int, rate: float) -> float:
    return math.fsum(
        math.comb(samples, k) * rate**k * (1 - rate) ** (samples - k)
        for k in range(passes, samples + 1)
    )


def _check(passes: float, samples: float, level: float) -> None:
    if not 0 <= passes <= samples:
        raise UsageError(f"{passes} passes of {samples} samples cannot be")
    if not 0 < level < 1:
        raise UsageError(f"the level of an interval lies between 0 and 1, not at {level}")
