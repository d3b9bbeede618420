"""Derives everything in a folder again, in fresh processes, and says what differs.

Trusts nothing but each row's source and call: hashes, run, questions, answers, measures,
estimate, tier and split are made anew. Difficulty that was measured on a model cannot be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from cards.finding import Finding
from curricula.difficulty.again import rated_again
from curricula.family import family
from curricula.problem import Problem, from_row, to_row
from synth import folder as folders
from synth.problems import make_problem, why_no_ground_truth
from synth.spec import check_int
from tracing import Trace, run_many
from tracing.errors import ExecVerifyError, shorten

__all__ = ["Finding", "check_files", "check_folder", "check_rows"]

_BATCH = 64


def check_folder(folder: Path, *, workers: int = 1) -> Iterator[Finding | int]:
    """Check every file and row of a finished build.

    Args:
        folder: The folder.
        workers: How many programs are run at the same time.

    Yields:
        Findings, and after each batch the number of rows checked so far.

    Raises:
        UsageError: It is no folder of a finished build, or the number makes no sense.
    """
    check_int("workers", workers, 1, 1024)
    manifest = folders.manifest_of(folder)
    yield from check_files(folder, manifest["files"])
    spec = (manifest["build"] or {}).get("spec", {})
    checked = 0
    rows = iter(folders.split_rows(folder))
    while batch := list(islice(rows, _BATCH)):
        for split, row in batch:
            if folders.split_of(str(row["family"])) != split:
                yield Finding(str(row["id"]), f"its family does not belong to {split}")
        yield from check_rows(
            [row for _, row in batch],
            kinds=spec.get("kinds"),
            questions=spec.get("questions", 10),
            workers=workers,
        )
        checked += len(batch)
        yield checked


def check_files(folder: Path, files: Mapping[str, Any]) -> Iterator[Finding]:
    """Check that the files of a finished build are what its manifest says.

    Args:
        folder: The folder.
        files: What the manifest says of each.

    Yields:
        A finding for each file that is not.
    """
    for name, facts in sorted(files.items()):
        path = folder / name
        if not path.is_file():
            yield Finding(name, "the file is missing")
        elif folders.sha256_of(path) != facts["sha256"]:
            yield Finding(name, "its SHA-256 is not what manifest.json says")
        elif (found := _counted(path)) != (facts["rows"], facts["bytes"]):
            yield Finding(
                name,
                f"it has {found[0]:,} rows in {found[1]:,} bytes, and manifest.json says "
                f"{facts['rows']:,} in {facts['bytes']:,}",
            )
    known = {str(folder / name) for name in files}
    for path in sorted(folder.glob("data/**/*.parquet")):
        if str(path) not in known:
            yield Finding(str(path.relative_to(folder)), "manifest.json does not know this file")


def _counted(path: Path) -> tuple[int, int]:
    return folders.read_columns(path, []).num_rows, path.stat().st_size


def check_rows(
    rows: Iterable[dict[str, Any]],
    *,
    kinds: Iterable[str] | None = None,
    questions: int = 10,
    workers: int = 1,
) -> Iterator[Finding]:
    """Derive rows again and compare them column by column.

    Args:
        rows: Rows of the ``problems`` config.
        kinds: Question kinds that the build asked for, or None for all.
        questions: The most questions of a problem in that build.
        workers: How many programs are run at the same time.

    Yields:
        A finding for each column of a row that differs.
    """
    readable: list[Problem] = []
    for row in rows:
        try:
            readable.append(from_row(row))
        except ExecVerifyError as error:
            yield Finding(str(row.get("id")), f"the row cannot be read: {error}")
    traces = run_many([(p.source, p.call) for p in readable], workers=workers)
    for problem, trace in zip(readable, traces, strict=True):
        for what in _differences(problem, trace, kinds, questions):
            yield Finding(problem.id, what)


def _differences(
    problem: Problem, trace: Trace, kinds: Iterable[str] | None, questions: int
) -> Iterator[str]:
    reason = why_no_ground_truth(trace)
    if reason is not None:
        yield f"its run is no ground truth: {reason}"
        return
    again = make_problem(
        trace,
        shape=problem.shape,
        provenance=problem.provenance,
        kinds=None if kinds is None else tuple(kinds),
        questions=questions,
        family_name=family(problem.source),
    )
    # What a model was asked cannot be asked again: its rates must follow from their counts.
    rated = rated_again(replace(again, difficulty=problem.difficulty or again.difficulty))
    stored, derived = to_row(problem), to_row(rated)
    for column, value in stored.items():
        if value != derived[column]:
            yield (
                f"{column} is {shorten(repr(value), 120)}, "
                f"derived again {shorten(repr(derived[column]), 120)}"
            )
