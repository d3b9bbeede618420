"""Derives problems of a dataset again, from their sources and calls alone.

A problem is run under both tracers. Its row, its run and its rows in the views must follow
from that. What a model was asked or wrote cannot be done again and is passed over, and so
is ``stage2``, whose rows are of several problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from cards.files import rows_of, shards_of
from cards.finding import Finding
from cards.layout import DEFAULT, SPLITS, TIERS
from curricula import estimate, tier_of
from curricula.problem import SCHEMA, Problem, from_row, problem_id, to_row
from curricula.questions import Question
from curricula.questions.base import kind_of
from curricula.structure import measure
from curricula.views import sft, stage1
from curricula.views import trace as traces
from tracing import Trace, run_many
from tracing.errors import ExecVerifyError, shorten

__all__ = ["differences"]


def differences(
    place: Path, chosen: Sequence[str], *, workers: int, is_narrated: bool
) -> Iterator[Finding]:
    """Derive problems of a dataset again, and compare.

    Args:
        place: The folder of the dataset, whose ``problems`` and ``trace`` have our columns.
        chosen: Ids of the problems.
        workers: Programs that are run at the same time.
        is_narrated: Whether a model wrote ``sft``, which is then passed over.

    Yields:
        What is not as the rows say.

    Raises:
        InfrastructureError: No worker can be started.
    """
    wanted = set(chosen)
    problems: list[Problem] = []
    for row in _rows(place, DEFAULT, wanted):
        try:
            problems.append(from_row(row))
        except ExecVerifyError as error:
            yield Finding(str(row["id"]), f"the row cannot be read: {error}")
    stored = _by_id(_rows(place, "trace", wanted))
    views = _views(place, wanted, is_narrated)
    runs = run_many([(p.source, p.call) for p in problems], workers=workers)
    for problem, trace in zip(problems, runs, strict=True):
        found = list(_differences(problem, trace, next(iter(stored.get(problem.id, [])), None)))
        # A view of a row that is wrong is wrong as well: that is not said twice.
        found = found or list(_view_differences(problem, trace, views))
        yield from (Finding(problem.id, what) for what in found)


@dataclass(frozen=True, slots=True)
class _View:
    """The rows of a config by the id of their problem, and how they are made."""

    name: str
    schema: pa.Schema
    rows: Mapping[str, list[dict[str, Any]]]
    make: Callable[[Problem, Trace], list[dict[str, Any]]]


def _views(place: Path, wanted: set[str], is_narrated: bool) -> list[_View]:
    """Read the views that a dataset has."""
    made: dict[str, tuple[pa.Schema, Callable[[Problem, Trace], list[dict[str, Any]]]]] = {
        tier: (SCHEMA, lambda p, _, t=tier: [to_row(p)] if p.tier == t else [])  # type: ignore[misc]
        for tier in TIERS
    }
    made["stage1"] = (stage1.SCHEMA, lambda p, _: list(stage1.to_rows(p)))
    if not is_narrated:
        made["sft"] = (sft.SCHEMA, lambda p, t: list(sft.to_rows(p, t)))
    return [
        _View(name, schema, _by_id(_rows(place, name, wanted)), make)
        for name, (schema, make) in made.items()
        if any(shards_of(place, name, split) for split in SPLITS)
    ]


def _by_id(rows: Iterator[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["id"], []).append(row)
    return found


def _view_differences(problem: Problem, trace: Trace, views: Sequence[_View]) -> Iterator[str]:
    for view in views:
        made = pa.Table.from_pylist(view.make(problem, trace), schema=view.schema).to_pylist()
        if view.rows.get(problem.id, []) != made:
            yield f"its rows in {view.name} do not follow from problem and run"


def _rows(place: Path, config: str, wanted: set[str]) -> Iterator[dict[str, Any]]:
    for split in SPLITS:
        yield from (row for row in rows_of(shards_of(place, config, split)) if row["id"] in wanted)


def _differences(problem: Problem, trace: Trace, row: Mapping[str, Any] | None) -> Iterator[str]:
    if trace.outcome not in ("returned", "raised"):
        yield f"its run is no ground truth: {trace.reason}"
        return
    pairs: dict[str, tuple[Any, Any]] = {
        "id": (problem.id, problem_id(problem.source, problem.call)),
        "entry": (problem.entry, trace.entry),
        "outcome": (problem.outcome, trace.outcome),
        "output": (problem.output, trace.output),
        "exception": (problem.exception, trace.exception),
        "structure": (asdict(problem.structure), asdict(measure(trace))),
    }
    if problem.difficulty and problem.difficulty[-1].source == "estimate":
        estimated = estimate(problem)
        pairs["difficulty"] = (problem.difficulty[-1], estimated)
        pairs["tier"] = (problem.tier, tier_of(estimated))
    if row is not None:
        pairs["trace"] = (row, traces.to_row(problem, trace))
    for name, (said, found) in pairs.items():
        if _plain(said) != _plain(found):
            yield f"{name} is {shorten(repr(said), 120)}, derived again {shorten(repr(found), 120)}"
    for number, question in enumerate(problem.questions, 1):
        if not _follows(question, trace):
            yield f"question {number} ({question.kind}) or its answers do not follow from the run"


def _plain(value: Any) -> Any:
    """Make tuples and lists alike, as files do."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(v) for v in value] if type(value) in (list, tuple) else value


def _follows(question: Question, trace: Trace) -> bool:
    """Tell whether a run leads to a question with its text and its answers."""
    kind = kind_of(question.kind)
    for candidate in kind.candidates(trace):
        if candidate.variable != question.variable or candidate.line != (question.line or 0):
            continue
        made = kind.word(trace, candidate)
        if made is not None and made == question:
            return True
    return False
