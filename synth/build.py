"""Builds a curriculum: shards by an executor, then one pass that puts them together.

The work stands in a hidden folder beside the result, shard by shard, each whole or
absent; so an interrupted build goes on where it was, and the result is the same bytes
as an undisturbed one's. Several machines may make shards for the same build.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from synth import (
    assemble,
    folder,
    remote,
    replacing,
    report,
    shard_files,
    shards,
    standing,
    work,
)
from synth.catalogue import methods_by_type
from synth.decontaminate import known
from synth.executors.base import Executor, ShardReport, executor_of
from synth.generate import PARTS
from synth.report import BuildReport
from synth.spec import Spec, check_int
from tracing.errors import ExecVerifyError, UsageError

__all__ = ["build_folder", "build_shards"]

Begin = Callable[[str], None]
Found = Callable[[int], None]
Watch = Callable[[ShardReport], None]


def _ignore(_: object) -> None:
    """Take what nobody wants to be told."""


def build_folder(
    spec: Spec,
    out: Path | str,
    *,
    workers: int | None = None,
    executor: str = "local",
    force: bool = False,
    begin: Begin = _ignore,
    found: Found = _ignore,
    watch: Watch = _ignore,
) -> BuildReport:
    """Build a curriculum into a folder, which appears whole or not at all.

    Where this very build stands already and is whole, nothing is done; where its files are
    damaged it is made again in its place.

    Args:
        spec: What to build.
        out: The folder, or an address that fsspec knows (``"s3://bucket/name"``,
            ``"hf://datasets/user/name"``), where the manifest appears last; it must not
            exist, unless it holds the same build or ``force``.
        workers: Processes; one for each core, of the cluster if it is one, where it is None.
        executor: ``"local"`` or ``"ray[:address]"``.
        force: Replace the build that is there; what no build made is refused all the same.
        begin: Called when the arguments have been found right and the work begins, with what
            there is to say first: why a build is made again, or that it is only sent; an empty
            text where there is nothing.
        found: Called with how many problems of an earlier try there are, shard by shard.
        watch: Called with each shard's report as it is made.

    Returns:
        The report, which also stands in ``report.json``.

    Raises:
        UsageError: An argument is not what it may be.
        ExecVerifyError: The build failed; what is done is kept for the next try.
    """
    start = time.monotonic()
    count = _checked(workers)
    make, address = _maker_of(spec, executor)

    def build(place: Path, damage: str) -> BuildReport:
        replacing.check_hidden(place)
        place.parent.mkdir(parents=True, exist_ok=True)
        with work.alone(spec, place) as where:
            begin(damage and f"Damaged, so it is built again: {damage}")
            made = _build(
                spec, where, lambda n: make(spec, n, where, count, address), found, watch, start
            )
            replacing.put(where / "final", place)
            replacing.clear(where)
        return made

    place = remote.local_path(out)
    if place is None:
        return _build_away(spec, str(out), force, build, begin, found)
    place, damage = replacing.named(place), ""
    if standing.is_there(spec, place, force):
        damage = standing.damage_of(place)
        if not damage:
            work.forget(place)  # where a build ended just before it would have
            return standing.report_of(place)
    return build(place, damage)


def _build_away(
    spec: Spec,
    url: str,
    force: bool,
    build: Callable[[Path, str], BuildReport],
    begin: Begin,
    found: Found,
) -> BuildReport:
    """Build in a folder of this machine and send that; what was not sent to its end is kept."""
    place = remote.staging_of(url, work.identity(spec))
    made = remote.report_of(url, None if force else work.identity(spec))
    damage = remote.damage_of(url, made) if made else ""
    if made is None or damage:
        remote.check_writable(url)
        if standing.is_whole(spec, place):
            begin("It was built before, and is sent now")
            made = standing.report_of(place)
            found(made.problems)
        else:
            replacing.check_replaceable(place)
            made = build(place, damage)
        with work.sending(place):
            remote.upload(place, url)
            replacing.clear(place)
    work.forget(place)
    return made


def build_shards(
    spec: Spec,
    out: Path | str,
    numbers: Iterable[int],
    *,
    workers: int | None = None,
    executor: str = "local",
    begin: Begin = _ignore,
    found: Found = _ignore,
    watch: Watch = _ignore,
) -> int:
    """Make some shards of a build, beside others that make other shards of it.

    :func:`build_folder` with the same spec and folder puts them together, and makes
    those that are still missing.

    Args:
        spec: What is built.
        out: The folder of the whole build, on a file system that all makers share.
        numbers: The shards, from 0.
        workers: Processes; one for each core, of the cluster if it is one, where it is None.
        executor: ``"local"`` or ``"ray[:address]"``.
        begin: Called, with an empty text, when the work begins.
        found: Called with how many problems of an earlier try there are, shard by shard.
        watch: Called with each shard's report as it is made.

    Returns:
        How many shards were made now; those that were there already are not counted.

    Raises:
        UsageError: An argument is not what it may be, or the folder is another build's.
        ExecVerifyError: A shard cannot be made; what is done is kept.
    """
    count = _checked(workers)
    make, address = _maker_of(spec, executor)
    place = remote.local_path(out)
    if place is None:
        raise UsageError("shards need a folder that all makers share; give the last build the URL")
    place = replacing.named(place)
    chosen = sorted(set(numbers))
    usual = math.ceil(spec.size / shards.rows_of(spec))
    if not chosen or chosen[0] < 0 or chosen[-1] >= 2 * usual + 16:
        raise UsageError(
            f"a build of {spec.size:,} problems has the shards 0 to {usual - 1} and perhaps "
            "a few more; choose of these"
        )
    if standing.is_there(spec, place) and not standing.damage_of(place):
        return 0
    place.parent.mkdir(parents=True, exist_ok=True)
    with work.shared(spec, place) as where:
        begin("")
        missing = []
        for number in chosen:
            done = shard_files.report_of(where, number)
            if done is None:
                missing.append(number)
            else:
                found(done.problems)
        for made in make(spec, missing, where, count, address):
            watch(made)
    return len(missing)


def _maker_of(spec: Spec, executor: str) -> tuple[Executor, str]:
    """Find who makes the shards: a model's proposals have an executor of their own."""
    if not spec.source:
        return executor_of(executor)
    if executor != "local":
        raise UsageError("what a model proposes is made by the local executor alone")
    from curricula.difficulty.engines import check_engine
    from synth.sources import make_shards

    check_engine(spec.source)
    return make_shards, ""


def _checked(workers: int | None) -> int | None:
    if workers is not None:
        check_int("workers", workers, 1, 1024)
    return workers


def _build(
    spec: Spec,
    place: Path,
    make: Callable[[list[int]], Iterator[ShardReport]],
    found: Found,
    watch: Watch,
    start: float,
) -> BuildReport:
    """Build in the working folder, taking up what is there; the result is its ``final``."""
    reports: dict[int, ShardReport] = {}

    def more(total: int) -> None:
        missing = []
        for number in range(len(reports), total):
            done = shard_files.report_of(place, number)
            if done is None:
                missing.append(number)
            else:
                reports[number] = done
                found(done.problems)
        for made in make(missing):
            reports[made.number] = made
            watch(made)

    kept = _enough(spec, place, more)
    return _assemble(spec, place, kept, [reports[n] for n in sorted(reports)], start)


def _enough(spec: Spec, place: Path, more: Callable[[int], None]) -> assemble.Plan:
    """Make shards until they hold enough rows that are no duplicates."""
    each = shards.rows_of(spec)
    total = math.ceil(spec.size / each)
    before = -1
    while True:
        more(total)
        kept = assemble.plan(place, total, spec.size)
        if kept.rows >= spec.size:
            return kept
        if kept.rows <= before:
            raise ExecVerifyError(
                f"only {kept.rows:,} different problems were found of {spec.size:,}; ask for fewer"
            )
        before = kept.rows
        total += max(1, math.ceil((spec.size - kept.rows) / each))


def _idioms(spec: Spec) -> tuple[str, ...]:
    """Name what the programs of a build can be composed of."""
    if not spec.source:
        return PARTS
    from synth.sources.reading import proposed_by

    return (proposed_by(spec.source),)


def _assemble(
    spec: Spec,
    place: Path,
    kept: assemble.Plan,
    reports: Sequence[ShardReport],
    start: float,
) -> BuildReport:
    final = place / "final"
    folder.remove(final)
    final.mkdir()
    rows = assemble.write_splits(place, kept, final)
    files = folder.described(final, rows)
    seconds = round(time.monotonic() - start, 1)
    benchmarks = known(spec.benchmarks, spec.benchmarks_sha256).programs if spec.benchmarks else {}
    # What a model is asked for needs no import.
    catalogue = methods_by_type(stdlib=spec.stdlib and not spec.source)
    made = report.of_files(
        final, files, reports, benchmarks, kept.duplicates, seconds, catalogue, _idioms(spec)
    )
    # The time is no part of the result: two builds of the same are the same bytes.
    folder.write_json(final / "report.json", {**made.as_dict(), "seconds": 0.0})
    folder.write_json(final / "manifest.json", {"build": work.identity(spec), "files": files})
    return made
