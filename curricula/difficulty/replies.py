"""The replies of a grading run as a table: the ``replies`` config."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from curricula.difficulty.journal import entries_of

__all__ = ["REPLIES", "replies"]

REPLIES = pa.schema(
    [
        ("id", pa.string()),
        ("sample", pa.int32()),
        ("reply", pa.string()),
        ("passed", pa.bool_()),
        ("reason", pa.string()),
    ]
)
"""The columns of the ``replies`` config: a row for each reply."""


def replies(journal: str | Path, ids: Sequence[str] | None = None) -> pa.Table:
    """Read what a model replied, as the table of the ``replies`` config.

    Args:
        journal: The file that a run wrote.
        ids: The problems whose replies are read, in whose order; None for all, by their ids.

    Returns:
        A row for each reply, with the columns of :data:`REPLIES`, in the order of problem and
        sample.

    Raises:
        ExecVerifyError: The file is no journal.
    """
    places = {name: place for place, name in enumerate(ids or ())}
    entries = [
        entry for entry in entries_of(Path(journal)) if ids is None or entry.problem in places
    ]
    entries.sort(key=lambda entry: (places.get(entry.problem, 0), entry.problem, entry.first))
    rows = [
        {
            "id": entry.problem,
            "sample": entry.first + place,
            # Parquet holds whole characters only; a model may break one in two.
            "reply": reply.encode("utf-8", "replace").decode(),
            "passed": reason == "",
            "reason": reason,
        }
        for entry in entries
        for place, (reply, reason) in enumerate(zip(entry.replies, entry.reasons, strict=True))
    ]
    return pa.Table.from_pylist(rows, schema=REPLIES)
