"""How hard a problem is for one model, measured or estimated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Difficulty"]


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A pass rate with its interval, and where it comes from.

    Attributes:
        source: ``"passrate"`` (measured on a model) or ``"estimate"`` (from structure).
        model: The model that was asked, or the estimate's name.
        samples: Completions that were scored; 0 for an estimate.
        passes: Of these, right ones.
        rate: The pass rate, or its estimate, in [0, 1].
        low: Lower end of the 95% interval.
        high: Upper end of the 95% interval.
    """

    source: Literal["passrate", "estimate"]
    model: str
    samples: int
    passes: int
    rate: float
    low: float
    high: float
