"""Data files: writing rows to shards, describing them, reading them back in batches.

A shard has row groups of :data:`GROUP_ROWS` and at most :data:`FILE_ROWS` rows; a split
without rows is a file without rows. Same rows, same bytes (for one version of pyarrow).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from cards.errors import DamagedFileError
from cards.layout import data_file
from tracing.errors import shorten

__all__ = [
    "COMPRESSION",
    "FILE_ROWS",
    "GROUP_ROWS",
    "Shards",
    "batches",
    "describe",
    "read_json",
    "reading",
    "rows_of",
    "sha256_of",
    "shards_of",
    "write_json",
]

GROUP_ROWS = 2_000
"""Rows of a Parquet row group."""
FILE_ROWS = 20_000
"""The most rows of a data file."""
COMPRESSION: dict[str, Any] = {"compression": "zstd", "compression_level": 9}
"""How data files are compressed: a seventh smaller than at the level that Arrow takes for itself,
for next to no time."""


class Shards:
    """Writes the rows of one split of one config; use it as a context manager.

    Files get their final names at the end, when their number is known.
    """

    def __init__(self, place: Path, config: str, split: str, schema: pa.Schema) -> None:
        """Begin a split.

        Args:
            place: The folder of the dataset.
            config: The config's name.
            split: The split.
            schema: Its columns.
        """
        self._place, self._config, self._split = place, config, split
        self._schema = schema
        self._pending: pa.Table = schema.empty_table()
        self._writer: pq.ParquetWriter | None = None
        self._files = 0
        self._rows = 0

    def __enter__(self) -> Shards:
        self._place.joinpath("data", self._config).mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is None:
            self._flush(everything=True)
            if self._files == 0:
                self._open()
        self._close()
        if kind is None:
            for number in range(self._files):
                final = data_file(self._config, self._split, number, self._files)
                self._temporary(number).replace(self._place / final)

    def write(self, table: pa.Table) -> None:
        """Add rows.

        Args:
            table: Rows of the schema.
        """
        self._pending = pa.concat_tables([self._pending, table])
        self._flush(everything=False)

    def write_rows(self, rows: Sequence[dict[str, Any]]) -> None:
        """Add rows that are plain dicts.

        Args:
            rows: Rows that fit the schema.
        """
        if rows:
            self.write(pa.Table.from_pylist(list(rows), schema=self._schema))

    def _flush(self, *, everything: bool) -> None:
        while self._pending.num_rows >= GROUP_ROWS or (everything and self._pending.num_rows):
            if self._writer is None or self._rows >= FILE_ROWS:
                self._open()
            group = self._pending.slice(0, GROUP_ROWS).combine_chunks()
            self._pending = self._pending.slice(GROUP_ROWS)
            if self._writer is not None:
                self._writer.write_table(group, row_group_size=GROUP_ROWS)
            self._rows += group.num_rows

    def _open(self) -> None:
        self._close()
        path = self._temporary(self._files)
        self._writer = pq.ParquetWriter(path, self._schema, **COMPRESSION)
        self._files += 1
        self._rows = 0

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _temporary(self, number: int) -> Path:
        return self._place / "data" / self._config / f".{self._split}-{number:05d}.tmp"


def shards_of(place: Path, config: str, split: str) -> list[Path]:
    """List the data files of a split, in order.

    Args:
        place: The folder of the dataset.
        config: The config's name.
        split: The split.

    Returns:
        Their paths.
    """
    return sorted(place.joinpath("data", config).glob(f"{split}-*.parquet"))


def batches(paths: Sequence[Path], columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Read data files in batches of at most :data:`GROUP_ROWS` rows.

    Args:
        paths: The files.
        columns: The columns to read, or None for all.

    Yields:
        The rows, in order.

    Raises:
        DamagedFileError: A file is missing or damaged.
    """
    for path in paths:
        with reading(path), pq.ParquetFile(path) as file:
            yield from file.iter_batches(GROUP_ROWS, columns=columns)


def rows_of(paths: Sequence[Path], columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """Read data files as plain rows, some at a time.

    Args:
        paths: The files.
        columns: The columns to read, or None for all.

    Yields:
        The rows, in order.

    Raises:
        DamagedFileError: A file is missing or damaged.
    """
    for path in paths:
        for batch in batches([path], columns):
            with reading(path):  # a text that is no UTF-8 shows only now
                rows = batch.to_pylist()
            yield from rows


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Say of a file that cannot be read which one it is.

    Args:
        path: The file that is read inside.

    Raises:
        DamagedFileError: It is missing or damaged.
    """
    try:
        yield
    except FileNotFoundError:
        raise DamagedFileError(path, "is missing") from None
    except (OSError, ValueError, KeyError) as error:
        raise DamagedFileError(path, f"is damaged: {shorten(str(error))}") from None


def describe(place: Path) -> dict[str, dict[str, Any]]:
    """Describe all data files of a folder, as a manifest does.

    Args:
        place: The folder.

    Returns:
        Rows, bytes and SHA-256 of each, by its path in the folder.
    """
    return {
        path.relative_to(place).as_posix(): {
            "rows": pq.read_metadata(path).num_rows,
            "bytes": path.stat().st_size,
            "sha256": sha256_of(path),
        }
        for path in sorted(place.glob("data/*/*.parquet"))
    }


def sha256_of(path: Path) -> str:
    """Hash a file.

    Args:
        path: The file.

    Returns:
        Its SHA-256 in hexadecimal.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file that holds an object.

    Args:
        path: The file.

    Returns:
        The object.

    Raises:
        DamagedFileError: It is missing or damaged.
    """
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DamagedFileError(path, "is missing") from None
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedFileError(path, f"is no JSON: {shorten(str(error))}") from None
    if not isinstance(plain, dict):
        raise DamagedFileError(path, "holds no object")
    return plain


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file, the same bytes for the same value.

    Args:
        path: The file.
        value: What JSON can hold.
    """
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
