"""What an executor is, and the registry of their names.

An executor makes shards, in any order, on whatever it has; a shard is the same
wherever it is made. It is one file of this package.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from synth.spec import Spec
from tracing.errors import UsageError, shorten

__all__ = ["EXECUTORS", "Executor", "ShardReport", "cores", "executor_of"]


@dataclass(frozen=True, slots=True)
class ShardReport:
    """What became of one shard.

    Attributes:
        number: The shard, from 0.
        problems: Problems that it holds.
        counts: How many programs were tried, kept and refused, by reason.
        quarantined: Sources of programs that ended a worker twice.
    """

    number: int
    problems: int
    counts: dict[str, int] = field(default_factory=dict)
    quarantined: tuple[str, ...] = ()


Executor = Callable[[Spec, Iterable[int], Path, int | None, str], Iterator[ShardReport]]
"""Makes shards: (spec, numbers, folder, workers, address) to reports as they are done.

Workers are None where as many are meant as there are cores where the work is done."""

EXECUTORS: dict[str, str] = {"local": "synth.executors.local", "ray": "synth.executors.ray"}
"""Modules of the executors by name; each has a function ``make_shards``."""


def cores() -> int:
    """Count the cores of this machine that this process may use."""
    return len(os.sched_getaffinity(0))


def executor_of(text: str) -> tuple[Executor, str]:
    """Find an executor.

    Args:
        text: Its name, and after a colon its address if it has one (``"ray:auto"``).

    Returns:
        Its function and the address.

    Raises:
        UsageError: There is none of that name.
    """
    from importlib import import_module

    name, _, address = text.partition(":")
    if name not in EXECUTORS:
        raise UsageError(
            f"there is no executor {shorten(repr(name))}; choose {' or '.join(EXECUTORS)}"
        )
    made: Executor = import_module(EXECUTORS[name]).make_shards
    return made, address
