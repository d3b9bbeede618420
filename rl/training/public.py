"""Public sets of code problems with tests, read into the one schema of stage II.

Where a set has reference solutions, a problem whose own solution fails its tests is refused.
So is one whose tests a program could pass without solving it: a prompt shows the first test,
and what is kept back must be two tests at least, which do not all ask for the same. Everything
that is refused is counted, by reason.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from curricula import prompts
from curricula.scoring.rows import read_row
from curricula.scoring.testing import run_tests, same_output
from rl.evaluation.benchmarks.reading import Line, read_lines, version_of
from rl.training.forms import FORMS, CodeProblem, Refused, Test
from tracing.errors import ExecVerifyError, UsageError, shorten

__all__ = ["Public", "public_rows"]

_SHOWN = 1
"""Tests that the prompt shows."""


@dataclass(frozen=True, slots=True)
class Public:
    """What was read of a public set.

    Attributes:
        rows: Rows with ``prompt``, ``task``, ``entry``, ``tests``, ``tier`` and ``id``.
        revision: A hash of what was read.
        refused: How many rows were refused, by reason.
    """

    rows: tuple[dict[str, Any], ...]
    revision: str
    refused: Mapping[str, int]


def public_rows(told: str, *, most_tests: int = 20) -> Public:
    """Read a public set.

    Args:
        told: ``FORM:WHERE``, one of :data:`FORMS` and a JSONL or parquet file or a name on the
            Hub, whose train split is read.
        most_tests: Most tests of a problem, at least 3; the first ones are kept.

    Returns:
        Its problems that can be learned from.

    Raises:
        UsageError: There is no such form.
        ExecVerifyError: It cannot be read, or every row of it is refused.
        SandboxLevelError: This system cannot confine programs as is required.
    """
    name, colon, where = told.partition(":")
    if not colon or not where or name not in FORMS:
        raise UsageError(
            f"a public set is FORM:WHERE with the form {', '.join(FORMS)}, "
            f"not {shorten(repr(told), 120)}"
        )
    lines = read_lines(where, split="train")
    refused: Counter[str] = Counter()

    def taken(numbered: tuple[int, Line]) -> dict[str, Any] | str:
        number, line = numbered
        try:
            return _row(f"{name}-{number}", FORMS[name](line), most_tests)
        except Refused as why:
            return str(why)

    rows = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        for row in threads.map(taken, enumerate(lines, 1)):
            if isinstance(row, str):
                refused[row] += 1
            else:
                rows.append(row)
    if not rows:
        said = ", ".join(f"{why} {count}" for why, count in refused.most_common())
        raise ExecVerifyError(f"no row of {shorten(told, 120)} can be learned from: {said}")
    return Public(tuple(rows), version_of(lines), dict(refused))


def _row(name: str, problem: CodeProblem, most_tests: int) -> dict[str, Any]:
    """Write a problem as a row of stage II, if its own solution passes."""
    tests = tuple(dict.fromkeys(problem.tests))[:most_tests]
    if not tests:
        raise Refused("no test that can be checked")
    _check_kept_back(tests[_SHOWN:], bool(problem.entry))
    row = {
        "id": name,
        "tier": problem.tier,
        "task": "code",
        "prompt": prompts.code_prompt(problem.description, problem.entry, tests[:_SHOWN]),
        "prompt_version": prompts.VERSION,
        "entry": problem.entry,
        "tests": [{"input": given, "output": result} for given, result in tests],
    }
    if problem.solution:
        verdict = run_tests(problem.solution, read_row(row))
        if verdict.is_infrastructure:
            raise Refused("its solution could not be run")
        if verdict.fraction < 1.0:
            raise Refused("its own solution fails its tests")
    return row


def _check_kept_back(tests: Sequence[Test], is_call: bool) -> None:
    """Refuse tests that the shown one, written into a program, and a constant would pass."""
    if len(tests) < 2:
        raise Refused("fewer than two tests to keep back")
    (_, first), *others = tests
    if all(first == other if is_call else same_output(first, other) for _, other in others):
        raise Refused("tests that are kept back all ask for the same")
