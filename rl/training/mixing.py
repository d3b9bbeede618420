"""Makes the rows that trainers read from problems: TRL's columns, and those of the reward.

What is asked is written by :mod:`curricula.views` and :mod:`curricula.prompts`; here is the
choice of it: which problems, in which directions, with how many questions of each kind.

Source: ExecVerify, sections 3.2 to 3.4.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from curricula.narrator import narrate
from curricula.narrator.narration import Narration, answered
from curricula.problem import Problem
from curricula.questions import Question
from curricula.views import stage1, stage2
from rl.training.configs import StageOneConfig, WarmupConfig
from rl.training.source import Source, SourceError, runs_of

__all__ = ["code_rows", "conversation_rows", "some_of", "white_box_rows"]


def conversation_rows(source: Source, config: WarmupConfig) -> Iterator[dict[str, Any]]:
    """Write the conversations of the warm-up, each when it is taken.

    Args:
        source: The problems.
        config: The seed, and how many conversations will be taken, about.

    Yields:
        Rows with ``prompt`` and ``completion`` in TRL's conversational form, ``task`` and
        ``tier``: all directions of each problem, problems shuffled.
    """
    problems = _drawn(
        source.problems, len(source.problems), random.Random(f"warmup\0{config.seed}")
    )
    # Runs are read from their files for many problems at once.
    chunk = max(1000, config.conversations)
    for first in range(0, len(problems), chunk):
        for problem, said in _conversations(source, problems[first : first + chunk], config):
            yield {
                "prompt": list(said.messages[:-1]),
                "completion": list(said.messages[-1:]),
                "task": said.task,
                "tier": problem.tier,
            }


def _conversations(
    source: Source, problems: Sequence[Problem], config: WarmupConfig
) -> Iterator[tuple[Problem, Narration]]:
    if not config.reasoning:
        yield from (
            (problem, answered(problem, task)) for problem in problems for task in config.tasks
        )
        return
    for problem, trace in runs_of(source, problems):
        for task in config.tasks:
            yield problem, narrate(problem, trace, task)


def white_box_rows(source: Source, config: StageOneConfig) -> list[dict[str, Any]]:
    """Write the mix of stage I.

    Args:
        source: The problems.
        config: How many of each task, and of which questions.

    Returns:
        Rows of the ``stage1`` config, outputs first; a problem may be in both tasks.

    Raises:
        SourceError: There are no such problems.
    """
    rng = random.Random(f"stage1\0{config.seed}")
    most = {"next_statement": config.next_statement, "state": config.state}
    rows = [
        _task_row(_with_questions(problem, most, rng), "output")
        for problem in _drawn(source.problems, config.output_problems, rng)
    ]
    rows += [
        _task_row(problem, "input")
        for problem in _drawn(source.problems, config.input_problems, rng)
    ]
    if not rows:
        raise SourceError(f"{source.name} has no problems for stage I")
    return rows


def code_rows(source: Source) -> Iterator[dict[str, Any]]:
    """Write our own code problems.

    Args:
        source: The problems.

    Yields:
        Rows of the ``stage2`` config, of the programs that can lose a statement.

    Raises:
        InfrastructureError: No worker can be started.
    """
    # The calls of a program must stand together; a build may put others between them.
    groups: dict[str, list[Problem]] = {}
    for problem in source.problems:
        groups.setdefault(problem.source, []).append(problem)
    yield from stage2.to_rows(problem for group in groups.values() for problem in group)


def some_of(rows: Sequence[dict[str, Any]], count: int, seed: int) -> list[dict[str, Any]]:
    """Draw rows of stage II from all of its sets alike, so that none stands before another.

    Args:
        rows: The rows of all sets.
        count: How many; 0 for all.
        seed: Decides which.

    Returns:
        The drawn rows, in the order in which they stood.
    """
    if not 0 < count < len(rows):
        return list(rows)
    places = random.Random(f"stage2\0{seed}").sample(range(len(rows)), count)
    return [rows[place] for place in sorted(places)]


def _drawn(problems: Sequence[Problem], count: int, rng: random.Random) -> list[Problem]:
    """Draw problems; those that are there keep no order."""
    return rng.sample(list(problems), min(count, len(problems)))


def _with_questions(problem: Problem, most: Mapping[str, int], rng: random.Random) -> Problem:
    """Keep so many questions of each kind, in the order in which they are asked."""
    kept: list[Question] = []
    for kind, count in most.items():
        asked = [question for question in problem.questions if question.kind == kind]
        kept += rng.sample(asked, min(count, len(asked)))
    inside = set(map(id, kept))
    return replace(problem, questions=tuple(q for q in problem.questions if id(q) in inside))


def _task_row(problem: Problem, task: str) -> dict[str, Any]:
    return next(row for row in stage1.to_rows(problem) if row["task"] == task)
