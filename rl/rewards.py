"""The rewards with TRL's signature: one float for each completion, None where the machine failed.

:func:`white_box` is stage I's, :func:`unit_tests` stage II's; both take every column of
the dataset as a list. What they compute is :func:`curricula.scoring.score`, the same for
every trainer.

Source: ExecVerify, sections 3.3 and 3.4; docs/rewards.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from curricula.scoring import Reward, score, score_many
from rl.metrics import metrics_of
from tracing.errors import UsageError

__all__ = [
    "Reward",
    "rows_of",
    "score",
    "score_many",
    "unit_tests",
    "unit_tests_async",
    "white_box",
    "white_box_async",
]

_COLUMNS = (
    "row",
    "task",
    "source",
    "entry",
    "call",
    "outcome",
    "output",
    "exception",
    "questions",
    "tests",
)


def rows_of(count: int, columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Put the columns that a reward needs together to rows.

    Args:
        count: How many rows.
        columns: Lists by column name; other keyword arguments of a trainer are ignored.

    Returns:
        A row for each completion.

    Raises:
        UsageError: A column has another length, or none is there.
    """
    used = {name: columns[name] for name in _COLUMNS if columns.get(name) is not None}
    if count and not used:
        raise UsageError(
            "the dataset has none of the columns that the reward needs: "
            "use the stage1 or stage2 config, or see docs/rewards.md"
        )
    for name, column in used.items():
        if len(column) != count:
            raise UsageError(f"the column {name} has {len(column)} rows for {count} completions")
    return [{name: column[place] for name, column in used.items()} for place in range(count)]


def white_box(
    prompts: Sequence[Any],
    completions: Sequence[Any],
    *,
    alpha: float = 0.5,
    gate: bool = False,
    **columns: Any,
) -> list[float | None]:
    """Reward output predictions with step answers, and input predictions (stage I).

    Args:
        prompts: Unused; trainers pass them.
        completions: Texts or conversations.
        alpha: Weight of the step answers, in [0, 1].
        gate: Whether a wrong output earns nothing for its step answers either.
        **columns: The dataset's columns as lists, and what else a trainer passes.

    Returns:
        A reward in [0, 2] for each completion, in order; None where the machine failed.

    Raises:
        UsageError: The dataset has not the columns that it needs.
    """
    rewards = score_many(completions, rows_of(len(completions), columns), alpha=alpha, gate=gate)
    _log(rewards, columns)
    return [reward.total for reward in rewards]


def unit_tests(
    prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
) -> list[float | None]:
    """Reward programs that pass all tests (stage II).

    Args:
        prompts: Unused; trainers pass them.
        completions: Texts or conversations.
        **columns: The dataset's columns as lists, and what else a trainer passes.

    Returns:
        2.0 or 0.0 for each completion, in order; None where the machine failed.

    Raises:
        UsageError: The dataset has not the columns that it needs.
        SandboxLevelError: This system does not reach the level of confinement that is required.
    """
    rows = [{**row, "task": "code"} for row in rows_of(len(completions), columns)]
    rewards = score_many(completions, rows)
    _log(rewards, columns)
    return [reward.total for reward in rewards]


async def white_box_async(
    prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
) -> list[float | None]:
    """Do as :func:`white_box`, in a thread."""
    return await asyncio.to_thread(white_box, prompts, completions, **columns)


async def unit_tests_async(
    prompts: Sequence[Any], completions: Sequence[Any], **columns: Any
) -> list[float | None]:
    """Do as :func:`unit_tests`, in a thread."""
    return await asyncio.to_thread(unit_tests, prompts, completions, **columns)


def _log(rewards: Sequence[Reward], columns: Mapping[str, Any]) -> None:
    """Hand the parts to a trainer that takes them (TRL's ``log_metric`` and ``log_extra``)."""
    metric, extra = columns.get("log_metric"), columns.get("log_extra")
    if callable(extra):
        extra("reason", [reward.reason for reward in rewards])
    if callable(metric) and rewards:
        for name, value in metrics_of(rewards, columns).items():
            metric(name, value)
