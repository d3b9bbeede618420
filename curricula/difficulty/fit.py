"""Fits an estimate to measured pass rates, and says by cross-validation how good it is.

Logistic regression with a small ridge, by Newton's method in plain Python: a few hundred
problems with a handful of features need no more, and the result is the same everywhere to
the decimals that are kept. Relatives (problems of one program family) stay together wherever
problems are held out or drawn: they have the same program, and often the same rate.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from curricula.difficulty.estimate import DIGITS, Band, Estimator
from curricula.difficulty.features import FEATURES
from tracing.errors import ExecVerifyError, shorten

__all__ = ["Example", "auc", "fit", "spearman"]

RIDGE = 1.0
FOLDS = 10
REPEATS = 5
RESAMPLES = 400
BANDS = 5
FEWEST = 50


@dataclass(frozen=True, slots=True)
class Example:
    """One problem with a measured rate.

    Attributes:
        features: As :func:`curricula.difficulty.features.features_of` gives them.
        rate: Measured pass rate, in [0, 1].
        family: What it shares with its relatives; an empty text where it has none.
    """

    features: tuple[float, ...]
    rate: float
    family: str = ""


def fit(
    examples: Sequence[Example], *, name: str, model: str, data: str, seed: int = 0
) -> Estimator:
    """Fit an estimate.

    Args:
        examples: At least fifty problems of at least ten families, some of them solved at
            least half of the time and some not.
        name: Name for the estimate.
        model: The model that was measured.
        data: What it was measured on, and how it was asked.
        seed: Seed of the folds and of the resampling.

    Returns:
        The coefficients, with their cross-validated quality.

    Raises:
        ExecVerifyError: There are too few examples, or all are of one kind.
    """
    solved, families = sum(example.rate >= 0.5 for example in examples), _families(examples)
    if len(examples) < FEWEST or len(families) < FOLDS or solved in (0, len(examples)):
        raise ExecVerifyError(
            f"{len(examples)} problems of {len(families)} program families, {solved} of them "
            f"solved by {shorten(model)} at least half of the time, do not make an estimate: at "
            f"least {FEWEST} of {FOLDS} families with both kinds among them are needed"
        )
    rng = random.Random(f"{seed}/estimate")
    intercept, weights = _coefficients(examples)
    held_out = [_held_out(examples, families, rng) for _ in range(REPEATS)]
    rates = [example.rate for example in examples]
    areas = [auc(estimates, rates) for estimates in held_out]
    ranks = [spearman(estimates, rates) for estimates in held_out]
    area_ends, rank_ends = _resampled(held_out[0], rates, families, rng)
    return Estimator(
        name=name,
        model=model,
        data=data,
        problems=len(examples),
        intercept=round(intercept, DIGITS),
        weights={f: round(w, DIGITS) for f, w in zip(FEATURES, weights, strict=True)},
        auc=_mean(areas),
        auc_low=area_ends[0],
        auc_high=area_ends[1],
        spearman=_mean(ranks),
        spearman_low=rank_ends[0],
        spearman_high=rank_ends[1],
        bands=_bands(held_out[0], rates),
    )


def auc(estimates: Sequence[float], rates: Sequence[float]) -> float:
    """Give the chance that a problem solved at least half of the time is estimated above another.

    Args:
        estimates: An estimate for each problem.
        rates: Their measured rates.

    Returns:
        The area under the ROC curve, in [0, 1].

    Example:
        >>> auc([0.1, 0.4, 0.3, 0.9], [0.0, 0.2, 0.6, 1.0])
        0.75
    """
    ranks = _ranks(estimates)
    solved = [rank for rank, rate in zip(ranks, rates, strict=True) if rate >= 0.5]
    others = len(rates) - len(solved)
    above = math.fsum(solved) - len(solved) * (len(solved) + 1) / 2
    return above / (len(solved) * others) if solved and others else 0.5


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Give the rank correlation of two columns; equal values share the mean of their ranks.

    Args:
        one: Numbers.
        other: As many.

    Returns:
        A number from -1 to 1; 0 where a column is constant.

    Example:
        >>> spearman([1, 2, 3], [3, 2, 1])
        -1.0
    """
    a, b = _ranks(one), _ranks(other)
    middle = (len(a) + 1) / 2
    products = math.fsum((x - middle) * (y - middle) for x, y in zip(a, b, strict=True))
    spread = math.fsum((x - middle) ** 2 for x in a) * math.fsum((y - middle) ** 2 for y in b)
    return products / math.sqrt(spread) if spread else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + end + 1) / 2
        start = end
    return ranks


def _coefficients(examples: Sequence[Example]) -> tuple[float, list[float]]:
    """Fit by Newton's method on features brought to mean 0 and deviation 1."""
    columns = list(zip(*(example.features for example in examples), strict=True))
    means = [math.fsum(column) / len(column) for column in columns]
    spreads = [_deviation(column, mean) or 1.0 for column, mean in zip(columns, means, strict=True)]
    rows = [
        [1.0, *((x - m) / s for x, m, s in zip(e.features, means, spreads, strict=True))]
        for e in examples
    ]
    rates = [example.rate for example in examples]
    beta = [0.0] * len(rows[0])
    for _ in range(50):
        step = _newton_step(rows, rates, beta)
        beta = [b + d for b, d in zip(beta, step, strict=True)]
        if max(map(abs, step)) < 1e-10:
            break
    weights = [b / s for b, s in zip(beta[1:], spreads, strict=True)]
    return beta[0] - math.fsum(w * m for w, m in zip(weights, means, strict=True)), weights


def _deviation(column: Sequence[float], mean: float) -> float:
    return math.sqrt(math.fsum((x - mean) ** 2 for x in column) / len(column))


def _newton_step(
    rows: Sequence[Sequence[float]], rates: Sequence[float], beta: Sequence[float]
) -> list[float]:
    size = len(beta)
    gradient = [0.0] + [-RIDGE * b for b in beta[1:]]
    curvature = [[RIDGE * (i == j and i > 0) for j in range(size)] for i in range(size)]
    for row, rate in zip(rows, rates, strict=True):
        chance = _logistic(sum(b * x for b, x in zip(beta, row, strict=True)))
        weight = chance * (1 - chance)
        for i, x in enumerate(row):
            gradient[i] += (rate - chance) * x
            line, scaled = curvature[i], weight * x
            for j in range(i + 1):
                line[j] += scaled * row[j]
    for i in range(size):
        for j in range(i):
            curvature[j][i] = curvature[i][j]
    return _solve(curvature, gradient)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else 1 - 1 / (1 + math.exp(x))


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a symmetric positive system by elimination."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for lower in rows[i + 1 :]:
            factor = lower[i] / pivot[i]
            for j in range(i, len(lower)):
                lower[j] -= factor * pivot[j]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        known = math.fsum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))
        found[i] = (rows[i][-1] - known) / rows[i][i]
    return found


def _families(examples: Sequence[Example]) -> list[list[int]]:
    """Put the places of relatives together."""
    found: dict[str | int, list[int]] = {}
    for place, example in enumerate(examples):
        found.setdefault(example.family or place, []).append(place)
    return list(found.values())


def _held_out(
    examples: Sequence[Example], families: Sequence[Sequence[int]], rng: random.Random
) -> list[float]:
    """Estimate each example by a fit that saw neither it nor its relatives."""
    order = list(families)
    rng.shuffle(order)
    estimates = [0.0] * len(examples)
    for fold in range(FOLDS):
        unseen = [place for family in order[fold::FOLDS] for place in family]
        hidden = frozenset(unseen)
        intercept, weights = _coefficients([e for i, e in enumerate(examples) if i not in hidden])
        for i in unseen:
            products = zip(weights, examples[i].features, strict=True)
            estimates[i] = _logistic(intercept + math.fsum(w * x for w, x in products))
    return estimates


def _resampled(
    estimates: Sequence[float],
    rates: Sequence[float],
    families: Sequence[Sequence[int]],
    rng: random.Random,
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Give the 95% intervals of AUC and Spearman, by drawing the families again."""
    areas, ranks = [], []
    for _ in range(RESAMPLES):
        drawn = [i for _ in families for i in families[rng.randrange(len(families))]]
        some, others = [estimates[i] for i in drawn], [rates[i] for i in drawn]
        areas.append(auc(some, others))
        ranks.append(spearman(some, others))
    return _ends(areas), _ends(ranks)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(values)
    cut = len(ordered) // 40
    return round(ordered[cut], DIGITS), round(ordered[-1 - cut], DIGITS)


def _mean(values: Sequence[float]) -> float:
    return round(math.fsum(values) / len(values), DIGITS)


def _bands(estimates: Sequence[float], rates: Sequence[float]) -> tuple[Band, ...]:
    """Cut the problems into equal parts by their estimates, and see how each turned out."""
    order = sorted(range(len(rates)), key=lambda i: estimates[i])
    made = []
    for number in range(BANDS):
        part = order[len(order) * number // BANDS : len(order) * (number + 1) // BANDS]
        low, high = _ends([rates[i] for i in part])
        upto = 1.0 if number == BANDS - 1 else round(estimates[part[-1]], DIGITS)
        made.append(Band(upto, _mean([rates[i] for i in part]), low, high))
    return tuple(made)
