"""Derives problems of a dataset again, from their sources and calls alone.

A problem is run under both tracers. Its row and its run must follow from that, and so must
its rows in the other configs (:mod:`cards.derived_views`). What a model was asked cannot be
asked again: of its replies it is checked what follows from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cards.derived_views import Found, differences_of_programs, rows_by_id, views_of
from cards.files import rows_of, shards_of
from cards.finding import Finding
from cards.layout import DEFAULT, SPLITS
from cards.origins import Origin
from curricula.difficulty.again import rated_again
from curricula.problem import Problem, from_row, problem_id
from curricula.questions import KINDS, Question
from curricula.questions.base import kind_of
from curricula.structure import measure
from curricula.views import trace as traces
from tracing import Trace, run_many
from tracing.errors import ExecVerifyError, shorten

__all__ = ["differences"]


def differences(
    place: Path, chosen: Sequence[str], *, workers: int, narrator: str | None, origin: Origin
) -> Iterator[Finding]:
    """Derive problems of a dataset again, and compare.

    Args:
        place: The folder of the dataset, whose files have our columns.
        chosen: Ids of the problems.
        workers: Programs that are run at the same time.
        narrator: The model that wrote ``sft``; None where the narrator without a model did.
        origin: What the dataset says of the build that made it.

    Yields:
        What is not as the rows say.

    Raises:
        DamagedFileError: A file cannot be read.
        InfrastructureError: No worker can be started.
    """
    wanted = set(chosen)
    problems: list[tuple[str, Problem]] = []
    wrong: set[str] = set()
    for split, row in _rows(place, wanted):
        try:
            problems.append((split, from_row(row)))
        except ExecVerifyError as error:
            wrong.add(row["id"])
            yield Finding(str(row["id"]), f"the row cannot be read: {error}")
    stored = rows_by_id(place, "trace", wanted)
    views = views_of(place, wanted, narrator)
    runs = run_many([(p.source, p.call) for _, p in problems], workers=workers)
    for (split, problem), trace in zip(problems, runs, strict=True):
        told = None if stored is None else stored.get((split, problem.id), [])
        found = list(_differences(problem, trace, told, origin))
        if found:
            wrong.add(problem.id)
        else:
            # A view of a row that is wrong is wrong as well: that is not said twice.
            it = Found(problem, trace, split)
            found = [what for view in views if (what := view.difference(it))]
        yield from (Finding(problem.id, what) for what in found)
    yield from differences_of_programs(place, wanted - wrong)


def _rows(place: Path, wanted: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for split in SPLITS:
        for row in rows_of(shards_of(place, DEFAULT, split)):
            if row["id"] in wanted:
                yield split, row


def _differences(
    problem: Problem, trace: Trace, stored: Sequence[Mapping[str, Any]] | None, origin: Origin
) -> Iterator[str]:
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
    if problem.difficulty:
        again = rated_again(problem)
        pairs["difficulty"] = (problem.difficulty, again.difficulty)
        pairs["tier"] = (problem.tier, again.tier)
    if stored is not None:
        pairs["trace"] = (stored, [traces.to_row(problem, trace)])
    for name, (said, found) in pairs.items():
        if _plain(said) != _plain(found):
            yield f"{name} is {shorten(repr(said), 120)}, derived again {shorten(repr(found), 120)}"
    yield from origin.differences(problem)
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
    if question.kind not in KINDS:
        return False
    kind = kind_of(question.kind)
    for candidate in kind.candidates(trace):
        if candidate.variable != question.variable or candidate.line != (question.line or 0):
            continue
        made = kind.word(trace, candidate)
        if made is not None and made == question:
            return True
    return False
