"""Makes one shard: a pure function of the spec and the shard's number.

Programs are generated, given inputs and selected by running them, run under both
tracers, questioned and rated; those of another tier are left out. A shard stands in a
folder of its own, which appears whole, by one rename.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curricula.problem import SCHEMA, Problem, Provenance, to_row
from curricula.views import trace as traces
from synth import folder as folders
from synth.dedup import Fingerprint, NearDuplicates, fingerprint
from synth.executors.base import ShardReport
from synth.generate import programs
from synth.merge import keys
from synth.problems import PYTHON, VERSION, make_problem, why_no_ground_truth
from synth.program import Program, facts_of
from synth.select import BUDGETS, Refused, Selected, select
from synth.spec import SHARD_ROWS, Spec
from tracing import Trace, run_many
from tracing.errors import ExecVerifyError

__all__ = [
    "CONFIGS",
    "LEAST_ROWS",
    "Shard",
    "ShardProgram",
    "make",
    "place_of",
    "read_programs",
    "read_table",
    "report_of",
    "rows_of",
    "write",
    "write_files",
]

CONFIGS: dict[str, pa.Schema] = {"problems": SCHEMA, "trace": traces.SCHEMA}
"""The configs that a build writes, with their schemas."""
LEAST_ROWS = 25
"""The fewest rows of a shard."""
PROGRAM_ROWS = 3
"""The most problems of one program."""
_SPACING = 10_000_000
"""Program numbers that a shard may use; shards do not share any."""
_BATCH = 16
_PATIENCE = 4_000
"""Programs in a row that give nothing before a shard gives up."""


@dataclass(frozen=True, slots=True)
class ShardProgram:
    """A program of a shard.

    Attributes:
        keys: What it shares with its near-duplicates (see :mod:`synth.merge`).
        rows: How many of the shard's rows, which stand in order, are its own.
    """

    keys: tuple[int, ...]
    rows: int


@dataclass(slots=True)
class Shard:
    """A shard while it is made.

    Attributes:
        problems: Its rows.
        traces: Their runs, in the same order.
        programs: Its programs, in the order of their rows.
        counts: Programs that were tried, kept and refused, by reason.
        quarantined: Sources of programs that ended a worker twice.
    """

    problems: list[Problem] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    programs: list[ShardProgram] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    quarantined: list[str] = field(default_factory=list)


def rows_of(spec: Spec) -> int:
    """Say how many rows each shard of a build makes.

    Args:
        spec: What to build.

    Returns:
        At most :data:`SHARD_ROWS`; fewer in a small build, so that several workers share it.
    """
    return max(LEAST_ROWS, min(SHARD_ROWS, -(-spec.size // 16)))


def make(spec: Spec, number: int) -> Shard:
    """Make a shard in memory.

    Args:
        spec: What to build.
        number: The shard, from 0.

    Returns:
        The shard, with :func:`rows_of` rows.

    Raises:
        ExecVerifyError: The generator gives nothing that fits any more.
    """
    shard = Shard()
    near = NearDuplicates()
    wanted = rows_of(spec)
    stream = _candidates(spec, number)
    barren = 0
    while len(shard.problems) < wanted:
        before = len(shard.problems)
        fresh = list(_fresh(islice(stream, _BATCH), near, shard))
        _take(spec, number, fresh, shard)
        barren = 0 if len(shard.problems) > before else barren + _BATCH
        if barren >= _PATIENCE:
            raise ExecVerifyError(
                f"{barren} programs in a row gave no {spec.tier} problem; ask for another tier"
            )
    _cut(shard, wanted)
    return shard


def _candidates(spec: Spec, number: int) -> Iterator[Program]:
    return programs(spec.seed, number * _SPACING, tier=spec.tier, like=spec.like)


def _fresh(
    candidates: Iterable[Program], near: NearDuplicates, shard: Shard
) -> Iterator[tuple[Program, Fingerprint]]:
    """Yield the programs that are not too like an earlier one of the shard."""
    for program in candidates:
        shard.counts["tried"] += 1
        mark = fingerprint(program.source)
        if near.add(mark.shingles, program.source) is not None:
            shard.counts["too alike"] += 1
        else:
            yield program, mark


def _take(spec: Spec, number: int, fresh: list[tuple[Program, Fingerprint]], shard: Shard) -> None:
    """Select inputs for programs, run them, and add the problems that fit."""
    marks = {program.source: mark for program, mark in fresh}
    chosen: list[Selected] = []
    for result in select([p for p, _ in fresh], seed=spec.seed, budget=BUDGETS[spec.tier]):
        if isinstance(result, Refused):
            shard.counts[result.reason] += 1
        else:
            chosen.append(result)
    runs = run_many((s.program.source, call) for s in chosen for call in s.calls)
    provenance = Provenance(spec.seed, number, VERSION, PYTHON)
    for selected in chosen:
        mark = marks[selected.program.source]
        confirmed = list(islice(runs, len(selected.calls)))
        _add(spec, selected.program, mark, confirmed, provenance, shard)


def _add(
    spec: Spec,
    program: Program,
    mark: Fingerprint,
    runs: list[Trace],
    provenance: Provenance,
    shard: Shard,
) -> None:
    """Add the problems of one program; all of its runs must be ground truth."""
    for trace in runs:
        reason = why_no_ground_truth(trace)
        if reason is not None:
            shard.counts[f"no ground truth: {reason.partition(':')[0]}"] += 1
            if trace.reason.startswith("the interpreter died"):
                shard.quarantined.append(program.source)
            return
    made = []
    for trace in runs:
        problem = make_problem(
            trace,
            shape=facts_of(program.shape),
            provenance=Provenance(
                provenance.seed,
                provenance.shard,
                provenance.generator_version,
                provenance.python,
                program.idioms,
            ),
            kinds=spec.kinds,
            questions=spec.questions,
            family_name=mark.family,
        )
        if spec.tier in ("all", problem.tier):
            made.append((problem, trace))
    if not made:
        shard.counts["another tier"] += 1
        return
    shard.counts["kept"] += 1
    made = made[:PROGRAM_ROWS]
    shard.problems.extend(problem for problem, _ in made)
    shard.traces.extend(trace for _, trace in made)
    shard.programs.append(ShardProgram(keys(mark), len(made)))


def _cut(shard: Shard, wanted: int) -> None:
    """Cut a shard to its number of rows, the last programs' first."""
    del shard.problems[wanted:], shard.traces[wanted:]
    rows = 0
    for place, program in enumerate(shard.programs):
        if rows + program.rows >= wanted:
            shard.programs[place] = ShardProgram(program.keys, wanted - rows)
            del shard.programs[place + 1 :]
            return
        rows += program.rows


def write(spec: Spec, number: int, folder: Path) -> ShardReport:
    """Make a shard and write it.

    Args:
        spec: What to build.
        number: The shard, from 0.
        folder: Where its own folder is made.

    Returns:
        What became of it.

    Raises:
        ExecVerifyError: It cannot be made.
        OSError: It cannot be written; nothing is left behind then.
    """
    shard = make(spec, number)
    rows = {
        "problems": [to_row(problem) for problem in shard.problems],
        "trace": [traces.to_row(p, t) for p, t in zip(shard.problems, shard.traces, strict=True)],
    }
    files = {
        f"{config}.parquet": _parquet(pa.Table.from_pylist(rows[config], schema=schema))
        for config, schema in CONFIGS.items()
    }
    report = ShardReport(
        number, len(shard.problems), dict(sorted(shard.counts.items())), tuple(shard.quarantined)
    )
    facts = {
        "report": asdict(report),
        "programs": [[list(p.keys), p.rows] for p in shard.programs],
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }
    files["shard.json"] = json.dumps(facts).encode()
    write_files(files, number, folder)
    return report


def write_files(files: Mapping[str, bytes], number: int, folder: Path) -> None:
    """Write a shard's folder whole: under a temporary name, to disk, renamed.

    Args:
        files: The contents by file name.
        number: The shard.
        folder: Where its own folder is made.

    Raises:
        OSError: It cannot be written; nothing is left behind then.
    """
    temporary = folder / f".{number:06d}.{os.getpid()}.tmp"
    final = place_of(folder, number)
    folders.remove(temporary)
    try:
        temporary.mkdir()
        for name, data in files.items():
            with (temporary / name).open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        folders.remove(final)
        temporary.rename(final)
    except BaseException:
        folders.remove(temporary)
        raise


def _parquet(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
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
    plain = _read(folder, number)
    if plain is None:
        return None
    report = plain["report"]
    return ShardReport(
        report["number"], report["problems"], report["counts"], tuple(report["quarantined"])
    )


def _read(folder: Path, number: int) -> Mapping[str, Any] | None:
    place = place_of(folder, number)
    try:
        plain = json.loads((place / "shard.json").read_text(encoding="utf-8"))
        whole = all(
            folders.sha256_of(place / name) == plain["sha256"][name]
            for name in (f"{config}.parquet" for config in CONFIGS)
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return plain if whole else None


def read_programs(folder: Path, number: int) -> list[ShardProgram]:
    """Read what a shard says of its programs.

    Args:
        folder: Where the shards are.
        number: A shard that is done.

    Returns:
        Its programs, in the order of their rows.
    """
    plain = json.loads((place_of(folder, number) / "shard.json").read_text(encoding="utf-8"))
    return [ShardProgram(tuple(found), rows) for found, rows in plain["programs"]]


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
