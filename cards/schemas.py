"""The columns of every config, fixed: no column has another type in another file.

What is missing is null in few places, which are listed here; anywhere else a null is damage.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from cards.errors import DamagedFileError
from cards.files import batches, reading
from cards.layout import DEFAULT, TIERS
from curricula.difficulty.grade import REPLIES
from curricula.problem import NULLABLE, SCHEMA
from curricula.views import sft, stage1, stage2
from curricula.views import trace as traces

__all__ = ["SCHEMAS", "check_file", "null_in"]

SCHEMAS: dict[str, pa.Schema] = {
    **dict.fromkeys((DEFAULT, *TIERS), SCHEMA),
    "trace": traces.SCHEMA,
    "stage1": stage1.SCHEMA,
    "sft": sft.SCHEMA,
    "stage2": stage2.SCHEMA,
    "replies": REPLIES,
}
"""By the config's name."""
_MAY_BE_NULL = NULLABLE | {
    "difficulty.temperature",
    "difficulty.top_p",
    "difficulty.max_tokens",
}
"""Columns, and fields inside of them, that say nothing of some rows."""


def check_file(path: Path, config: str) -> None:
    """Refuse a data file that does not have the columns of its config, or lacks values.

    Args:
        path: The file.
        config: The config.

    Raises:
        DamagedFileError: It is damaged, has other columns, or a null where none may be.
    """
    with reading(path):
        found = pq.read_schema(path)
    if not found.equals(SCHEMAS[config]):
        raise DamagedFileError(path, f"does not have the columns of {config}")
    for batch in batches([path]):
        name = null_in(batch)
        if name:
            raise DamagedFileError(path, f"has a row without {name}")


def null_in(rows: pa.RecordBatch | pa.Table) -> str:
    """Name a column, or a field inside of one, that is null and may not be.

    Args:
        rows: Some rows.

    Returns:
        Its name, like ``"questions.answers"``, or an empty text.
    """
    batches = rows.to_batches() if isinstance(rows, pa.Table) else [rows]
    names = (
        _null_in(batch.column(place), name)
        for batch in batches
        for place, name in enumerate(batch.schema.names)
    )
    return next(filter(None, names), "")


def _null_in(values: pa.Array, name: str) -> str:
    if values.null_count and name not in _MAY_BE_NULL:
        return name
    known = values.drop_null()
    if pa.types.is_list(values.type):
        return _null_in(known.flatten(), name)
    if pa.types.is_struct(values.type):
        inner = (_null_in(known.field(f.name), f"{name}.{f.name}") for f in values.type)
        return next(filter(None, inner), "")
    return ""
