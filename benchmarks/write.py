"""Measures how rows are written, and how many bytes a row takes.

    python benchmarks/write.py [--rounds 5] [--rows 250] [--json OUT]

Time: our shards' way (one Arrow table of a fixed schema, Zstandard, hashed, forced to disk,
renamed) against the usual one, ``datasets.Dataset.from_generator`` plus ``to_parquet``, over
the same rows, in turn. Agreeing says how many rows read back equal from both.

Bytes: a row of ours with questions and trace, in both configs, against indented JSON as the
reference keeps it: program, call, questions, and the repr of every local at each line.
CRUXEval-like are problems that our generator makes so, loop-heavy are loops of 3 to 340
steps. Agreeing says how many outputs are the same in both.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
from measuring import Row, arguments, cpu_of, table, tell, times, versions
from workload import LOOPS, traced_json

import synth
import tracing
from curricula.problem import SCHEMA, Problem, to_row
from curricula.views import trace as traces
from synth import shard_files, shards
from synth.spec import Spec
from tracing import Trace

Made = list[tuple[Problem, Trace]]
datasets.disable_progress_bars()


MANY = 2_000
"""Rows of a round, each problem again and again, so that what is done once does not count."""


def rows_of(made: Made) -> dict[str, list[Row]]:
    return {
        "problems": [to_row(problem) for problem, _ in made],
        "trace": [traces.to_row(problem, trace) for problem, trace in made],
    }


def ours(rows: dict[str, list[Row]], place: Path) -> list[Path]:
    """Write rows as a shard."""
    shard_files.write_files(shard_files.data_of(rows), 0, place)
    folder = shard_files.place_of(place, 0)
    return [folder / f"{config}.parquet" for config in rows]


def stand_in(rows: dict[str, list[Row]], place: Path) -> list[Path]:
    """Write rows as people do."""
    written = []
    for config, some in rows.items():

        def generate(some: Sequence[Row] = some) -> Iterator[Row]:
            yield from some

        made = datasets.Dataset.from_generator(
            generate,
            features=datasets.Features.from_arrow_schema(shard_files.CONFIGS[config]),
            cache_dir=str(place / "cache"),
        )
        written.append(place / f"{config}.parquet")
        made.to_parquet(str(written[-1]))
    return written


def compare(name: str, made: Made, rounds: int) -> Row:
    made = (made * -(-MANY // len(made)))[:MANY]
    rows = rows_of(made)
    base, own = [], []
    agreeing = 0
    for _ in range(rounds + 1):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            base_seconds, base_files = cpu_of(lambda p=one: stand_in(rows, Path(p)))
            own_seconds, own_files = cpu_of(lambda p=other: ours(rows, Path(p)))
            base.append(len(made) / base_seconds)
            own.append(len(made) / own_seconds)
            agreeing = sum(
                one == other
                for one, other in zip(*(_read(p[0]) for p in (base_files, own_files)), strict=True)
            )
    # The first round loads what is loaded on use.
    return times(name, base[1:], own[1:], f"{agreeing} of {len(made)}")


def _read(path: Path) -> list[Row]:
    return pa.Table.to_pylist(pq.ParquetFile(path).read().select(SCHEMA.names))


def bytes_of(name: str, made: Made) -> Row:
    with tempfile.TemporaryDirectory() as place:
        own = sum(path.stat().st_size for path in ours(rows_of(made), Path(place)))
    base = agreeing = 0
    for problem, _ in made:
        told = json.loads(traced_json(problem.source, problem.call))
        agreeing += bool(problem.output and told["output"] == problem.output.literal)
        questions = [
            {"text": q.text, "kind": q.kind, "line": q.line, "occurrence": q.occurrence,
             "answers": [value.literal for value in q.answers]}
            for q in problem.questions
        ]  # fmt: skip
        row = {"code": problem.source, "call": problem.call, "questions": questions, **told}
        base += len(json.dumps(row, indent=4).encode())
    return {
        "bytes of a row": name,
        "indented JSON": round(base / len(made)),
        "ours": round(own / len(made)),
        "times": round(base / own, 1),
        "agreeing": f"{agreeing} of {len(made)}",
    }


def crux_like(count: int) -> Made:
    spec = Spec("all", 16 * count, 0, like="cruxeval")
    shard = shards.make(spec, 0)
    made = zip(shard.problems, shard.traces, strict=True)
    # The stand-in's tracer has no answer where an exception is the outcome.
    return [(problem, trace) for problem, trace in made if problem.output is not None]


def loops() -> Made:
    made = [synth.problem_from(source, call) for source, call in LOOPS]
    return list(zip(made, tracing.run_many(LOOPS), strict=True))


def main() -> None:
    given = arguments(__doc__, rounds=(int, 5, "rounds"), rows=(int, 250, "rows of a shard"))
    crux, heavy = crux_like(given.rows), loops()
    rows = [
        compare("CRUXEval-like", crux, given.rounds),
        compare("loop-heavy", heavy, given.rounds),
    ]
    print(table(sizes := [bytes_of("CRUXEval-like", crux), bytes_of("loop-heavy", heavy)]))
    print()
    tell(rows, versions("datasets", "pyarrow"), "Rows per CPU second", given.json, bytes=sizes)


if __name__ == "__main__":
    main()
