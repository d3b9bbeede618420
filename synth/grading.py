"""The shards in which a folder is graded, and where their replies are kept.

A shard is up to a thousand problems of one data file. Each has a journal of its own in a hidden
folder beside the one that is graded, so several processes can ask about different shards, and
none has to know more than its own. Nothing is asked here, nor is the folder changed.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curricula.problem import SCHEMA, Problem, from_row
from synth import folder as folders
from synth import work
from tracing.errors import ExecVerifyError, UsageError, shorten

__all__ = [
    "SHARD_ROWS",
    "Shard",
    "chosen",
    "columns_of",
    "forget",
    "journals_of",
    "locked",
    "shards_of",
]

SHARD_ROWS = 1_000
"""The most problems of a shard."""
_JOURNALS = "shard-*.jsonl"


@dataclass(frozen=True, slots=True)
class Shard:
    """Rows of a data file that are asked about together.

    Attributes:
        number: Its number over the folder, from 0.
        folder: The folder that is graded.
        split: The split that it is of.
        file: The data file, by its path in the folder.
        first: Its first row in that file.
        rows: How many rows it has.
    """

    number: int
    folder: Path
    split: str
    file: str
    first: int
    rows: int

    @property
    def journal(self) -> Path:
        """The file that keeps its replies."""
        return journals_of(self.folder) / f"shard-{self.number:06d}.jsonl"

    def problems(self) -> Iterator[Problem]:
        """Read its problems, when they are needed and not before.

        Raises:
            FolderError: The file or a row is damaged.
        """
        for number, row in enumerate(self.table().to_pylist(), self.first + 1):
            try:
                yield from_row(row)
            except ExecVerifyError as error:
                raise folders.FolderError(f"{self.file}, row {number}: {error}") from None

    def table(self) -> pa.Table:
        """Read its rows, and no more than the row groups that hold them.

        Raises:
            FolderError: The file is missing or damaged.
        """
        path = self.folder / self.file
        try:
            with pq.ParquetFile(path) as file:
                groups, skipped = _groups(file.metadata, self.first, self.first + self.rows)
                table = file.read_row_groups(groups)
        except (OSError, ValueError) as error:
            raise folders.FolderError(
                f"{shorten(str(path), 120)} is damaged: {shorten(str(error))}"
            ) from None
        return table.slice(self.first - skipped, self.rows).replace_schema_metadata(None)


def _groups(metadata: pq.FileMetaData, first: int, last: int) -> tuple[list[int], int]:
    """Find the row groups that hold the rows from a first to before a last, and what is skipped."""
    found, before, skipped = [], 0, 0
    for number in range(metadata.num_row_groups):
        after = before + metadata.row_group(number).num_rows
        if before < last and after > first:
            found.append(number)
        elif not found:
            skipped = after
        before = after
    return found, skipped


def shards_of(folder: Path) -> list[Shard]:
    """Cut a folder's problems into shards: train first, each data file by itself.

    Args:
        folder: A folder that ``synth build`` wrote.

    Returns:
        The shards in the order of their numbers and rows.

    Raises:
        FolderError: The folder is none, or its files have columns that are none of problems.
    """
    made: list[Shard] = []
    files = folders.manifest_of(folder)["files"]
    for split in folders.SPLITS:
        columns_of(folder, split)  # before a model is asked for nothing
        for file in _files(folder, split):
            rows = files[file]["rows"]
            for first in range(0, rows, SHARD_ROWS):
                count = min(SHARD_ROWS, rows - first)
                made.append(Shard(len(made), folder, split, file, first, count))
    return made


def columns_of(folder: Path, split: str) -> pa.Schema:
    """Give the columns of a split's problems.

    Args:
        folder: A folder that ``synth build`` wrote.
        split: The split.

    Returns:
        Their names and types, the same in each of its data files.

    Raises:
        FolderError: There is no file; one lacks a column, or has others than the next.
    """
    files = _files(folder, split)
    if not files:
        raise folders.FolderError(f"{shorten(str(folder))} has no {split} split of problems")
    schemas = [pq.read_schema(folder / file).remove_metadata() for file in files]
    for file, schema in zip(files, schemas, strict=True):
        missing = [name for name in SCHEMA.names if name not in schema.names]
        if missing:
            raise folders.FolderError(f"{file} has no column {', '.join(missing)}")
        if not schema.equals(schemas[0]):
            raise folders.FolderError(f"{file} has other columns than {files[0]}")
    return schemas[0]


def _files(folder: Path, split: str) -> list[str]:
    files = folders.manifest_of(folder)["files"]
    return sorted(name for name in files if name.startswith(f"data/problems/{split}-"))


def chosen(shards: Sequence[Shard], numbers: Sequence[int]) -> list[Shard]:
    """Choose shards by their numbers.

    Args:
        shards: All shards of a folder.
        numbers: The numbers; those after the last shard's are passed over, so that the tasks
            of an array may all have ranges of the same length.

    Returns:
        These, in their order.

    Raises:
        UsageError: The folder has no such shard.
    """
    found = [number for number in sorted(set(numbers)) if 0 <= number < len(shards)]
    if not found:
        raise UsageError(
            f"the folder has the shards 0 to {len(shards) - 1}, of up to {SHARD_ROWS:,} problems "
            "each; choose of these"
        )
    return [shards[number] for number in found]


def journals_of(folder: Path) -> Path:
    """Name the place that keeps the replies of a folder's grading.

    Args:
        folder: The folder.

    Returns:
        A hidden folder beside it.
    """
    return folder.parent / f".{folder.name}.replies"


@contextmanager
def locked(folder: Path, *, alone: bool) -> Iterator[None]:
    """Hold the place of the journals, which is made where there is none.

    Args:
        folder: The folder that is graded.
        alone: Whether no other process may grade it at the same time.

    Yields:
        Nothing, while it is held.

    Raises:
        UsageError: Another process grades the folder, or something else is in the way.
    """
    place = journals_of(folder)
    try:
        place.mkdir(exist_ok=True)
    except FileExistsError:
        raise UsageError(
            f"{shorten(str(place), 120)} is no folder, so no replies can be kept there; "
            "move it away"
        ) from None
    with work.locked(place, fcntl.LOCK_EX if alone else fcntl.LOCK_SH, "keeps replies in"):
        try:
            yield
        finally:
            if alone and not any(place.glob(_JOURNALS)):
                _clear(place)  # nothing came of it


def forget(folder: Path) -> None:
    """Remove the journals of a folder that was graded, and nothing else.

    Args:
        folder: The folder.
    """
    place = journals_of(folder)
    gone = place.with_name(f"{place.name}.done")
    _clear(gone)  # if a kill left it
    place.rename(gone)  # all at once: what a kill left of them would be a run to go on with
    _clear(gone)


def _clear(place: Path) -> None:
    for journal in place.glob(_JOURNALS):
        journal.unlink()
    (place / "lock").unlink(missing_ok=True)
    with suppress(OSError):  # somebody keeps more in it
        place.rmdir()
