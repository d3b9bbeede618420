"""Grades a folder of problems: asks a model, and puts a folder with its rates in its place.

The estimate can be fitted to the rates, too, and is kept in a file of the folder.

Replies are kept in a journal beside the folder as they come, so a run that was ended goes
on; the folder changes once, at the end, by a rename.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cards.files import COMPRESSION, GROUP_ROWS
from curricula.difficulty.estimate import Estimator, write
from curricula.difficulty.grade import entered, measure, replies
from curricula.difficulty.grading import Grading, Plan
from curricula.difficulty.progress import Progress
from curricula.difficulty.refit import refit
from synth import folder as folders
from synth import replacing
from synth.check import check_files

if TYPE_CHECKING:
    from datasets import DatasetDict

__all__ = ["ESTIMATE", "grade_folder", "journal_of", "refit_folder"]

ESTIMATE = "estimate.json"
"""Name of the file that keeps the estimate that was fitted to a folder's rates."""
_GRADED = ("problems", "replies")
"""Configs that a grading writes anew: replies of an earlier one would contradict the rates."""


def journal_of(folder: Path) -> Path:
    """Name the file that keeps the replies of a folder's grading.

    Args:
        folder: The folder.

    Returns:
        A hidden file beside it.
    """
    return folder.parent / f".{folder.name}.replies.jsonl"


def grade_folder(
    folder: Path,
    engine: str,
    plan: Plan | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    keep_replies: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[DatasetDict, Grading]:
    """Measure pass rates of a folder's problems and write them into it.

    Args:
        folder: A folder that ``synth build`` wrote.
        engine: As for :func:`curricula.grade`.
        plan: How to ask; None for the paper's way.
        options: Passed on to the engine.
        keep_replies: Whether the replies become a config of the folder.
        progress: Called with how far the run is.

    Returns:
        The problems with their rates and tiers, and what was measured. Where replies are
        missing, the journal stays, and the same call asks for them alone.

    Raises:
        ExecVerifyError: As :func:`curricula.grade`, or the folder is none.
    """
    folder = replacing.named(folder)
    replacing.check_hidden(folder)  # before a model is asked for nothing
    _check_whole(folder)
    journal = journal_of(folder)
    data, asked = folders.load(folder), plan or Plan()
    measured = measure(data, engine, asked, options or {}, journal=journal, progress=progress)
    made = entered(data, measured, asked.thresholds)
    _replace(folder, made, replies(journal) if keep_replies else None)
    if not measured.unanswered:
        journal.unlink(missing_ok=True)
    return made, measured


def refit_folder(folder: Path, *, model: str | None = None) -> Estimator:
    """Fit the estimate to the rates that a folder's problems hold, and write it beside them.

    The rows stay as they are. The manifest does not list the file: it lists the data, and the
    estimate follows from them.

    Args:
        folder: A folder that was graded.
        model: The model whose rates count; None for the one that was asked last.

    Returns:
        The coefficients, as ``estimate.json`` in the folder holds them.

    Raises:
        ExecVerifyError: Too few problems are graded, or the folder is none.
    """
    built = (folders.manifest_of(folder)["build"] or {}).get("spec", {})
    data = f"tier {built.get('tier', 'unknown')}, seed {built.get('seed', 'unknown')}"
    made = refit(folders.load(folder), model=model, data=data)
    write(made, folder / ESTIMATE)
    return made


def _check_whole(folder: Path) -> None:
    """Refuse a folder whose files are not as they were built: new hashes would hide that."""
    for found in check_files(folder, folders.manifest_of(folder)["files"]):
        raise folders.FolderError(f"{found.place}: {found.what}; build the folder again")


def _replace(folder: Path, made: DatasetDict, table: pa.Table | None) -> None:
    """Write a copy of the folder with other problems, and put it in the folder's place."""
    manifest = folders.manifest_of(folder)
    copy = folder.parent / f".{folder.name}.graded"
    replacing.clear(copy)
    try:
        copy.mkdir()
        folders.write_json(copy / "manifest.json", manifest)  # first: it says whose the copy is
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        for config in _GRADED:
            folders.remove(copy / "data" / config)
        files = manifest["files"].items()
        rows = {n: f["rows"] for n, f in files if n.split("/")[1] not in _GRADED}
        for split, data in made.items():
            rows |= _write(copy, "problems", split, data.with_format("arrow")[:])
            if table is not None:
                are_here = pc.is_in(table["id"], value_set=pa.array(data["id"], pa.string()))
                rows |= _write(copy, "replies", split, table.filter(are_here))
        files = folders.described(copy, rows)
        folders.write_json(copy / "manifest.json", {**manifest, "files": files})
        replacing.put(copy, folder)
    except BaseException:
        replacing.clear(copy)
        raise


def _write(place: Path, config: str, split: str, table: pa.Table) -> dict[str, int]:
    name = folders.data_file(config, split, 0, 1)
    (place / name).parent.mkdir(parents=True, exist_ok=True)
    plain = table.replace_schema_metadata(None)
    pq.write_table(plain, place / name, row_group_size=GROUP_ROWS, **COMPRESSION)
    return {name: table.num_rows}
