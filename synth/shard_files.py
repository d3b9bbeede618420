"""The files of a shard: a folder of its own, which appears whole, by one rename.

Several processes, on several machines even, may write into the same place: each writes
under a name of its own first, and a shard that two have made is the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from cards.files import COMPRESSION
from curricula.problem import SCHEMA, to_row
from curricula.views import trace as traces
from synth import folder as folders
from synth import shards
from synth.executors.base import ShardReport
from synth.program import Program
from synth.shards import Care, ShardProgram
from synth.spec import Spec
from tracing.errors import ExecVerifyError, shorten

__all__ = [
    "CONFIGS",
    "data_of",
    "place_of",
    "read_programs",
    "read_table",
    "report_of",
    "write",
    "write_files",
]

CONFIGS: dict[str, pa.Schema] = {"problems": SCHEMA, "trace": traces.SCHEMA}
"""The configs that a build writes, with their schemas."""
_FACTS = "shard.json"
"""Name of the file that holds what a shard says of itself and of its programs."""
_OWN = "own_sha256"
"""Its field with the hash of all others: one changed digit of a key would change the build."""
_DAMAGE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What reading a damaged file may raise."""


def write(
    spec: Spec,
    number: int,
    folder: Path,
    care: Care | None = None,
    mark: Callable[[str], None] = lambda _: None,
    stream: Iterator[Program] | None = None,
    further: Mapping[str, int] | None = None,
) -> ShardReport:
    """Make a shard and write it.

    Args:
        spec: What to build.
        number: The shard, from 0.
        folder: Where its own folder is made.
        care: As for :func:`synth.shards.make`.
        mark: As for :func:`synth.shards.make`.
        stream: As for :func:`synth.shards.make`.
        further: What else was refused before it was a program, by reason, once the shard is
            made; those count as tried.

    Returns:
        What became of it.

    Raises:
        ExecVerifyError: It cannot be made.
        OSError: It cannot be written; nothing is left behind then.
    """
    shard = shards.make(spec, number, care, mark, stream)
    shard.counts.update(further or {})
    shard.counts["tried"] += sum((further or {}).values())
    rows = {
        "problems": [to_row(problem) for problem in shard.problems],
        "trace": [traces.to_row(p, t) for p, t in zip(shard.problems, shard.traces, strict=True)],
    }
    files = data_of(rows)
    report = ShardReport(
        number, len(shard.problems), dict(sorted(shard.counts.items())), tuple(shard.quarantined)
    )
    facts = {
        "report": asdict(report),
        "programs": [[list(p.keys), p.rows] for p in shard.programs],
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }
    files[_FACTS] = json.dumps({**facts, _OWN: _digest_of(facts)}).encode()
    write_files(files, number, folder)
    return report


def data_of(rows: Mapping[str, list[dict[str, Any]]]) -> dict[str, bytes]:
    """Write rows as Parquet.

    Args:
        rows: Rows of each of :data:`CONFIGS`.

    Returns:
        Contents by file name.
    """
    return {
        f"{config}.parquet": _parquet(pa.Table.from_pylist(rows[config], schema=schema))
        for config, schema in CONFIGS.items()
    }


def write_files(files: Mapping[str, bytes], number: int, folder: Path) -> None:
    """Write a shard's folder whole: under a temporary name, to disk, renamed.

    Args:
        files: The contents by file name.
        number: The shard.
        folder: Where its own folder is made.

    Raises:
        OSError: It cannot be written; nothing is left behind then.
    """
    temporary = Path(tempfile.mkdtemp(prefix=f".{number:06d}.", suffix=".tmp", dir=folder))
    try:
        temporary.chmod(0o777 & ~folders.umask())  # mkdtemp lets nobody else read
        for name, data in files.items():
            (temporary / name).write_bytes(data)
        folders.sync_all(temporary)
        _put(temporary, number, folder)
    finally:
        folders.remove(temporary)


def _put(temporary: Path, number: int, folder: Path) -> None:
    """Rename a shard's folder to its place, where a damaged or equal one may stand."""
    final = place_of(folder, number)
    aside = temporary.with_name(f"{temporary.name}.aside")
    while True:
        try:
            temporary.rename(final)
        except OSError:
            if not final.exists():
                raise
        else:
            folders.sync(folder)
            return
        if report_of(folder, number) is not None:
            return  # another process was quicker, with the same bytes
        with suppress(FileNotFoundError):  # or it is just mending it, too
            final.rename(aside)
        folders.remove(aside)


def _parquet(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, **COMPRESSION)
    return bytes(sink.getvalue())


def place_of(folder: Path, number: int) -> Path:
    """Name the folder of a shard.

    Args:
        folder: Where the shards are.
        number: The shard.

    Returns:
        Its path.
    """
    return folder / f"shard-{number:06d}"


def report_of(folder: Path, number: int) -> ShardReport | None:
    """Read the report of a shard that is done and whole.

    Args:
        folder: Where the shards are.
        number: The shard.

    Returns:
        The report, or None where the shard is missing or damaged and must be made again.
    """
    try:
        plain = _facts_of(folder, number)
        for name, digest in plain["sha256"].items():
            if folders.sha256_of(place_of(folder, number) / name) != digest:
                return None
        report = plain["report"]
        return ShardReport(**{**report, "quarantined": tuple(report["quarantined"])})
    except _DAMAGE:
        return None


def _facts_of(folder: Path, number: int) -> dict[str, Any]:
    """Read what a shard says; a ValueError or KeyError where it is not what was written."""
    text = (place_of(folder, number) / _FACTS).read_text(encoding="utf-8")
    plain: dict[str, Any] = json.loads(text)
    if plain.pop(_OWN) != _digest_of(plain):
        raise ValueError(f"{_FACTS} has changed")
    return plain


def _digest_of(facts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def read_programs(folder: Path, number: int) -> list[ShardProgram]:
    """Read what a shard says of its programs.

    Args:
        folder: Where the shards are.
        number: A shard that is done.

    Returns:
        Its programs, in the order of their rows.

    Raises:
        ExecVerifyError: It has been damaged since.
    """
    try:
        programs = _facts_of(folder, number)["programs"]
    except _DAMAGE as error:
        raise ExecVerifyError(
            f"shard {number} was damaged while the build ran ({shorten(str(error))}); run the "
            "same command again, which makes it anew"
        ) from None
    return [ShardProgram(tuple(keys), rows) for keys, rows in programs]


def read_table(
    folder: Path, number: int, config: str, columns: list[str] | None = None
) -> pa.Table:
    """Read a config of a shard.

    Args:
        folder: Where the shards are.
        number: A shard that is done.
        config: A key of :data:`CONFIGS`.
        columns: The columns to read, or None for all.

    Returns:
        Its rows.
    """
    return folders.read_columns(place_of(folder, number) / f"{config}.parquet", columns)
