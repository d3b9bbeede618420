"""What a run has learned from, and what has come of it: data alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Data", "Outcome", "Scores", "score_text"]

Scores = Mapping[str, Mapping[str, float]]
"""Held-out scores by task: rate, ends of its interval, items and families."""


@dataclass(frozen=True, slots=True)
class Data:
    """What a model has learned from.

    Attributes:
        names: Datasets and their revisions.
        rows: Rows that were used.
        left_out: How many were not, by reason.
        counts: Rows that were used, by dataset; empty where there is one.
    """

    names: tuple[tuple[str, str], ...]
    rows: int
    left_out: Mapping[str, int]
    counts: Mapping[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Write it as JSON can hold it.

        Returns:
            ``names`` (pairs as lists), ``rows``, ``left_out``, ``counts``.
        """
        return {**asdict(self), "names": [list(pair) for pair in self.names]}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has come to.

    Attributes:
        model: The folder of the final model.
        stage: The stage.
        steps: Updates.
        data: What it has learned from, as :meth:`Data.as_dict` writes it.
        last: What was logged last.
        before: Held-out scores of the first model, by task; empty where none were asked for.
        after: Those of the final model.
    """

    model: Path
    stage: str
    steps: int
    data: Mapping[str, Any]
    last: Mapping[str, float]
    before: Scores
    after: Scores

    def as_dict(self) -> dict[str, Any]:
        """Write it as JSON can hold it.

        Returns:
            The fields by name.
        """
        return {**asdict(self), "model": str(self.model)}


def score_text(score: Mapping[str, float] | None) -> str:
    """Write a held-out score for a table.

    Args:
        score: Rate, ends of its interval, items and families; None where there is none.

    Returns:
        The text, empty where there is no score.
    """
    if score is None:
        return ""
    # Runs of before families were counted have no such number.
    families = f" of {score['families']} families" if "families" in score else ""
    return (
        f"{score['rate']:.3f} ({score['low']:.3f} to {score['high']:.3f}, n={score['n']}{families})"
    )
