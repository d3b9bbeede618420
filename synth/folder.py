"""The folder of a finished build: its files, their hashes, and how to read it.

Nothing is written in place: files are written to a temporary name, forced to disk
and renamed, and the folder itself appears whole, by one rename, once all in it is on disk.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from cards.files import sha256_of
from cards.layout import SPLITS, data_file
from curricula.problem import SCHEMA, Problem, from_row
from synth.manifest import FolderError, manifest_of
from tracing.errors import ExecVerifyError, UsageError, shorten

if TYPE_CHECKING:
    from datasets import DatasetDict

__all__ = [
    "SPLITS",
    "FolderError",
    "data_file",
    "described",
    "find_problem",
    "load",
    "manifest_of",
    "problems",
    "read_columns",
    "remove",
    "sha256_of",
    "split_of",
    "split_rows",
    "sync",
    "sync_all",
    "umask",
    "write_json",
]


def split_of(family: str) -> str:
    """Choose the split of a program family, so that no relative crosses.

    Args:
        family: The family's hexadecimal hash.

    Returns:
        ``"train"`` (90%), ``"validation"`` or ``"test"`` (5% each), by the hash alone.
    """
    place = int(hashlib.sha256(f"split {family}".encode()).hexdigest()[:8], 16) % 100
    return "train" if place < 90 else "validation" if place < 95 else "test"


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file whole: to a temporary name, to disk, renamed.

    Args:
        path: The file.
        value: What JSON can hold.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            json.dump(value, file, indent=2, sort_keys=True, ensure_ascii=False)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def remove(path: Path) -> None:
    """Remove a file or a folder with all in it, if it is there.

    Args:
        path: The place.
    """
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def sync(place: Path) -> None:
    """Force a file's content or the names in a folder to disk, to outlive a loss of power.

    Args:
        place: The file or folder.
    """
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_all(folder: Path) -> None:
    """Force a folder with all in it to disk, before a rename makes it visible.

    Args:
        folder: The folder.
    """
    for place in (*folder.rglob("*"), folder):
        if place.is_file() or place.is_dir():
            sync(place)


def umask() -> int:
    """Give the process's mask for the permissions of what it makes."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def described(place: Path, rows: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """Describe data files as a manifest does.

    Args:
        place: The folder.
        rows: The rows of each file, by its path in the folder.

    Returns:
        Rows, bytes and SHA-256 of each, by path.
    """
    return {
        name: {
            "rows": rows[name],
            "bytes": (place / name).stat().st_size,
            "sha256": sha256_of(place / name),
        }
        for name in sorted(rows)
    }


def load(folder: Path | str, config: str = "problems") -> DatasetDict:
    """Load a config of a finished build.

    Args:
        folder: The folder.
        config: ``"problems"`` or ``"trace"``.

    Returns:
        Its splits; one without rows has the columns all the same.

    Raises:
        FolderError: It is no folder of a finished build, or a file is damaged.
    """
    from datasets import Dataset, DatasetDict

    place = Path(folder)
    files = manifest_of(place)["files"]
    splits = {}
    for split in SPLITS:
        names = sorted(name for name in files if name.startswith(f"data/{config}/{split}-"))
        if not names:
            raise FolderError(f"{shorten(str(place))} has no {split} split of {config}")
        tables = [read_columns(place / name) for name in names]
        try:
            splits[split] = Dataset(pa.concat_tables(tables))
        except ValueError as error:
            raise FolderError(
                f"the files of the {split} split of {config} have other columns: "
                f"{shorten(str(error), 200)}"
            ) from None
    return DatasetDict(splits)


def read_columns(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Read a data file.

    Args:
        path: The file.
        columns: The columns to read, or None for all.

    Returns:
        The table.

    Raises:
        FolderError: The file is missing or damaged.
    """
    try:
        return pq.ParquetFile(path).read(columns)
    except FileNotFoundError:
        raise FolderError(f"{shorten(str(path), 120)} is missing") from None
    except (OSError, ValueError) as error:
        raise FolderError(f"{shorten(str(path), 120)} is damaged: {shorten(str(error))}") from None


def split_rows(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the problems of a finished build as rows, train first, few at a time.

    Args:
        folder: The folder.

    Yields:
        The split and one row, one after the other.

    Raises:
        FolderError: It is no folder of a finished build, or a file is damaged.
    """
    for split, _, row in _rows(folder):
        yield split, row


def _rows(folder: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Read the rows with their splits and places."""
    files = manifest_of(folder)["files"]
    for split in SPLITS:
        for name in sorted(n for n in files if n.startswith(f"data/problems/{split}-")):
            try:
                file = pq.ParquetFile(folder / name)
                missing = [
                    column for column in SCHEMA.names if column not in file.schema_arrow.names
                ]
                if missing:
                    raise FolderError(f"{name} has no column {', '.join(missing)}")
                batches = file.iter_batches(200, columns=SCHEMA.names)
                rows = (row for batch in batches for row in batch.to_pylist())
                for number, row in enumerate(rows, 1):
                    yield split, f"{name}, row {number}", row
            except FileNotFoundError:
                raise FolderError(f"{name} is missing") from None
            except (OSError, ValueError) as error:
                raise FolderError(f"{name} is damaged: {shorten(str(error))}") from None


def problems(folder: Path, skip: int = 0, count: int | None = None) -> Iterator[Problem]:
    """Read problems of a finished build.

    Args:
        folder: The folder.
        skip: How many to pass over.
        count: The most to read, or None for all.

    Yields:
        One problem after the other.

    Raises:
        FolderError: It is no folder of a finished build, or a file is damaged.
    """
    for number, (_, place, row) in enumerate(_rows(folder)):
        if count is not None and number >= skip + count:
            return
        if number >= skip:
            yield _problem(place, row)


def _problem(place: str, row: dict[str, Any]) -> Problem:
    try:
        return from_row(row)
    except ExecVerifyError as error:
        raise FolderError(f"{place}: {error}") from None


def find_problem(folder: Path, start: str) -> Problem:
    """Find one problem by its id.

    Args:
        folder: A finished build.
        start: The id or its beginning.

    Returns:
        The problem.

    Raises:
        UsageError: None or several have such an id.
    """
    found = [(place, row) for _, place, row in _rows(folder) if str(row["id"]).startswith(start)]
    if not found:
        raise UsageError(f"no problem of {shorten(str(folder))} has an id like {shorten(start)!r}")
    if len(found) > 1:
        raise UsageError(
            f"{len(found)} problems have an id like {shorten(start)!r}; give more of it"
        )
    return _problem(*found[0])
