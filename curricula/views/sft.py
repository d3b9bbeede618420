"""The ``sft`` config: conversations whose reasoning walks through the run, both directions.

Each problem gives one from its call to its outcome and one from its outcome to a call.

Source: ExecVerify, section 3.2 (15,000 conversations of each direction).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from curricula import prompts
from curricula.narrator import VERSION, Narration, narrate
from curricula.problem import Problem
from curricula.views.stage1 import MESSAGES, TASKS
from tracing import Trace

__all__ = ["NARRATOR", "SCHEMA", "to_row", "to_rows"]

NARRATOR = f"template:{VERSION}"
"""Who wrote the reasoning, where no model did."""
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("family", pa.string()),
        ("tier", pa.string()),
        ("task", pa.string()),
        ("messages", MESSAGES),
        ("style", pa.string()),
        ("narrator", pa.string()),
        ("prompt_version", pa.string()),
    ]
)
"""The columns of the ``sft`` config."""


def to_rows(problem: Problem, trace: Trace) -> Iterator[dict[str, Any]]:
    """Write the conversations about a problem.

    Args:
        problem: Any problem.
        trace: The run of its call.

    Yields:
        A row that fits :data:`SCHEMA` for each direction.
    """
    for task in TASKS:
        yield to_row(problem, narrate(problem, trace, task), NARRATOR)


def to_row(problem: Problem, narration: Narration, narrator: str) -> dict[str, Any]:
    """Write one conversation.

    Args:
        problem: The problem.
        narration: The conversation.
        narrator: Who wrote it.

    Returns:
        A row that fits :data:`SCHEMA`.
    """
    return {
        "id": problem.id,
        "family": problem.family,
        "tier": problem.tier,
        "task": narration.task,
        "messages": list(narration.messages),
        "style": narration.style,
        "narrator": narrator,
        "prompt_version": prompts.VERSION,
    }
