"""Chooses the problem that a card shows, and tells its run step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cards.errors import DatasetError
from cards.files import GROUP_ROWS, rows_of, shards_of
from cards.layout import DEFAULT, SPLITS
from curricula.problem import Problem, from_row
from curricula.views import trace as traces
from tracing import Trace, Value, run

__all__ = ["STEPS", "Example", "example_of"]

STEPS = range(6, 17)
"""Steps of a run that is short enough, and long enough, to be shown."""


@dataclass(frozen=True, slots=True)
class Example:
    """The problem that a card shows.

    Attributes:
        problem: The problem.
        split: The split that it is in.
        steps: The steps of its run: ``line``, and what ``changed``.
    """

    problem: Problem
    split: str
    steps: tuple[dict[str, Any], ...]


def example_of(place: Path) -> Example:
    """Choose a problem that shows well, of the train split where it has any.

    Args:
        place: A folder that was staged, or its copy.

    Returns:
        The problem with its run.

    Raises:
        DatasetError: There is no problem.
    """
    for split in SPLITS:
        rows = islice(rows_of(shards_of(place, DEFAULT, split)), GROUP_ROWS)
        problem = _best(map(from_row, rows))
        if problem is not None:
            return Example(problem, split, _told(_trace_of(place, split, problem)))
    raise DatasetError("the dataset has no problem")


def _best(problems: Iterable[Problem]) -> Problem | None:
    """Take the first problem that shows well, else the first."""
    first: Problem | None = None
    for problem in problems:
        if problem.structure.steps in STEPS and len(problem.questions) >= 3:
            return problem
        first = first or problem
    return first


def _trace_of(place: Path, split: str, problem: Problem) -> Trace:
    for row in rows_of(shards_of(place, "trace", split)):
        if row["id"] == problem.id:
            return traces.from_row(row, problem.source, problem.call)
    return run(problem.source, problem.call)


def _told(trace: Trace) -> tuple[dict[str, Any], ...]:
    return tuple(
        {"line": step.line, "changed": _changed(step.changes, step.exception)}
        for step in trace.steps
    )


def _changed(changes: Sequence[tuple[str, Value | str]], raised: str | None) -> str:
    said = [
        f"{name} = {value.literal}" if isinstance(value, Value) else f"{name} ({value})"
        for name, value in changes
    ]
    return ", ".join(said + ([f"raises {raised}"] if raised else []))
