"""Derives the rows of a problem in the configs beside ``problems`` again, and compares.

``easy``, ``medium``, ``hard``, ``stage1`` and a narrated ``sft`` follow from problem and run
and must be the same, to the letter. What a model wrote must be what would be kept of it:
conversations that agree with the run, replies with the verdict that they get. ``stage2``
follows from all problems of a program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa

from cards.files import rows_of, shards_of
from cards.finding import Finding
from cards.layout import CONFIGS, DEFAULT, SPLITS, TIERS
from curricula import scoring
from curricula.difficulty.base import Count
from curricula.difficulty.grading import without_values
from curricula.difficulty.plan import INPUT
from curricula.narrator.by_model import prompt_of, why_refused
from curricula.narrator.narration import Narration
from curricula.problem import SCHEMA, Problem, from_row, to_row
from curricula.views import sft, stage1, stage2
from tracing import Trace
from tracing.errors import ExecVerifyError, InfrastructureError

__all__ = ["Found", "View", "differences_of_programs", "rows_by_id", "strangers", "views_of"]

Rows = Mapping[tuple[str, str], list[dict[str, Any]]]
"""Rows by their split and the id of their problem."""


@dataclass(frozen=True, slots=True)
class Found:
    """A problem with the run that was made of it, and the split it is in."""

    problem: Problem
    trace: Trace
    split: str


@dataclass(frozen=True, slots=True)
class View:
    """The rows of a config, and what is wrong with those of a problem."""

    name: str
    rows: Rows
    check: Callable[[Found, list[dict[str, Any]]], str]

    def difference(self, it: Found) -> str:
        """Say how a problem's rows differ from what they should be, if they do."""
        what = self.check(it, self.rows.get((it.split, it.problem.id), []))
        return f"its rows in {self.name} {what}" if what else ""


def views_of(place: Path, wanted: set[str], narrator: str | None) -> list[View]:
    """Read the configs that a dataset has beside ``problems``, ``trace`` and ``stage2``.

    Args:
        place: The folder of the dataset.
        wanted: Ids of the problems whose rows are read.
        narrator: The model that wrote ``sft``, or None.

    Returns:
        The views.
    """
    checks: dict[str, Callable[[Found, list[dict[str, Any]]], str]] = {
        tier: _same(SCHEMA, lambda it, t=tier: [to_row(it.problem)] if it.problem.tier == t else [])  # type: ignore[misc]
        for tier in TIERS
    }
    checks["stage1"] = _same(stage1.SCHEMA, lambda it: list(stage1.to_rows(it.problem)))
    checks["sft"] = (
        _same(sft.SCHEMA, lambda it: list(sft.to_rows(it.problem, it.trace)))
        if narrator is None
        else lambda it, rows: _narrated(it, rows, narrator)
    )
    checks["replies"] = _graded
    stored = {name: rows_by_id(place, name, wanted) for name in checks}
    return [View(name, rows, checks[name]) for name, rows in stored.items() if rows is not None]


def rows_by_id(place: Path, config: str, wanted: set[str]) -> Rows | None:
    """Read the rows of some problems in a config; None where there is no such config."""
    paths = {split: shards_of(place, config, split) for split in SPLITS}
    if not any(paths.values()):
        return None
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for split in SPLITS:
        for row in rows_of(paths[split]):
            if row["id"] in wanted:
                found.setdefault((split, row["id"]), []).append(row)
    return found


def _same(
    schema: pa.Schema, make: Callable[[Found], list[dict[str, Any]]]
) -> Callable[[Found, list[dict[str, Any]]], str]:
    def check(it: Found, rows: list[dict[str, Any]]) -> str:
        made = pa.Table.from_pylist(make(it), schema=schema).to_pylist()
        return "" if rows == made else "do not follow from problem and run"

    return check


def _narrated(it: Found, rows: list[dict[str, Any]], narrator: str) -> str:
    """Check what a model wrote as it was checked before it was kept."""
    tasks = [row["task"] for row in rows]
    if tasks != [task for task in stage1.TASKS if task in tasks]:
        return f"are of the tasks {', '.join(map(str, tasks))}"
    for row in rows:
        messages = (row["messages"] or [{}])[-1:]
        reply = messages[0].get("content") or ""
        prompt = prompt_of(it.problem, row["task"])
        said = (*prompt, {"role": "assistant", "content": reply})
        made = sft.to_row(it.problem, Narration(row["task"], "model", said), narrator)
        if [row] != pa.Table.from_pylist([made], schema=sft.SCHEMA).to_pylist():
            return "do not ask what this problem asks, or name another narrator"
        reason = why_refused(reply, it.problem, it.trace, row["task"])
        if reason:
            return f"are not what is kept of a model: {reason}"
    return ""


def _graded(it: Found, rows: list[dict[str, Any]]) -> str:
    """Score replies again, and count them."""
    if not rows:
        return ""  # a problem may be left unanswered; its rate says so
    rated = it.problem.difficulty[-1] if it.problem.difficulty else None
    if rated is None or rated.source != "passrate":
        return "are there, and no rate is"
    if [row["sample"] for row in rows] != list(range(len(rows))):
        return "are not numbered from 0"
    is_input = rated.kinds == (INPUT,)
    asked = () if is_input else tuple(q for q in it.problem.questions if q.kind in rated.kinds)
    row = to_row(replace(it.problem, questions=asked))
    row["task"] = "input" if is_input else "output"
    for said, reward in zip(
        rows, scoring.score_many([r["reply"] for r in rows], [row] * len(rows)), strict=True
    ):
        if reward.total is None:
            continue  # the machine failed, which says nothing
        verdict = (True, "") if reward.total == scoring.HIGHEST else (False, reward.reason)
        if (said["passed"], said["reason"]) != verdict:
            return f"have another verdict for reply {said['sample']} than scoring it again gives"
    counted = rows[: rated.samples]
    failures = Counter(without_values(r["reason"]) for r in counted if r["reason"])
    found = tuple(Count(*item) for item in sorted(failures.items(), key=lambda i: (-i[1], i[0])))
    passes = sum(r["passed"] for r in counted)
    if (len(counted), passes, found) != (rated.samples, rated.passes, rated.reasons):
        return "do not add up to its rate"
    return ""


def differences_of_programs(place: Path, wanted: set[str]) -> Iterator[Finding]:
    """Derive the rows of ``stage2`` again, each of a program with all of its problems.

    Args:
        place: The folder of the dataset.
        wanted: Ids of problems; what their programs gave is derived.

    Yields:
        What is not as the rows say.
    """
    programs: list[tuple[str, list[dict[str, Any]]]] = []
    for split in SPLITS:
        rows = rows_of(shards_of(place, DEFAULT, split))
        for _, group in groupby(rows, key=lambda row: row["source"]):
            problems = list(group)
            if wanted & {row["id"] for row in problems}:
                programs.append((split, problems))
    ids = {row["id"] for _, problems in programs for row in problems}
    stored = rows_by_id(place, "stage2", ids)
    if stored is None:
        return
    for split, problems in programs:
        try:
            made = list(stage2.to_rows(map(from_row, problems)))
        except InfrastructureError:
            raise
        except ExecVerifyError as error:
            yield Finding(problems[0]["id"], f"a row of its program cannot be read: {error}")
            continue
        said = [row for problem in problems for row in stored.get((split, problem["id"]), [])]
        if said != pa.Table.from_pylist(made, schema=stage2.SCHEMA).to_pylist():
            yield Finding(problems[0]["id"], "its rows in stage2 do not follow from its program")


def strangers(place: Path) -> Iterator[Finding]:
    """Find rows whose problem is not in their split of ``problems``.

    Args:
        place: The folder of the dataset.

    Yields:
        A finding for each config and such an id.
    """
    for split in SPLITS:
        known = {row["id"] for row in rows_of(shards_of(place, DEFAULT, split), ["id"])}
        for config in CONFIGS:
            rows = rows_of(shards_of(place, config, split), ["id"])
            for identity in sorted({str(row["id"]) for row in rows} - known):
                yield Finding(
                    identity, f"it has rows in {split} of {config} and is no problem of that split"
                )
