"""Opens the problems that a run learns from: a built folder, a dataset, or one on the Hub.

All three give the same: problems of the train split in their order, a revision that names
what they are, and their runs where they were recorded. Rows are checked as they are read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curricula.problem import Problem, from_row
from curricula.views import trace as traces
from tracing import Trace, run_many
from tracing.errors import ExecVerifyError, UsageError, in_a_line, shorten

__all__ = ["Source", "SourceError", "open_source", "runs_of"]


class SourceError(ExecVerifyError):
    """What a run should learn from cannot be read, or has no problems."""


@dataclass(frozen=True, slots=True)
class Source:
    """Problems to learn from.

    Attributes:
        name: The folder or the dataset's name.
        revision: Names the content: the commit on the Hub, or the beginning of a hash.
        problems: The problems of the train split, in order.
        place: Where the recorded runs are: a folder, a commit on the Hub, or None.
    """

    name: str
    revision: str
    problems: tuple[Problem, ...]
    place: Path | tuple[str, str] | None = None


def open_source(dataset: Any, revision: str | None = None) -> Source:
    """Open a dataset.

    Args:
        dataset: A folder that ``synth build`` wrote, a name on the Hub, or a mapping of splits
            to rows (a ``datasets.DatasetDict``).
        revision: The revision on the Hub.

    Returns:
        Its train split.

    Raises:
        UsageError: It is none of these.
        SourceError: It cannot be read, or holds no problems.
    """
    if isinstance(dataset, Mapping):
        if "train" not in dataset:
            raise SourceError(f"the dataset has no train split but {', '.join(map(str, dataset))}")
        found = _problems(dataset["train"], "the train split")
        return Source("a dataset in memory", _hash(p.id for p in found), found)
    if not isinstance(dataset, (str, Path)) or not str(dataset):
        raise UsageError(
            f"a run learns from a folder, a name on the Hub or a DatasetDict, not from "
            f"{shorten(repr(dataset))}"
        )
    folder = Path(dataset).expanduser()
    if folder.exists():
        return _folder(folder)
    name = str(dataset)
    if name.count("/") != 1 or name.startswith((".", "/", "~")):
        raise UsageError(f"there is no folder {shorten(name, 120)}; build one with synth build")
    return _hub(name, revision)


def runs_of(source: Source, problems: Sequence[Problem]) -> Iterator[tuple[Problem, Trace]]:
    """Give the runs of problems: as they were recorded, or else run again.

    Args:
        source: Where the problems are from.
        problems: Some of its problems.

    Yields:
        Each problem with the run of its call, in order.

    Raises:
        SourceError: A run cannot be read.
        InfrastructureError: No worker can be started.
    """
    if source.place is None:
        pairs = [(problem.source, problem.call) for problem in problems]
        yield from zip(problems, run_many(pairs), strict=True)
        return
    wanted = {problem.id for problem in problems}
    rows = {row["id"]: row for row in _rows(source.place, "trace") if row.get("id") in wanted}
    for problem in problems:
        if problem.id not in rows:
            raise SourceError(f"{source.name} has no run of problem {problem.id}")
        yield problem, traces.from_row(rows[problem.id], problem.source, problem.call)


def _folder(folder: Path) -> Source:
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        raise UsageError(
            f"{shorten(str(folder), 120)} has no manifest.json; give a folder that synth build "
            "wrote"
        )
    revision = hashlib.sha256(manifest.read_bytes()).hexdigest()[:12]
    found = _problems(_rows(folder, "problems"), str(folder))
    return Source(str(folder), revision, found, folder)


def _hub(name: str, revision: str | None) -> Source:
    from huggingface_hub import HfApi

    try:
        commit = HfApi().dataset_info(name, revision=revision).sha or ""
    except Exception as error:
        # What goes wrong on the way to the Hub has no common base class.
        raise _unreachable(name, error) from error
    place = (name, commit)
    return Source(name, commit, _problems(_rows(place, "problems"), name), place)


def _rows(place: Path | tuple[str, str], config: str) -> Iterator[Mapping[str, Any]]:
    """Read the rows of the train split, few at a time."""
    if not isinstance(place, Path):
        import datasets

        name, commit = place
        try:
            yield from datasets.load_dataset(name, config, split="train", revision=commit)
        except Exception as error:
            raise _unreachable(name, error) from error
        return
    import pyarrow.parquet as pq

    files = sorted(place.glob(f"data/{config}/train-*.parquet"))
    if not files:
        raise SourceError(f"{shorten(str(place), 120)} has no train split of {config}")
    for file in files:
        try:
            for batch in pq.ParquetFile(file).iter_batches(500):
                yield from batch.to_pylist()
        except (OSError, ValueError) as error:
            raise SourceError(f"{file.name} is damaged: {shorten(str(error))}") from None


def _unreachable(name: str, error: Exception) -> SourceError:
    return SourceError(
        f"{shorten(name)} is no folder, and cannot be read from the Hub "
        f"({type(error).__name__}: {in_a_line(error)})"
    )


def _problems(rows: Iterable[Mapping[str, Any]], name: str) -> tuple[Problem, ...]:
    found = []
    for number, row in enumerate(rows, 1):
        try:
            found.append(from_row(row))
        except ExecVerifyError as error:
            raise SourceError(f"{shorten(name, 120)}, row {number}: {error}") from None
    if not found:
        raise SourceError(f"{shorten(name, 120)} has no problems to learn from; build more")
    return tuple(found)


def _hash(ids: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(ids).encode()).hexdigest()[:12]
