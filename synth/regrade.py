"""Grades a folder of problems: asks a model, and puts a folder with its rates in its place.

The estimate can be fitted to the rates, too, and is kept in a file of the folder.

Replies are kept in journals beside the folder as they come, so a run that was ended goes on, and
several processes can ask about different shards; the folder changes once, at the end, by a
rename. Some shards are in memory at a time, however many the folder has.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cards.files import FILE_ROWS, Shards, describe
from curricula.difficulty.asking import Part, ask, check_journal, kept
from curricula.difficulty.engines import Engine, open_engine
from curricula.difficulty.estimate import Estimator, write
from curricula.difficulty.grade import graded, with_rates
from curricula.difficulty.grading import Grading, Plan, rates_of
from curricula.difficulty.progress import Progress, Told
from curricula.difficulty.refit import refit_to
from curricula.difficulty.replies import REPLIES, replies
from curricula.problem import Problem
from synth import folder as folders
from synth import grading, replacing
from synth.check import check_files
from synth.grading import SHARD_ROWS, Shard
from tracing.errors import ExecVerifyError

__all__ = ["ESTIMATE", "Graded", "grade_folder", "grade_shards", "refit_folder"]

ESTIMATE = "estimate.json"
"""Name of the file that keeps the estimate that was fitted to a folder's rates."""
TOGETHER = FILE_ROWS // SHARD_ROWS
"""Shards that are asked about at a time: so many that few copies of a model wait for the last."""
_GRADED = ("problems", "replies")
"""Configs that a grading writes anew: replies of an earlier one would contradict the rates."""


@dataclass(frozen=True, slots=True)
class Graded:
    """What came of a grading.

    Attributes:
        problems: How many problems were asked about.
        unanswered: How many of them lack replies, by the reason why.
        tiers: How many problems of the folder are of each tier; empty where only shards of it
            were asked about.
    """

    problems: int
    unanswered: Counter[str]
    tiers: Counter[str]


def grade_folder(
    folder: Path,
    engine: str,
    plan: Plan | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    keep_replies: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Graded:
    """Measure pass rates of a folder's problems and write them into it.

    Args:
        folder: A folder that ``synth build`` wrote.
        engine: As for :func:`curricula.grade`.
        plan: How to ask; None for the paper's way.
        options: Passed on to the engine.
        keep_replies: Whether the replies become a config of the folder.
        progress: Called with how far the run is.

    Returns:
        What was measured. Where replies are missing, the journals stay, and the same call asks
        for them alone.

    Raises:
        ExecVerifyError: As :func:`curricula.grade`, or the folder is none.
    """
    folder, asked = replacing.named(folder), plan or Plan()
    replacing.check_hidden(folder)  # before a model is asked for nothing
    _put_back(folder)
    shards = _whole(folder)
    with grading.locked(folder, alone=True):
        replacing.clear(_copy_of(folder))
        with closing(open_engine(engine, **(options or {}))) as model:
            unanswered = _ask(shards, model, asked, progress)
        tiers = _replace(folder, shards, model, asked, keep_replies=keep_replies)
        if not unanswered:
            grading.forget(folder)
    return Graded(sum(shard.rows for shard in shards), unanswered, tiers)


def grade_shards(
    folder: Path,
    numbers: Sequence[int],
    engine: str,
    plan: Plan | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    progress: Callable[[Progress], None] | None = None,
) -> Graded:
    """Ask about some shards of a folder, beside others that ask about other shards of it.

    :func:`grade_folder` with the same model and plan takes these replies, asks for those that
    are still missing, and writes the folder.

    Args:
        folder: A folder that ``synth build`` wrote, on a file system that all share.
        numbers: The shards, from 0: up to a thousand problems each, train first.
        engine: As for :func:`curricula.grade`.
        plan: How to ask; None for the paper's way.
        options: Passed on to the engine.
        progress: Called with how far the run is.

    Returns:
        What was asked. The folder stays as it is.

    Raises:
        ExecVerifyError: As :func:`curricula.grade`; the folder is none, or has no such shard; or
            another process asks about one of them.
    """
    folder, asked = replacing.named(folder), plan or Plan()
    shards = grading.chosen(_whole(folder), numbers)
    with grading.locked(folder, alone=False):
        with closing(open_engine(engine, **(options or {}))) as model:
            unanswered = _ask(shards, model, asked, progress)
        folders.sync(grading.journals_of(folder))
    return Graded(sum(shard.rows for shard in shards), unanswered, Counter())


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
    made = refit_to(folders.problems(folder), model=model, data=data)
    write(made, folder / ESTIMATE)
    return made


def _whole(folder: Path) -> list[Shard]:
    """List the shards; refuse a folder with damaged files, whose new hashes would hide that."""
    for found in check_files(folder, folders.manifest_of(folder)["files"]):
        raise folders.FolderError(f"{found.place}: {found.what}; build the folder again")
    return grading.shards_of(folder)


def _copy_of(folder: Path) -> Path:
    return folder.parent / f".{folder.name}.graded"


def _put_back(folder: Path) -> None:
    """Put the folder back that is missing because a kill came while a copy took its place."""
    if not folder.exists() and replacing.is_of_a_build(_copy_of(folder)):
        with grading.locked(folder, alone=True):
            replacing.put_back(folder)


def _ask(
    shards: Sequence[Shard],
    model: Engine,
    plan: Plan,
    progress: Callable[[Progress], None] | None,
) -> Counter[str]:
    """Ask about shards, some at a time; count the problems that lack replies, by the reason."""
    for shard in shards:
        if shard.journal.exists():  # before others are asked about for hours
            check_journal(shard.journal, model, plan)
    told = Told(sum(shard.rows for shard in shards), plan.samples, progress)
    unanswered: Counter[str] = Counter()
    answered = asked = 0
    for start in range(0, len(shards), TOGETHER):
        some = shards[start : start + TOGETHER]
        asks = ask([Part(s.problems(), s.journal) for s in some], model, plan, told)
        unanswered.update(one.error for one in asks if one.error)
        asked += len(asks)
        answered += sum(bool(one.reasons) for one in asks)
        if not answered:
            error = next(iter(unanswered), "no reply came")
            raise ExecVerifyError(f"none of {asked} problems was answered: {error}")
    return unanswered


def _replace(
    folder: Path, shards: Sequence[Shard], model: Engine, plan: Plan, *, keep_replies: bool
) -> Counter[str]:
    """Write a copy of the folder with rates, and put it in the folder's place; count the tiers."""
    manifest = folders.manifest_of(folder)
    copy = _copy_of(folder)
    try:
        copy.mkdir()
        folders.write_json(copy / "manifest.json", manifest)  # first: it says whose the copy is
        shutil.copytree(folder, copy, dirs_exist_ok=True, ignore=_without_graded(folder))
        tiers: Counter[str] = Counter()
        for split in folders.SPLITS:
            some = [shard for shard in shards if shard.split == split]
            columns = grading.columns_of(folder, split)
            made = (_rated(shard, model, plan) for shard in some)
            tiers += _write_problems(copy, split, columns, some, made)
            if keep_replies:
                _write_replies(copy, split, some, plan.samples)
        folders.write_json(copy / "manifest.json", {**manifest, "files": describe(copy)})
        replacing.put(copy, folder)
    except BaseException:
        replacing.clear(copy)
        raise
    return tiers


def _without_graded(folder: Path) -> Callable[[str, list[str]], Sequence[str]]:
    data = str(folder / "data")
    return lambda place, _: _GRADED if place == data else ()


def _rated(shard: Shard, model: Engine, plan: Plan) -> list[Problem]:
    """Give a shard's problems with the rates that its journal holds."""
    problems = list(shard.problems())
    rates = Grading(rates_of(kept(Part(problems, shard.journal), plan), model, plan), {})
    return [graded(problem, rates, plan.thresholds) for problem in problems]


def _write_problems(
    copy: Path,
    split: str,
    columns: pa.Schema,
    shards: Iterable[Shard],
    made: Iterable[list[Problem]],
) -> Counter[str]:
    """Write the rows of a split with the difficulty of their problems; count the tiers."""
    tiers: Counter[str] = Counter()
    schema = with_rates(columns.empty_table(), ()).schema
    with Shards(copy, "problems", split, schema) as file:
        for shard, problems in zip(shards, made, strict=True):
            file.write(with_rates(shard.table(), problems))
            tiers.update(problem.tier for problem in problems)
    return tiers


def _write_replies(copy: Path, split: str, shards: Iterable[Shard], samples: int) -> None:
    """Write the replies that the rates of a split count, in the order of its problems."""
    with Shards(copy, "replies", split, REPLIES) as file:
        for shard in shards:
            table = replies(shard.journal, shard.table()["id"].to_pylist())
            file.write(table.filter(pc.less(table["sample"], samples)))
