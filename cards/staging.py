"""Stages a dataset: writes a folder with the data files of every config.

What is staged is what is published; card, plots and metadata are made from the staged
files and from nothing else. The problems and, where a build has them, the traces are taken
as they are; the other configs are views of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cards.errors import DatasetError
from cards.files import Shards, batches, describe, rows_of, sha256_of, shards_of, write_json
from cards.folders import checked_path
from cards.layout import CONFIGS, DEFAULT, MANIFEST, SPLITS, TIERS, VIEWS, config_of
from cards.manifest import read_manifest
from cards.narrating import ModelNarrator, model_narrator
from cards.report import read_report, write_report
from cards.schemas import SCHEMAS, check_file, null_in
from curricula.problem import SCHEMA, Problem, from_row
from curricula.views import sft, stage1, stage2
from curricula.views import trace as traces
from tracing import Trace, run_many
from tracing.errors import UsageError, shorten

__all__ = ["Staged", "check_splits", "stage"]

Staged = Path
"""A folder that :func:`stage` has written."""
_GIVEN = (DEFAULT, "trace", "replies")


def stage(
    dataset: Any,
    place: Path,
    *,
    configs: Sequence[str] | None = None,
    narrator: str | None = None,
) -> Staged:
    """Write the data files of a dataset into a folder.

    Args:
        dataset: A ``DatasetDict`` as ``synth.build_curriculum`` gives it, or a folder that
            ``synth build`` wrote (or that was staged).
        place: An empty folder, or none yet.
        configs: The configs beside ``problems``; None for all that have rows.
        narrator: A model that writes the reasoning of ``sft``, as :func:`curricula.grade`
            takes engines; what it replies is kept beside the folder that is staged. None for
            the narrator without a model, and for what a model wrote where ``dataset`` holds it.

    Returns:
        The folder: ``data/``, ``manifest.json``, and ``report.json`` where there is one.

    Raises:
        DatasetError: The dataset is not what a build makes.
        UsageError: There is no such config, or the dataset is none.
        InfrastructureError: Programs must be run, and no worker can be started.
    """
    chosen = [config_of(name).name for name in configs] if configs is not None else list(CONFIGS)
    place.mkdir(parents=True, exist_ok=True)
    build, report, narration, folder = None, None, None, None
    if isinstance(dataset, (str, Path)):
        folder = checked_path(dataset, "a dataset's folder")
        known = _manifest_of(folder)
        build = known["build"]
        narration = known["narration"] if narrator is None and "sft" in chosen else None
        copied = [*_GIVEN, "sft"] if narration else _GIVEN
        _copy_folder(folder, place, known["files"], copied)
        report = read_report(folder)
    else:
        _write_dataset(dataset, place)
    check_splits(place)
    # What a model wrote is taken over: asked again, it would write something else.
    views = [name for name in chosen if name != "sft" or narration is None]
    with nullcontext() if narrator is None else model_narrator(narrator, folder) as model:
        _add_views(place, views, model)
        narration = narration if model is None else model.report()
    _drop_empty(place, {DEFAULT, *chosen})
    facts = {"build": build, "files": describe(place), "narration": narration}
    write_json(place / MANIFEST, facts)
    if report is not None:
        write_report(place, report)
    return place


def _manifest_of(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise UsageError(f"there is no folder {shorten(str(folder))}")
    if not (folder / MANIFEST).is_file():
        raise UsageError(
            f"{shorten(str(folder))} has no {MANIFEST}; give a folder that synth build wrote"
        )
    return read_manifest(folder)


def _copy_folder(
    folder: Path, place: Path, files: Mapping[str, Any], configs: Sequence[str]
) -> None:
    """Copy the data files of some configs, and check their hashes."""
    for name, facts in sorted(files.items()):
        if name.split("/")[1] not in configs:
            continue
        path = folder / name
        if not path.is_file():
            raise DatasetError(f"{name} is missing in {shorten(str(folder))}")
        if sha256_of(path) != facts["sha256"]:
            raise DatasetError(f"{name} is not the file that {MANIFEST} describes; build it again")
        check_file(path, name.split("/")[1])
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place / name)


def _write_dataset(dataset: Any, place: Path) -> None:
    """Write the problems of a dataset that is in memory."""
    if not hasattr(dataset, "keys") or not set(dataset) <= set(SPLITS) or not dataset:
        raise UsageError(
            "a dataset is a DatasetDict with the splits "
            f"{', '.join(SPLITS)}, or a folder that synth build wrote, "
            f"not {shorten(repr(dataset))}"
        )
    for split in SPLITS:
        with Shards(place, DEFAULT, split, SCHEMA) as shards:
            if split not in dataset:
                continue
            rows = dataset[split]
            if not hasattr(rows, "column_names"):
                raise UsageError(f"the {split} split is no Dataset but {shorten(repr(rows))}")
            missing = [name for name in SCHEMA.names if name not in rows.column_names]
            if missing:
                raise UsageError(f"the {split} split has no column {', '.join(missing)}")
            for table in rows.select_columns(SCHEMA.names).with_format("arrow").iter(1000):
                shards.write(_as_problems(table, split))


def _as_problems(table: pa.Table, split: str) -> pa.Table:
    try:
        rows = table.cast(SCHEMA)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, ValueError) as error:
        raise DatasetError(
            f"the {split} split has other types than a build writes: {shorten(str(error))}"
        ) from None
    name = null_in(rows)
    if name:
        raise DatasetError(f"the {split} split has a row without {name}")
    return rows


def check_splits(place: Path) -> None:
    """Refuse problems that stand twice, and families that are in two splits.

    Args:
        place: A folder with ``problems``.

    Raises:
        DatasetError: It has such problems, or none at all.
    """
    split_of: dict[str, str] = {}
    seen: set[str] = set()
    for split in SPLITS:
        for row in rows_of(shards_of(place, DEFAULT, split), ["id", "family"]):
            if row["id"] in seen:
                raise DatasetError(f"the problem {row['id']} is in the dataset twice")
            seen.add(row["id"])
            if split_of.setdefault(row["family"], split) != split:
                raise DatasetError(
                    f"the family {row['family']} is in the splits {split_of[row['family']]} "
                    f"and {split}; relatives must not cross splits"
                )
    if not seen:
        raise DatasetError("the dataset has no problem")


def _add_views(place: Path, configs: Sequence[str], model: ModelNarrator | None) -> None:
    for split in SPLITS:
        for tier in [name for name in TIERS if name in configs]:
            with Shards(place, tier, split, SCHEMA) as shards:
                for batch in batches(shards_of(place, DEFAULT, split)):
                    table = pa.Table.from_batches([batch]).cast(SCHEMA)
                    shards.write(table.filter(pc.equal(table["tier"], tier)))
        if {"trace", "sft"} & set(configs):
            _ensure_traces(place, split)
        for name in [view for view in VIEWS if view in configs]:
            with Shards(place, name, split, SCHEMAS[name]) as shards:
                for rows in _in_parts(_rows(place, name, split, model)):
                    shards.write_rows(rows)


def _in_parts(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for _, part in groupby(enumerate(rows), key=lambda pair: pair[0] // 500):
        yield [row for _, row in part]


def _rows(
    place: Path, view: str, split: str, model: ModelNarrator | None
) -> Iterator[dict[str, Any]]:
    """Make the rows of a view."""
    if view == "stage1":
        for problem in _problems(place, split):
            yield from stage1.to_rows(problem)
    elif view == "stage2":
        yield from stage2.to_rows(_problems(place, split))
    elif model is not None:
        yield from model.rows(_runs(place, split))
    else:
        for problem, trace in _runs(place, split):
            yield from sft.to_rows(problem, trace)


def _problems(place: Path, split: str) -> Iterator[Problem]:
    return map(from_row, rows_of(shards_of(place, DEFAULT, split)))


def _runs(place: Path, split: str) -> Iterator[tuple[Problem, Trace]]:
    """Read problems with their traces, which stand in the same order."""
    rows = rows_of(shards_of(place, "trace", split))
    for problem, row in zip(_problems(place, split), rows, strict=True):
        if row["id"] != problem.id:
            raise DatasetError(f"the trace of {problem.id} is not where the problem is")
        yield problem, traces.from_row(row, problem.source, problem.call)


def _ensure_traces(place: Path, split: str) -> None:
    """Run the problems of a split where the dataset came without its traces."""
    if shards_of(place, "trace", split):
        return
    known = _ids(place, DEFAULT, split)
    with Shards(place, "trace", split, traces.SCHEMA) as shards:
        runs = run_many(((p.source, p.call) for p in _problems(place, split)), workers=2)
        rows = map(traces.to_row, _problems(place, split), runs)
        for part in _in_parts(iter(rows)):
            shards.write_rows(part)
    written = _ids(place, "trace", split)
    if written != known:
        raise DatasetError(f"{len(known) - len(written)} problems of {split} could not be run")


def _ids(place: Path, config: str, split: str) -> list[str]:
    return [row["id"] for row in rows_of(shards_of(place, config, split), ["id"])]


def _drop_empty(place: Path, wanted: set[str]) -> None:
    """Remove configs that were not asked for, and files without rows: no loader takes them."""
    for folder in sorted(place.glob("data/*")):
        for path in folder.glob("*.parquet"):
            if folder.name not in wanted or pq.read_metadata(path).num_rows == 0:
                path.unlink()
        if not any(folder.iterdir()):
            folder.rmdir()
