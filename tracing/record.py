"""The compact columns of a run: what a tracer sends and what is stored.

Values are kept once, in tables; a step holds only what changed. A record says
nothing that :class:`tracing.Trace` does not understand, and all of what it needs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

from tracing.errors import InfrastructureError

__all__ = ["OUTCOMES", "REASONS", "Record", "from_columns", "from_json", "to_columns", "to_json"]

REASONS = {-1: "unbound", -2: "no_literal", -3: "cyclic", -4: "too_long"}
"""What stands in place of a value's number where there is no value to ask for."""

OUTCOMES = ("returned", "raised", "timeout", "memory", "unsupported")


@dataclass(frozen=True, slots=True)
class Record:
    """One run in columns; steps are numbered from 0 here.

    Attributes:
        outcome: One of :data:`OUTCOMES`.
        reason: Why the outcome is not ``returned`` or ``raised``, or an empty text.
        exception: Type name of the exception that left the entry, or None.
        output: Number of the returned value, or a reason's number.
        lines: Line of each step's unit.
        frames: Frame number of each step, from 1.
        scopes: For each frame, the line of its ``def`` or ``class``.
        raised_at: Steps that ended in an exception.
        raised: The exceptions' type names, one for each of ``raised_at``.
        change_steps: For each change, the step after which it is seen.
        change_names: For each change, the number of the variable's name.
        change_values: For each change, the number of the new value, or a reason's number.
        names: Table of variable names.
        types: Table of the values' type names.
        literals: Table of the values' literals, parallel to ``types``.
        suspended: Frames that never ended (abandoned generators).
        finalisers: Steps that a GeneratorExit made run.
    """

    outcome: str
    reason: str = ""
    exception: str | None = None
    output: int = -1
    lines: tuple[int, ...] = ()
    frames: tuple[int, ...] = ()
    scopes: tuple[int, ...] = ()
    raised_at: tuple[int, ...] = ()
    raised: tuple[str, ...] = ()
    change_steps: tuple[int, ...] = ()
    change_names: tuple[int, ...] = ()
    change_values: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    suspended: tuple[int, ...] = ()
    finalisers: tuple[int, ...] = ()


_INTS = (
    "lines frames scopes raised_at change_steps change_names change_values suspended finalisers"
).split()
_TEXTS = "raised names types literals".split()
_COLUMNS = tuple(field.name for field in fields(Record))


def to_json(record: Record) -> str:
    """Write a record as one line of JSON.

    Args:
        record: Any record.

    Returns:
        Text without line breaks.
    """
    return json.dumps(to_columns(record), separators=(",", ":"))


def to_columns(record: Record) -> dict[str, Any]:
    """Give a record's columns; :func:`from_columns` reads them.

    Args:
        record: Any record.

    Returns:
        Each attribute by its name.
    """
    return {name: getattr(record, name) for name in _COLUMNS}


def from_json(text: str | bytes) -> Record:
    """Read a record from a process that is not trusted.

    Args:
        text: What the process sent.

    Returns:
        The record, consistent in itself.

    Raises:
        InfrastructureError: The text is no record.
    """
    try:
        return from_columns(json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InfrastructureError(f"a worker sent no record: {error}") from None


def from_columns(columns: dict[str, Any]) -> Record:
    """Build a record from plain lists, checking that every number points somewhere.

    Args:
        columns: A list or a scalar for each attribute of :class:`Record`.

    Returns:
        The record.

    Raises:
        ValueError: A column is missing, of a wrong type, or does not fit the others.
    """
    for name in _INTS:
        if not _all_of(columns[name], int):
            raise ValueError(f"{name} holds something else than ints")
    for name in _TEXTS:
        if not _all_of(columns[name], str):
            raise ValueError(f"{name} holds something else than text")
    parts: dict[str, Any] = {
        name: tuple(value) if name in _INTS or name in _TEXTS else value
        for name, value in columns.items()
    }
    record = Record(**parts)
    _check(record)
    return record


def _all_of(values: Any, kind: type) -> bool:
    return isinstance(values, list) and set(map(type, values)) <= {kind}


def _check(record: Record) -> None:
    steps, values = len(record.lines), len(record.literals)
    spans = (
        (record.frames, 1, len(record.scopes)),
        (record.raised_at, 0, steps - 1),
        (record.change_steps, 0, steps - 1),
        (record.change_names, 0, len(record.names) - 1),
        (record.change_values, min(REASONS), values - 1),
        (record.suspended, 1, len(record.scopes)),
        (record.finalisers, 0, steps - 1),
        ((record.output,), min(REASONS), values - 1),
    )
    parallel = (
        (record.frames, record.lines),
        (record.raised, record.raised_at),
        (record.change_names, record.change_steps),
        (record.change_values, record.change_steps),
        (record.types, record.literals),
    )
    if record.outcome not in OUTCOMES or not isinstance(record.reason, str):
        raise ValueError("the outcome is none")
    if any(column and not low <= min(column) <= max(column) <= high for column, low, high in spans):
        raise ValueError("a number points nowhere")
    if any(len(one) != len(other) for one, other in parallel):
        raise ValueError("two columns differ in length")
