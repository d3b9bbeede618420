"""What an export is, the registry of formats, and what several of them share.

A format is one file of this package: a function that writes files from a staged folder,
registered with the configs that it needs.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from cards.files import COMPRESSION, GROUP_ROWS, batches, rows_of, shards_of
from cards.folders import new_folder
from cards.layout import SPLITS
from cards.staging import stage
from tracing.errors import UsageError, shorten

__all__ = [
    "EXPORTS",
    "Export",
    "copy_splits",
    "export",
    "export_format",
    "reward_row",
    "splits_of",
    "write_jsonl",
    "write_parquet",
]

Writer = Callable[[Path, Path], Iterable[Path]]
"""Writes files into the second folder from the staged first one, and names them."""


@dataclass(frozen=True, slots=True)
class Export:
    """A format.

    Attributes:
        name: Its name.
        needs: The configs that it is made from.
        write: Writes it.
    """

    name: str
    needs: tuple[str, ...]
    write: Writer


EXPORTS: dict[str, Export] = {}
"""The formats by name."""


def export_format(name: str, *, needs: tuple[str, ...]) -> Callable[[Writer], Writer]:
    """Register the writer of a format.

    Args:
        name: Its name, as for ``synth export --format``.
        needs: The configs that it is made from.

    Returns:
        A decorator.
    """

    def register(write: Writer) -> Writer:
        EXPORTS[name] = Export(name, needs, write)
        return write

    return register


def export(dataset: Any, format: str, path: Path | str) -> list[Path]:
    """Write a dataset in the form of another trainer.

    Args:
        dataset: A ``DatasetDict`` as ``synth.build_curriculum`` gives it, or a folder that
            ``synth build`` wrote.
        format: A key of :data:`EXPORTS`; hyphens are read as underscores.
        path: A folder that is empty or missing.

    Returns:
        The files that were written.

    Raises:
        UsageError: There is no such format, or the folder has something in it.
        DatasetError: The dataset is not what a build makes.
    """
    name = format.replace("-", "_") if isinstance(format, str) else ""
    if name not in EXPORTS:
        raise UsageError(
            f"there is no export format {shorten(repr(format))}; choose of {', '.join(EXPORTS)}"
        )
    chosen = EXPORTS[name]
    with (
        new_folder(path) as out,
        tempfile.TemporaryDirectory(prefix="execverify-") as temporary,
    ):
        place = stage(dataset, Path(temporary) / "staged", configs=chosen.needs)
        written = [file.relative_to(out) for file in chosen.write(place, out)]
    return [Path(path) / name for name in written]


def splits_of(place: Path, config: str) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """Give the splits of a config that have rows, with their rows.

    Args:
        place: A staged folder.
        config: The config.

    Yields:
        The split's name and its rows.
    """
    for split in SPLITS:
        paths = shards_of(place, config, split)
        if paths:
            yield split, rows_of(paths)


def reward_row(row: dict[str, Any]) -> str:
    """Write what a reward needs of a row as JSON text.

    Args:
        row: A row of ``stage1`` or ``stage2``.

    Returns:
        The columns that :func:`rl.rewards.score` reads.
    """
    needed = ("task", "source", "entry", "call", "outcome", "output", "exception", "questions")
    names = ("task", "entry", "tests") if row["task"] == "code" else needed
    return json.dumps({name: row[name] for name in names}, ensure_ascii=False)


def copy_splits(place: Path, config: str, out: Path) -> Iterator[Path]:
    """Write each split of a config as one Parquet file.

    Args:
        place: A staged folder.
        config: The config.
        out: Where to write.

    Yields:
        The files.
    """
    for split in SPLITS:
        paths = shards_of(place, config, split)
        if paths:
            target = out / f"{split}.parquet"
            with pq.ParquetWriter(target, pq.read_schema(paths[0]), **COMPRESSION) as writer:
                for batch in batches(paths):
                    writer.write_batch(batch, row_group_size=GROUP_ROWS)
            yield target


def write_parquet(path: Path, rows: Iterable[dict[str, Any]], schema: pa.Schema) -> Path:
    """Write rows as one Parquet file, some at a time.

    Args:
        path: The file.
        rows: The rows.
        schema: Their columns.

    Returns:
        The file.
    """
    pending: list[dict[str, Any]] = []
    with pq.ParquetWriter(path, schema, **COMPRESSION) as writer:
        for row in rows:
            pending.append(row)
            if len(pending) == GROUP_ROWS:
                writer.write_table(pa.Table.from_pylist(pending, schema=schema))
                pending = []
        if pending:
            writer.write_table(pa.Table.from_pylist(pending, schema=schema))
    return path


def write_jsonl(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """Write rows as JSON lines.

    Args:
        path: The file.
        rows: The rows.

    Returns:
        The file.
    """
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            # Line separators of Unicode end a line for some readers; escapes do not.
            file.write(json.dumps(row, ensure_ascii=True) + "\n")
    return path
