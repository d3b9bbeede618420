"""The ``stage1`` config: prompts in TRL's conversational form, with what their reward needs.

Each problem gives two rows: its output with the questions about its run, and its input.
``rl.rewards.white_box`` reads the columns as they stand.

Source: ExecVerify, section 3.3 (output and input prediction, questions about steps).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from curricula import problem as problems
from curricula import prompts
from curricula.problem import Problem

__all__ = ["MESSAGES", "SCHEMA", "TASKS", "to_rows"]

TASKS = ("output", "input")
"""The tasks of a problem, in the order of its rows."""
MESSAGES = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
"""A conversation."""
_NEEDED = ("source", "entry", "call", "outcome", "output", "exception", "questions")
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("family", pa.string()),
        ("tier", pa.string()),
        ("task", pa.string()),
        ("prompt", MESSAGES),
        ("prompt_version", pa.string()),
        *(problems.SCHEMA.field(name) for name in _NEEDED),
    ]
)
"""The columns of the ``stage1`` config."""


def to_rows(problem: Problem) -> Iterator[dict[str, Any]]:
    """Write the tasks of a problem.

    Args:
        problem: Any problem.

    Yields:
        A row that fits :data:`SCHEMA` for each of :data:`TASKS`.
    """
    row = problems.to_row(problem)
    shared = {name: row[name] for name in ("id", "family", "tier", *_NEEDED)}
    shared["prompt_version"] = prompts.VERSION
    yield {**shared, "task": "output", "prompt": prompts.output_prompt(problem)}
    # Questions about a run would tell the arguments that are asked for.
    yield {**shared, "task": "input", "prompt": prompts.input_prompt(problem), "questions": []}
