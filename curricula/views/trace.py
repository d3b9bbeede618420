"""The ``trace`` config: the whole run of each problem in compact columns, joined by id.

Lossless: :func:`from_row` gives the very :class:`tracing.Trace`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pyarrow as pa

from curricula.problem import Problem
from tracing import Trace
from tracing.errors import ExecVerifyError
from tracing.record import Record, from_columns, to_columns

__all__ = ["SCHEMA", "from_row", "to_row"]

_INT = pa.list_(pa.int32())
_TEXT = pa.list_(pa.string())
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("family", pa.string()),
        ("outcome", pa.string()),
        ("reason", pa.string()),
        ("exception", pa.string()),
        # A number of the value tables below.
        ("output", pa.int32()),
        ("lines", _INT),
        ("frames", _INT),
        ("scopes", _INT),
        ("raised_at", _INT),
        ("raised", _TEXT),
        ("change_steps", _INT),
        ("change_names", _INT),
        ("change_values", _INT),
        ("names", _TEXT),
        ("types", _TEXT),
        ("literals", _TEXT),
        ("suspended", _INT),
        ("finalisers", _INT),
    ]
)
"""The columns of the ``trace`` config: those of :class:`tracing.record.Record`."""

_COLUMNS = tuple(field.name for field in fields(Record))


def to_row(problem: Problem, trace: Trace) -> dict[str, Any]:
    """Write a run as a row.

    Args:
        problem: The problem that it belongs to.
        trace: The run of its call.

    Returns:
        A row that fits :data:`SCHEMA`.
    """
    return {"id": problem.id, "family": problem.family, **to_columns(trace.record)}


def from_row(row: Mapping[str, Any], source: str, call: str) -> Trace:
    """Rebuild a run from its row.

    Args:
        row: A row of the ``trace`` config.
        source: The problem's program.
        call: The problem's call.

    Returns:
        The trace, which answers as the first one did.

    Raises:
        ExecVerifyError: The row is not consistent in itself.
    """
    try:
        columns = {name: row[name] for name in _COLUMNS}
        return Trace(source, call, from_columns(columns))
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise ExecVerifyError(f"row {row.get('id')} is no trace: {error}") from None
