"""How often a 95% interval of a rate holds it, where marks come in few groups that are alike.

    python benchmarks/groups.py [--draws 300]

Groups have one to four marks. A group is right with the chance of the rate; each of its marks
is the group's, or, four times in ten, drawn anew. Beside a bootstrap over groups stands what
an evaluation reports: the widest interval that so few groups allow, and the bootstrap from
:data:`rl.evaluation.statistics.FEWEST` groups on.
"""

from __future__ import annotations

import random

from measuring import Row, arguments, tell, versions

from rl.evaluation.statistics import interval, middle, resampled

GROUPS = (10, 20, 30, 50, 100)
RATES = (0.1, 0.5)
OWN = 0.4
"""How often a mark is not its group's."""


def drawn(rate: float, groups: int, rng: random.Random) -> list[list[float]]:
    """Draw the marks of an evaluation of a known rate."""
    found = []
    for _ in range(groups):
        shared = rng.random() < rate
        marks = [
            rng.random() < rate if rng.random() < OWN else shared for _ in range(rng.randint(1, 4))
        ]
        found.append([float(mark) for mark in marks])
    return found


def bootstrap(groups: list[list[float]]) -> tuple[float, float]:
    """Give the middle 95% of means over groups that are drawn anew."""
    return middle(resampled([(sum(group), float(len(group))) for group in groups]))


def row(rate: float, groups: int, draws: int) -> Row:
    """Count how often both intervals hold the rate, and how wide ours is."""
    rng = random.Random(f"groups\0{rate}\0{groups}")
    held, ours_held, width = 0, 0, 0.0
    for _ in range(draws):
        marks = drawn(rate, groups, rng)
        low, high = bootstrap(marks)
        held += low <= rate <= high
        low, high, _ = interval(marks)
        ours_held += low <= rate <= high
        width += high - low
    return {
        "groups": groups,
        "rate": rate,
        "bootstrap holds it": round(held / draws, 3),
        "the report's interval holds it": round(ours_held / draws, 3),
        "its width": round(width / draws, 3),
    }


def main() -> None:
    given = arguments(__doc__, draws=(int, 300, "evaluations of each kind"))
    rows = [row(rate, groups, given.draws) for groups in GROUPS for rate in RATES]
    tell(rows, versions(), "Shares of evaluations whose interval holds the true rate", given.json)


if __name__ == "__main__":
    main()
