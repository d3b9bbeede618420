"""Reads programs that others wrote: from files, or from datasets on the Hub.

Knows the columns of our own rows and of the benchmarks that ask about runs of
programs (CRUXEval, LiveCodeBench's execution set, HumanEval, MBPP, REval). Every file
is hostile; what cannot be read is an error that names the file and the row. Nothing
is run, and whether a program makes sense is not asked.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracing.errors import ExecVerifyError, ProgramError, UsageError, shorten
from tracing.units import parse

__all__ = ["BENCHMARKS", "Item", "read"]

MAX_FILE = 1 << 30
"""The largest file that is read, in bytes."""


@dataclass(frozen=True, slots=True)
class Item:
    """One program as it was found.

    Attributes:
        name: Where from: the file or dataset, and the row's own id or number.
        source: The program.
        entry: Name of its function under test, or an empty text.
        call: A call of it, as text, or an empty text.
    """

    name: str
    source: str
    entry: str
    call: str


BENCHMARKS: dict[str, tuple[str, str | None, str]] = {
    "cruxeval": ("cruxeval-org/cruxeval", None, "test"),
    "livecodebench": ("livecodebench/execution-v2", None, "test"),
    "humaneval": ("openai/openai_humaneval", None, "test"),
    "mbpp": ("google-research-datasets/mbpp", "full", "train+test+validation+prompt"),
    "reval": ("JetBrains-Research/REval", "problems", "test"),
}
"""Short names of benchmarks on the Hub: dataset, config and splits."""


def read(place: str | Path) -> Iterator[Item]:
    """Read all programs of a file, of a folder's files, or of a dataset on the Hub.

    Args:
        place: A ``.jsonl``, ``.parquet``, ``.py`` or ``.txt`` file; a folder of such; a
            short name of :data:`BENCHMARKS`; or a Hub dataset like ``owner/name``.

    Yields:
        The programs in the order of the rows (of the names, for a folder).

    Raises:
        UsageError: The place is none of these, or holds what is no program.
        ExecVerifyError: The dataset cannot be loaded.
    """
    path = Path(place)
    if not str(place):
        raise UsageError("a benchmark's name is empty; give a file, or a name like cruxeval")
    if path.is_dir():
        files = sorted(p for p in path.rglob("*") if p.suffix in _READERS and p.is_file())
        if not files:
            raise UsageError(
                f"the folder {shorten(str(place))} holds no {', '.join(sorted(_READERS))} file"
            )
        for file in files:
            yield from _read_file(file)
    elif path.exists():
        yield from _read_file(path)
    elif str(place) in BENCHMARKS or _is_hub_name(str(place)):
        yield from _read_hub(str(place))
    else:
        raise UsageError(
            f"there is no file {shorten(str(place))}, and it names no benchmark; give a .jsonl, "
            f".parquet, .py or .txt file, a Hub dataset owner/name, or one of "
            f"{', '.join(sorted(BENCHMARKS))}"
        )


def _is_hub_name(text: str) -> bool:
    owner, slash, name = text.partition("/")
    words = (owner, name)
    return (
        bool(slash)
        and all(
            word and word.replace("-", "").replace("_", "").replace(".", "").isalnum()
            for word in words
        )
        and not name.endswith(tuple(_READERS))
    )


def _read_file(path: Path) -> Iterator[Item]:
    reader = _READERS.get(path.suffix)
    if reader is None:
        raise UsageError(
            f"{shorten(str(path))} is no {', '.join(sorted(_READERS))} file; convert it, or "
            "name a folder or a Hub dataset"
        )
    try:
        if path.stat().st_size > MAX_FILE:
            raise UsageError(f"{shorten(str(path))} is larger than {MAX_FILE} bytes; split it")
        yield from reader(path)
    except OSError as error:
        raise UsageError(
            f"{shorten(str(path))} cannot be read: {error.strerror or error}"
        ) from None
    except UnicodeDecodeError:
        raise UsageError(f"{shorten(str(path))} is not UTF-8 text") from None


def _read_jsonl(path: Path) -> Iterator[Item]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            place = f"{path.name}:{number}"
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                raise UsageError(
                    f"line {number} of {shorten(str(path))} is no JSON: {shorten(repr(line), 40)}"
                ) from None
            if not isinstance(row, dict):
                raise UsageError(
                    f"line {number} of {shorten(str(path))} holds a {type(row).__name__}, "
                    "not an object with columns"
                )
            yield _item(row, path.name, place)


def _read_parquet(path: Path) -> Iterator[Item]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
        number = 0
        for batch in file.iter_batches(256, columns=_known(file.schema_arrow.names)):
            for row in batch.to_pylist():
                number += 1
                yield _item(row, path.name, f"{path.name}:{number}")
    except (pa.ArrowException, OSError) as error:
        raise UsageError(
            f"{shorten(str(path))} is no readable parquet file: {shorten(str(error), 80)}"
        ) from None


def _read_source(path: Path) -> Iterator[Item]:
    text = path.read_text(encoding="utf-8")
    try:
        tree = parse(text)
    except ProgramError as error:
        raise UsageError(f"{shorten(str(path))} is no Python program: {error}") from None
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    yield Item(path.name, text, functions[-1].name if functions else "", "")
    if len(functions) > 1:
        # A file may hold a whole benchmark, and one function of it may be copied alone.
        for node in functions:
            name = f"{path.name}:{node.name}"
            yield Item(name, ast.get_source_segment(text, node) or "", node.name, "")


def _read_hub(name: str) -> Iterator[Item]:
    import datasets

    repository, config, split = BENCHMARKS.get(name, (name, None, "all"))
    try:
        rows = datasets.load_dataset(repository, config, split=split)
    except (OSError, ValueError, RuntimeError) as error:
        # The Hub's and the datasets library's own errors are children of these.
        raise ExecVerifyError(
            f"the dataset {shorten(repository)} cannot be loaded ({type(error).__name__}: "
            f"{shorten(str(error), 120)}); download it and give the file"
        ) from None
    for number, row in enumerate(rows, 1):
        yield _item(row, name, f"{name}:{number}")


_READERS = {
    ".jsonl": _read_jsonl,
    ".parquet": _read_parquet,
    ".py": _read_source,
    ".txt": _read_source,
}

_SOURCES = ("source", "code", "canonical_solution")
_ENTRIES = ("entry", "entry_point", "function_name")
_CALLS = ("call", "input", "inputs")
_NAMES = ("id", "task_id", "question_id")


def _known(columns: Iterable[str]) -> list[str]:
    wanted = {*_SOURCES, *_ENTRIES, *_CALLS, *_NAMES, "prompt"}
    return [name for name in columns if name in wanted]


def _item(row: Mapping[str, Any], origin: str, place: str) -> Item:
    """Take a program from a row, whichever of the known columns hold it."""
    column = next((name for name in _SOURCES if isinstance(row.get(name), str)), None)
    if column is None:
        raise UsageError(
            f"{shorten(place)} has no program: none of the columns {', '.join(_SOURCES)} holds "
            f"text (it has {shorten(', '.join(map(str, row)), 80)})"
        )
    source: str = row[column]
    if column == "canonical_solution" and isinstance(row.get("prompt"), str):
        source = row["prompt"] + source
    named = next((str(row[name]) for name in _NAMES if row.get(name) not in (None, "")), "")
    entry = next((row[name] for name in _ENTRIES if isinstance(row.get(name), str)), "")
    entry = entry or _entry_of(source)
    return Item(f"{origin}:{named}" if named else place, source, entry, _call(row, entry))


def _entry_of(source: str) -> str:
    """Take CRUXEval's ``f`` where there is one, else the last function."""
    try:
        names = [n.name for n in parse(source).body if isinstance(n, ast.FunctionDef)]
    except ProgramError:
        return ""
    return "f" if "f" in names else (names or [""])[-1]


def _call(row: Mapping[str, Any], entry: str) -> str:
    """Write a row's input as a call: some hold the call, some the arguments alone."""
    held = next((row[name] for name in _CALLS if row.get(name) is not None), None)
    first = held[0] if isinstance(held, list) and held else held
    if not isinstance(first, str) or not entry:
        return ""
    text = first.strip()
    return text if text.startswith(f"{entry}(") else f"{entry}({text})"
