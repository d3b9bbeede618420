"""What stopping early saves and what it costs, beside a fixed number of samples.

    python benchmarks/stopping.py [PASSES.json]

On U-shaped rates (Beta(0.3, 0.3)), and on the real rates of a file that maps ids to right
answers of ten, each taken as the true rate of its problem. Nothing is drawn: the chances of
all counts are summed. The true tier of a rate is unsolved up to 0.02, hard up to 0.3, medium
up to 0.7, easy up to 0.95, trivial above.

Stopping by what was seen bends the rate and its interval, so two more columns say how far, for
the rate at which it is worst: by how many points the expected rate is off (bias, over all rates),
and how often Wilson's 95% interval holds the true rate (coverage, for rates from 0.2 to 0.8;
further out it is below 90% for a fixed number of samples, too).
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

from curricula.difficulty.intervals import exact, wilson
from curricula.difficulty.stopping import is_decided, tier_of_counts

STEP = 4
UNSOLVED = 0.02
RATES = [place / 200 for place in range(1, 200)]
"""True rates that bias is looked for at."""
MIDDLE = [rate for rate in RATES if 0.2 <= rate <= 0.8]
"""Those that coverage is looked for at."""
Rule = Callable[[int, int], bool]


def true_tier(rate: float) -> str:
    """Name the tier that a problem of a known rate belongs to."""
    ends = (("unsolved", UNSOLVED), ("hard", 0.3), ("medium", 0.7), ("easy", 0.95))
    return next((tier for tier, end in ends if rate <= end), "trivial")


def ends(rate: float, most: int, step: int, decided: Rule) -> Iterator[tuple[int, int, float]]:
    """Yield where the asking may end: right answers, answers, and the chance of that."""
    chances: dict[tuple[int, int], float] = {(0, 0): 1.0}
    while chances:
        later: dict[tuple[int, int], float] = defaultdict(float)
        for (passes, samples), chance in chances.items():
            if samples and (samples >= most or decided(passes, samples)):
                yield passes, samples, chance
                continue
            asked = min(step, most - samples)
            for more in range(asked + 1):
                share = math.comb(asked, more) * rate**more * (1 - rate) ** (asked - more)
                later[passes + more, samples + asked] += chance * share
        chances = later


def outcome(rate: float, most: int, step: int, decided: Rule) -> tuple[float, float, float]:
    """Give the chance of the exact tier, of one of the three published wrongly, and the cost."""
    truth, right, cost, published = true_tier(rate), 0.0, 0.0, 0.0
    for passes, samples, chance in ends(rate, most, step, decided):
        tier = tier_of_counts(passes, samples)
        right += chance * (tier == truth)
        published += chance * (_coarse(tier) == _coarse(truth))
        cost += chance * samples
    return right, published, cost


def bias(rate: float, most: int, step: int, decided: Rule) -> float:
    """Give by how much the expected share of right answers is above the true rate."""
    return math.fsum(p / n * chance for p, n, chance in ends(rate, most, step, decided)) - rate


def coverage(rate: float, most: int, step: int, decided: Rule) -> float:
    """Give the chance that the interval of a row holds the true rate."""
    held = cache(lambda passes, samples: _holds(wilson(passes, samples), rate))
    return math.fsum(c for p, n, c in ends(rate, most, step, decided) if held(p, n))


def _holds(interval: tuple[float, float], rate: float) -> bool:
    return interval[0] <= rate <= interval[1]


def _coarse(tier: str) -> str:
    return {"unsolved": "hard", "trivial": "easy"}.get(tier, tier)


def averaged(rates: Sequence[float], most: int, step: int, decided: Rule) -> tuple[float, ...]:
    """Average :func:`outcome` over rates; equal rates are worked out once."""
    known = lru_cache(maxsize=None)(lambda rate: outcome(rate, most, step, decided))
    results = [known(rate) for rate in rates]
    return tuple(math.fsum(column) / len(rates) for column in zip(*results, strict=True))


def fixed(most: int) -> tuple[int, int, Rule]:
    """Take all samples at once."""
    return most, most, lambda passes, samples: False


def early(most: int, tolerance: float) -> tuple[int, int, Rule]:
    """Stop after each four where the tier is decided."""
    rule = lru_cache(maxsize=None)(
        lambda passes, samples: is_decided(passes, samples, most, tolerance=tolerance)
    )
    return most, STEP, rule


def interval(most: int, level: float) -> tuple[int, int, Rule]:
    """Stop after each four where the exact interval lies in one tier: tried, and not taken."""

    @cache
    def lies_in_one(passes: int, samples: int) -> bool:
        low, high = exact(passes, samples, level=level)
        return true_tier(low) == true_tier(high)

    return most, STEP, lies_in_one


POLICIES = {
    "fixed 8": fixed(8),
    "fixed 10": fixed(10),
    "fixed 12": fixed(12),
    "fixed 16": fixed(16),
    "fixed 24": fixed(24),
    **{
        f"up to {most}, tolerance {tolerance:g}": early(most, tolerance)
        for most in (12, 16, 20, 24)
        for tolerance in (0.0, 0.05, 0.1, 0.2, 0.3)
    },
    **{
        f"up to {most}, {level:.0%} interval": interval(most, level)
        for most in (12, 24)
        for level in (0.5, 0.8, 0.95)
    },
}


def main() -> None:
    """Print a table for each kind of rates, and one of what stopping does to rates."""
    rng = random.Random(0)
    drawn = [round(rng.betavariate(0.3, 0.3), 3) for _ in range(4000)]
    tables = {"U-shaped, Beta(0.3, 0.3)": drawn}
    if len(sys.argv) > 1:
        passes = json.loads(Path(sys.argv[1]).read_text("utf-8"))["passes"]
        tables[f"{len(passes)} measured rates of {sys.argv[1]}"] = [
            right / 10 for right in passes.values()
        ]
    for name, rates in tables.items():
        print(f"\n{name}\n{'policy':28}{'samples':>9}{'exact of 5':>12}{'exact of 3':>12}")
        for label, policy in POLICIES.items():
            right, published, cost = averaged(rates, *policy)
            print(f"{label:28}{cost:9.2f}{right:12.1%}{published:12.1%}")
    print(
        f"\nat the worst rate\n{'policy':28}{'bias, points':>14}{'at':>7}{'coverage':>11}{'at':>7}"
    )
    for label, policy in POLICIES.items():
        off, where = max(((bias(r, *policy), r) for r in RATES), key=lambda found: abs(found[0]))
        held, there = min((coverage(r, *policy), r) for r in MIDDLE)
        print(f"{label:28}{round(100 * off, 1) + 0.0:+14.1f}{where:7.3f}{held:11.1%}{there:7.3f}")


if __name__ == "__main__":
    main()
