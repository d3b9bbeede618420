"""An estimate of difficulty from structure, for when no model is at hand.

A logistic score, linear over :mod:`curricula.difficulty.features`. Its coefficients are data
(``estimate.json``) with their provenance and their cross-validated quality, which is modest;
:func:`describe` says so wherever an estimate is shown. A measured rate is always better.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from curricula.difficulty.base import Difficulty
from curricula.difficulty.features import FEATURES, features_of
from curricula.problem import Problem
from tracing.errors import ExecVerifyError, shorten

__all__ = ["Band", "Estimator", "describe", "estimate", "read", "shipped", "write"]

DIGITS = 4
"""Decimals of a coefficient and of an estimate: the last bits of ``exp`` differ by platform."""


@dataclass(frozen=True, slots=True)
class Band:
    """How problems of similar estimates turned out, when they were held out.

    Attributes:
        upto: Highest estimate of the band.
        mean: Mean measured rate.
        low: Rate that 2.5% of the problems lie below.
        high: Rate that 2.5% of the problems lie above.
    """

    upto: float
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimator:
    """The coefficients of an estimate, and where they come from.

    Attributes:
        name: Name of the estimate, as it stands in a row.
        model: The model whose rates it was fitted to.
        data: The problems it was fitted on, and how the model was asked.
        problems: How many.
        intercept: Log odds of a problem whose features are all 0.
        weights: Change of the log odds for each of the features.
        auc: Chance that a problem solved at least half of the time is estimated above another.
        auc_low: Lower end of its 95% interval.
        auc_high: Upper end of its 95% interval.
        spearman: Rank correlation with the measured rates.
        spearman_low: Lower end of its 95% interval.
        spearman_high: Upper end of its 95% interval.
        bands: How estimates turned out, from the lowest on.
        revision: Revision of the model; empty where it is not known.
    """

    name: str
    model: str
    data: str
    problems: int
    intercept: float
    weights: Mapping[str, float]
    auc: float
    auc_low: float
    auc_high: float
    spearman: float
    spearman_low: float
    spearman_high: float
    bands: tuple[Band, ...]
    revision: str = ""

    def __post_init__(self) -> None:
        if list(self.weights) != list(FEATURES):
            raise ExecVerifyError(
                f"the estimate {shorten(self.name)} has weights for {', '.join(self.weights)}; "
                f"this version measures {', '.join(FEATURES)}: fit it again"
            )


def estimate(problem: Problem, estimator: Estimator | None = None) -> Difficulty:
    """Estimate the pass rate of a 7B model on a problem, from its structure.

    Args:
        problem: A problem whose structure was measured.
        estimator: Coefficients; None for those that are shipped.

    Returns:
        The estimate, labelled as one. Its interval holds the measured rates of 95% of the
        held-out problems with such an estimate, and is wide.
    """
    known = estimator or shipped()
    total = math.fsum(
        [
            known.intercept,
            *(w * x for w, x in zip(known.weights.values(), features_of(problem), strict=True)),
        ]
    )
    rate = round(1 / (1 + math.exp(-total)), DIGITS)
    band = next((band for band in known.bands if rate <= band.upto), known.bands[-1])
    return Difficulty(
        source="estimate",
        model=known.name,
        samples=0,
        passes=0,
        rate=rate,
        low=min(rate, band.low),
        high=max(rate, band.high),
    )


def describe(estimator: Estimator | None = None) -> str:
    """Say in a sentence how good an estimate is.

    Args:
        estimator: Coefficients; None for those that are shipped.

    Returns:
        The sentence that stands wherever the estimate is used.
    """
    known = estimator or shipped()
    return (
        f"estimated from structure, fitted to {known.model} on {known.problems} problems of "
        f"{known.data}; cross-validated AUC {known.auc:.2f} "
        f"({known.auc_low:.2f} to {known.auc_high:.2f}), Spearman {known.spearman:.2f} "
        f"({known.spearman_low:.2f} to {known.spearman_high:.2f})"
    )


@lru_cache(maxsize=1)
def shipped() -> Estimator:
    """Give the estimate that comes with the package.

    Returns:
        Its coefficients, fitted by benchmarks/estimate.py.
    """
    return _parse(
        (files("curricula.difficulty") / "estimate.json").read_text("utf-8"), "estimate.json"
    )


def read(path: Path) -> Estimator:
    """Read an estimate's coefficients from a file.

    Args:
        path: A file that :func:`write` wrote.

    Returns:
        The estimate.

    Raises:
        ExecVerifyError: It cannot be read, or holds something else.
    """
    try:
        return _parse(path.read_text("utf-8"), str(path))
    except OSError as error:
        raise ExecVerifyError(f"the estimate {path} cannot be read: {error.strerror}") from None


def write(estimator: Estimator, path: Path) -> None:
    """Write an estimate's coefficients, the same bytes for the same estimate.

    Args:
        estimator: The estimate.
        path: The file, which is replaced in one step.
    """
    columns = {**asdict(estimator), "bands": [asdict(band) for band in estimator.bands]}
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(json.dumps(columns, indent=2) + "\n", "utf-8")
    temporary.replace(path)


def _parse(text: str, where: str) -> Estimator:
    try:
        columns: dict[str, Any] = json.loads(text)
        return Estimator(**{**columns, "bands": tuple(Band(**band) for band in columns["bands"])})
    except (ValueError, TypeError, KeyError) as error:
        raise ExecVerifyError(f"{where} holds no estimate: {error}") from None
