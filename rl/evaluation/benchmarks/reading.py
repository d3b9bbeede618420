"""Reads a benchmark's rows: a JSONL or parquet file, or a dataset of the Hub.

Rows are checked column by column as they are used, and an error names the row. Whatever the
source, the rows have one version, a hash of what they hold.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracing.errors import UsageError, in_a_line, shorten

__all__ = ["BenchmarkError", "Line", "check_function", "named", "read_lines", "version_of"]

_FILES = (".jsonl", ".json", ".parquet")


class BenchmarkError(UsageError):
    """A benchmark's file is missing, or is not of the form that the benchmark has."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row, and where it is.

    Attributes:
        place: The file or dataset, and the row's number in it from 1, for messages.
        columns: What it holds.
    """

    place: str
    columns: Mapping[str, Any]

    def text(self, name: str) -> str:
        """Give a column that holds text.

        Args:
            name: The column.

        Returns:
            The text.

        Raises:
            BenchmarkError: The column is missing or holds something else.
        """
        value = self.of(name)
        if not isinstance(value, str):
            raise self.error(f"the column {name} holds no text but {shorten(repr(value))}")
        return value

    def whole(self, name: str) -> int:
        """Give a column that holds a whole number.

        Args:
            name: The column.

        Returns:
            The number.

        Raises:
            BenchmarkError: The column is missing or holds something else.
        """
        value = self.of(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(f"the column {name} holds no whole number but {shorten(repr(value))}")
        return value

    def items(self, name: str) -> Sequence[Any]:
        """Give a column that holds a list.

        Args:
            name: The column.

        Returns:
            The list.

        Raises:
            BenchmarkError: The column is missing or holds something else.
        """
        value = self.of(name)
        if not isinstance(value, (list, tuple)):
            raise self.error(f"the column {name} holds no list but {shorten(repr(value))}")
        return value

    def name(self, name: str) -> str:
        """Give a column that names the row, a text or a number.

        Args:
            name: The column.

        Returns:
            Its text.

        Raises:
            BenchmarkError: The column is missing or holds something else.
        """
        value = self.of(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.text(name)

    def of(self, name: str) -> Any:
        """Give a column.

        Args:
            name: The column.

        Returns:
            What it holds.

        Raises:
            BenchmarkError: It is missing.
        """
        if name not in self.columns:
            there = ", ".join(map(str, self.columns)) or "none"
            raise self.error(f"there is no column {name}; it has {shorten(there, 120)}")
        return self.columns[name]

    def error(self, what: str) -> BenchmarkError:
        """Make an error about this row.

        Args:
            what: What is wrong.

        Returns:
            The error, to be raised.
        """
        return BenchmarkError(f"{self.place}: {what}")


def read_lines(
    data: str, *, config: str | None = None, split: str = "test", least: int = 1
) -> list[Line]:
    """Read rows.

    Args:
        data: A JSONL or parquet file, or the name of a dataset on the Hub, with its revision
            where that is not the newest: ``"me/traces@v1.0.0"``.
        config: The config of a dataset on the Hub.
        split: The split of a dataset on the Hub.
        least: How many rows there must be.

    Returns:
        The rows in order.

    Raises:
        BenchmarkError: It cannot be read, or has too few rows.
    """
    path = Path(data).expanduser()
    is_file = path.suffix in _FILES or path.exists()
    lines = _file(path) if is_file else _hub(data, config, split)
    if len(lines) < least:
        raise BenchmarkError(f"{data} has no rows")
    return lines


def _file(path: Path) -> list[Line]:
    if not path.is_file():
        what = "is a folder, and a file is wanted" if path.is_dir() else "does not exist"
        raise BenchmarkError(f"{path} {what}; give a JSONL or parquet file, or a name on the Hub")
    if path.suffix == ".parquet":
        return _parquet(path)
    try:
        texts = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BenchmarkError(f"{path} cannot be read: {shorten(str(error))}") from None
    return [
        _object(text, f"{path.name}, row {number}")
        for number, text in enumerate(texts, 1)
        if text.strip()
    ]


def _object(text: str, place: str) -> Line:
    try:
        columns = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BenchmarkError(f"{place} is no JSON: {shorten(str(error))}") from None
    if not isinstance(columns, dict):
        raise BenchmarkError(f"{place} is no object of columns but {shorten(text)}")
    return Line(place, columns)


def _parquet(path: Path) -> list[Line]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows = pq.read_table(path).to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise BenchmarkError(f"{path} cannot be read: {shorten(str(error))}") from None
    return [Line(f"{path.name}, row {number}", row) for number, row in enumerate(rows, 1)]


def _hub(name: str, config: str | None, split: str) -> list[Line]:
    import datasets

    repo, _, revision = name.partition("@")
    try:
        rows: Iterable[Mapping[str, Any]] = datasets.load_dataset(
            repo, config, split=split, revision=revision or None
        )
        return [Line(f"{name}, row {number}", row) for number, row in enumerate(rows, 1)]
    except Exception as error:
        # What goes wrong on the way to the Hub has no common base class.
        raise BenchmarkError(
            f"{shorten(name)} is no file, and its split {split} cannot be read from the Hub "
            f"({type(error).__name__}: {in_a_line(error)}); give the path of a JSONL or "
            "parquet file"
        ) from error


def named(lines: Iterable[Line], column: str) -> Iterator[tuple[Line, str]]:
    """Give rows with their names, which must differ.

    Args:
        lines: The rows.
        column: The column that names them.

    Yields:
        Each row and its name.

    Raises:
        BenchmarkError: Two rows have the same name.
    """
    seen: dict[str, str] = {}
    for line in lines:
        name = line.name(column)
        if name in seen:
            raise line.error(f"the {column} {shorten(name)} is that of {seen[name]}, too")
        seen[name] = line.place
        yield line, name


def version_of(lines: Iterable[Line]) -> str:
    """Name the content of rows.

    Args:
        lines: The rows.

    Returns:
        Twelve hexadecimal digits, the same for a file and for a dataset of the same rows.
    """
    digest = hashlib.sha256()
    for line in lines:
        text = json.dumps(dict(line.columns), sort_keys=True, default=str)
        digest.update(text.encode("ascii") + b"\n")
    return digest.hexdigest()[:12]


def check_function(line: Line, source: str, entry: str) -> None:
    """Make sure that a program defines its function.

    Args:
        line: The row it is from.
        source: The program.
        entry: The function's name; that of a method counts, too.

    Raises:
        BenchmarkError: It does not, or is no Python.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise line.error(f"the program is no Python: {shorten(str(error))}") from None
    defined = (ast.FunctionDef, ast.AsyncFunctionDef)
    if not any(isinstance(n, defined) and n.name == entry for n in ast.walk(tree)):
        raise line.error(f"the program defines no function {shorten(entry)}")
