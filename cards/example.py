"""Chooses the problem that a card shows, and tells its run step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from cards.errors import DatasetError
from cards.files import GROUP_ROWS, rows_of, shards_of
from cards.layout import DEFAULT, SPLITS
from curricula.problem import Problem, from_row
from curricula.views import trace as traces
from tracing import Trace, Value, run

__all__ = ["STEPS", "example_of"]

STEPS = range(6, 17)
"""Steps of a run that is short enough, and long enough, to be shown."""


def example_of(place: Path) -> tuple[Problem, list[dict[str, Any]]]:
    """Choose a problem of the train split that shows well, with its run."""
    chosen: Problem | None = None
    for problem in _first_problems(place):
        chosen = chosen or problem
        if problem.structure.steps in STEPS and len(problem.questions) >= 3:
            chosen = problem
            break
    if chosen is None:
        raise DatasetError("the dataset has no problem")
    return chosen, [
        {"line": step.line, "changed": _changed(step.changes, step.exception)}
        for step in _trace_of(place, chosen).steps
    ]


def _first_problems(place: Path) -> Iterator[Problem]:
    for split in SPLITS:
        yield from map(from_row, islice(rows_of(shards_of(place, DEFAULT, split)), GROUP_ROWS))


def _trace_of(place: Path, problem: Problem) -> Trace:
    for split in SPLITS:
        for row in rows_of(shards_of(place, "trace", split)):
            if row["id"] == problem.id:
                return traces.from_row(row, problem.source, problem.call)
    return run(problem.source, problem.call)


def _changed(changes: Sequence[tuple[str, Value | str]], raised: str | None) -> str:
    said = [
        f"{name} = {value.literal}" if isinstance(value, Value) else f"{name} ({value})"
        for name, value in changes
    ]
    return ", ".join(said + ([f"raises {raised}"] if raised else []))
