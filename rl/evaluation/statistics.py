"""Pass@k, its interval, and the paired tests of two runs: plain arithmetic on marks.

Groups are the sample, the marks in one are not: replies to one problem, or calls of related
programs, tend to be right together. So intervals come of Wilson's formula where each group has
one mark of 0 or 1, and of resampling groups otherwise. Resampling shows too little spread where
groups are few; then the interval is the widest that so many groups allow. Chance is seeded, and
gives the same numbers everywhere.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from curricula.difficulty.intervals import wilson
from tracing.errors import UsageError

__all__ = [
    "FEWEST",
    "RESAMPLES",
    "Difference",
    "interval",
    "mcnemar",
    "middle",
    "pass_at_k",
    "resampled",
]

RESAMPLES = 4000
"""How often groups are drawn anew, or signs are."""
FEWEST = 50
"""From how many groups on they are resampled: fewer show too little (benchmarks/groups.py)."""
_EXACT = 12
"""Up to how many groups that differ all ways to flip signs are tried."""
_SEED = 20260311
_LEVEL = 0.95


def pass_at_k(samples: int, right: int, k: int) -> float:
    """Estimate the chance that one of k replies is right, without bias.

    Args:
        samples: Replies that were drawn.
        right: Right ones among them.
        k: How many a user would draw, at most ``samples``.

    Returns:
        ``1 - C(samples - right, k) / C(samples, k)``.

    Raises:
        UsageError: The counts make no sense.

    Source: Chen and others, Evaluating large language models trained on code
    (arXiv 2107.03374), equation 1.

    Example:
        >>> pass_at_k(10, 3, 1), pass_at_k(10, 0, 5), round(pass_at_k(10, 3, 5), 4)
        (0.3, 0.0, 0.9167)
    """
    if not 0 <= right <= samples or not 1 <= k <= samples:
        raise UsageError(f"pass@{k} of {right} right replies among {samples} cannot be estimated")
    # As integers: a product of fractions would not give 3 / 10 for 3 of 10.
    missed, every = math.comb(samples - right, k), math.comb(samples, k)
    return (every - missed) / every


def interval(groups: Sequence[Sequence[float]]) -> tuple[float, float, str]:
    """Give the 95% interval of a mean over marks that come in groups.

    Args:
        groups: For each group its marks, at least one, each in [0, 1].

    Returns:
        The lower end, the upper end, and how they were found.
    """
    # Wilson's interval knows no weights: it needs one plain mark of each group.
    marks = [group[0] for group in groups]
    if all(len(group) == 1 for group in groups) and set(marks) <= {0.0, 1.0}:
        return (*wilson(round(sum(marks)), len(marks), level=_LEVEL), "wilson")
    totals = [(math.fsum(group), float(len(group))) for group in groups]
    every = {mark for group in groups for mark in group}
    if len(groups) < FEWEST or len(every) == 1:
        return (*_bounded(totals), "wilson over groups")
    return (*middle(resampled(totals)), "bootstrap over groups")


def _bounded(totals: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Bound a mean as if the marks of a group were always alike, which they are at worst.

    Groups of unequal size are worth fewer than they are.

    Source: Kish, Survey Sampling (1965), for what unequal weights are worth.
    """
    marks = math.fsum(count for _, count in totals)
    worth = marks * marks / math.fsum(count * count for _, count in totals)
    rate = min(1.0, math.fsum(total for total, _ in totals) / marks)
    return wilson(rate * worth, worth, level=_LEVEL)


def resampled(totals: Sequence[tuple[float, float]]) -> list[float]:
    """Draw groups anew, with replacement, and give the mean each time.

    Args:
        totals: For each group the sum of its marks and their number.

    Returns:
        The means in order.
    """
    rng = random.Random(_SEED)
    means = []
    for _ in range(RESAMPLES):
        drawn = rng.choices(totals, k=len(totals))
        means.append(math.fsum(s for s, _ in drawn) / math.fsum(n for _, n in drawn))
    return sorted(means)


def middle(ordered: Sequence[float]) -> tuple[float, float]:
    """Take the middle 95% of values.

    Args:
        ordered: The values in order, many.

    Returns:
        The lowest and the highest of them.
    """
    cut = round(len(ordered) * (1 - _LEVEL) / 2)
    return ordered[cut], ordered[-cut - 1]


def mcnemar(gained: int, lost: int) -> float:
    """Test whether two runs differ, by the problems that only one of them solved.

    Args:
        gained: Problems that only the second solved.
        lost: Problems that only the first solved.

    Returns:
        The two-sided exact p-value: how likely so uneven a split of the discordant problems
        is where both are as good.

    Raises:
        UsageError: A count is negative.

    Source: McNemar, Note on the sampling error of the difference between correlated
    proportions (1947), in its exact form, a sign test.

    Example:
        >>> round(mcnemar(9, 1), 4), mcnemar(0, 0)
        (0.0215, 1.0)
    """
    if gained < 0 or lost < 0:
        raise UsageError(f"{gained} gained and {lost} lost problems cannot be")
    total = gained + lost
    tail = sum(math.comb(total, count) for count in range(min(gained, lost) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**total)))


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better one run is than another on the same problems.

    Attributes:
        mean: Mean of the differences, the second run's less the first's.
        low: Lower end of its 95% interval, by resampling groups; of few groups, the widest
            that they allow.
        high: Upper end.
        p: Two-sided p-value.
        test: The test that gave it.
        gained: Groups in which the second is better.
        lost: Groups in which the first is better.
    """

    mean: float
    low: float
    high: float
    p: float
    test: str
    gained: int
    lost: int

    @staticmethod
    def of(pairs: Sequence[Sequence[tuple[float, float]]]) -> Difference:
        """Compare marks of two runs.

        Args:
            pairs: For each group the marks of the first and of the second run.

        Returns:
            The difference, with McNemar's test where each group has one pair of marks of 0 or
            1, and signs flipped by group otherwise.
        """
        totals = [(math.fsum(b - a for a, b in group), float(len(group))) for group in pairs]
        gained = sum(total > 0 for total, _ in totals)
        lost = sum(total < 0 for total, _ in totals)
        single = all(len(group) == 1 for group in pairs)
        if single and {mark for group in pairs for mark in group[0]} <= {0.0, 1.0}:
            p, test = mcnemar(gained, lost), "McNemar, exact"
        else:
            p, test = _flipped([total for total, _ in totals if total]), "signs flipped by group"
        mean = math.fsum(s for s, _ in totals) / math.fsum(n for _, n in totals)
        return Difference(mean, *_spread(totals), p, test, gained, lost)


def _spread(totals: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Give the interval of a mean of differences, each in [-1, 1]."""
    if len(totals) >= FEWEST or not any(total for total, _ in totals):
        return middle(resampled(totals))
    low, high = _bounded([((total + count) / 2, count) for total, count in totals])
    return 2 * low - 1, 2 * high - 1


def _flipped(totals: Sequence[float]) -> float:
    """Give the two-sided p-value: how often random signs give a sum as far from 0.

    Where both runs are as good, a group's difference might as well have the other sign; so
    this holds for any number of groups, as McNemar's test does, and needs no resampling.
    """
    least = abs(math.fsum(totals)) - 1e-9  # as far, but for rounding
    if len(totals) <= _EXACT:
        sums = [0.0]
        for total in totals:
            sums = [one + sign * total for one in sums for sign in (1, -1)]
        return sum(abs(one) >= least for one in sums) / len(sums)
    rng = random.Random(_SEED)
    far = sum(
        abs(math.fsum(total if rng.random() < 0.5 else -total for total in totals)) >= least
        for _ in range(RESAMPLES)
    )
    return (far + 1) / (RESAMPLES + 1)
