"""Makes problems of a model's own programs: those that passed their tests are run and asked about.

Stage II teaches a model to write programs; what it wrote right it may then be asked about,
as in stage I. A program is proved like any other: run under both tracers, or refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from curricula.problem import Problem
from curricula.scoring import HIGHEST, score_many
from curricula.scoring.completion import Unreadable, answer_of, code_of
from curricula.scoring.rows import read_row
from synth.problems import problem_from
from tracing.errors import GroundTruthError, UsageError

__all__ = ["problems_of"]


def problems_of(
    completions: Sequence[Any],
    rows: Sequence[Mapping[str, Any]],
    *,
    seed: int = 0,
    kinds: Sequence[str] | None = None,
    questions: int = 10,
) -> list[Problem | None]:
    r"""Ask about programs that a model wrote.

    Args:
        completions: Texts or conversations, each an answer to a code problem.
        rows: Its row of the ``stage2`` config, for each; a function is called by its tests.
        seed: Decides which questions are picked.
        kinds: Question kinds to ask, or None for all.
        questions: The most questions of a problem.

    Returns:
        For each completion a problem of the first test's call whose run is ground truth; None
        where the program fails a test, reads standard input, gives no ground truth, or is that
        of an earlier completion.

    Raises:
        UsageError: There are not as many rows as completions, or one is no code problem's.
        SandboxLevelError: This system does not reach the level of confinement that is required.

    Example:
        >>> row = {"entry": "f", "tests": [{"input": "3", "output": "4"}]}
        >>> right, wrong = (f"<answer>def f(x):\n    return x + {n}</answer>" for n in (1, 2))
        >>> [p and p.call for p in problems_of([right, wrong], [row, row])]
        ['f(3)', None]
    """
    if len(completions) != len(rows):
        raise UsageError(f"there are {len(rows)} rows for {len(completions)} completions")
    code_rows = [{**row, "task": "code"} for row in rows]
    firsts = _firsts(completions, code_rows)
    chosen = [(completions[place], code_rows[place]) for place in firsts]
    rewards = score_many([completion for completion, _ in chosen], [row for _, row in chosen])
    made: list[Problem | None] = [None] * len(completions)
    known: set[str] = set()
    for place, (completion, row), reward in zip(firsts, chosen, rewards, strict=True):
        if reward.total != HIGHEST:
            continue
        read = read_row(row)
        calls = [f"{read.entry}({test.input})" for test in read.tests] if read.entry else []
        source = code_of(answer_of(completion)) + "\n"
        problem = _first(source, calls, seed=seed, kinds=kinds, questions=questions)
        # Rows that are not alike may share their first test.
        if problem is not None and problem.id not in known:
            known.add(problem.id)
            made[place] = problem
    return made


def _firsts(completions: Sequence[Any], rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Give the places of answers that no earlier one to the same row repeats.

    A model that has learned a problem writes its program in every epoch.
    """
    places: dict[tuple[str, str], int] = {}
    for place, (completion, row) in enumerate(zip(completions, rows, strict=True)):
        try:
            code = code_of(answer_of(completion)).strip()
        except Unreadable:
            continue
        places.setdefault((code, json.dumps(row, sort_keys=True, default=str)), place)
    return list(places.values())


def _first(source: str, calls: Iterable[str], **asked: Any) -> Problem | None:
    """Make a problem of the first call whose run is ground truth."""
    for call in calls:
        try:
            return problem_from(source, call, **asked)
        except GroundTruthError:
            continue
    return None
