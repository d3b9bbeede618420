"""How hard a problem is for one model, measured or estimated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from curricula.difficulty.thresholds import thresholds_of

__all__ = ["Count", "Difficulty", "difficulty_from"]


@dataclass(frozen=True, slots=True)
class Count:
    """How many replies failed for one reason.

    Attributes:
        reason: The reason, as :mod:`curricula.scoring` names it.
        count: Replies.
    """

    reason: str
    count: int


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
        revision: Revision of the model, or of the estimate; empty where it is not known.
        temperature: Sampling temperature, or None for an estimate.
        top_p: Share of the probability that was sampled from, or None for an estimate.
        max_tokens: Most tokens of a reply, or None for an estimate.
        prompt: Version of the prompt's wording, with the worked examples that stood before it.
        kinds: Kinds of the questions that were asked beside the output.
        reasons: Why the other completions were not right, most frequent first.
        thresholds: Where the tiers end that were drawn from this rate (hard, medium, easy,
            unsolved, as :class:`.Thresholds` has them); empty for those that fit the source.
    """

    source: Literal["passrate", "estimate"]
    model: str
    samples: int
    passes: int
    rate: float
    low: float
    high: float
    revision: str = ""
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    prompt: str = ""
    kinds: tuple[str, ...] = ()
    reasons: tuple[Count, ...] = ()
    thresholds: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        thresholds_of(self.source, self.thresholds)  # refuses those that are none


def difficulty_from(columns: Mapping[str, Any]) -> Difficulty:
    """Read a difficulty from the columns of a row.

    Args:
        columns: The attributes by name, those with a default optional.

    Returns:
        The difficulty.

    Raises:
        KeyError: A column is missing.
        TypeError: There is one too many.
        UsageError: The thresholds do not rise.
    """
    reasons = tuple(Count(**count) for count in columns.get("reasons") or ())
    kinds = tuple(columns.get("kinds") or ())
    thresholds = tuple(columns.get("thresholds") or ())
    return Difficulty(**{**columns, "kinds": kinds, "reasons": reasons, "thresholds": thresholds})
