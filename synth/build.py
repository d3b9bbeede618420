"""Builds a curriculum: shards by an executor, then one pass that puts them together.

The work stands in a hidden folder beside the result, shard by shard, each whole or
absent; so an interrupted build goes on where it was, and the result is the same bytes
as an undisturbed one's.
"""

from __future__ import annotations

import math
import os
import platform
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth import assemble, folder, shards
from synth.executors.base import ShardReport, executor_of
from synth.problems import VERSION
from synth.spec import Spec, to_json
from tracing.errors import ExecVerifyError, UsageError, shorten

if TYPE_CHECKING:
    from datasets import DatasetDict

__all__ = ["BuildReport", "build_curriculum", "build_folder"]

_PACKAGES = ("hypothesis", "libcst", "pyarrow")
"""Packages whose version the bytes of a build depend on."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What became of a build.

    Attributes:
        problems: Problems that were written.
        programs_tried: Programs that were generated.
        programs_kept: Of these, programs that gave a problem.
        refused: Reasons of refusal with their counts, most frequent first.
        tiers: Problems by tier.
        cells: Different (type, method) pairs.
        duplicates: Programs that repeated one of an earlier shard.
        quarantined: Sources of programs that ended a worker twice.
        files: Data files.
        bytes: Their size together.
        seconds: How long it took; no part of the data.
    """

    problems: int
    programs_tried: int
    programs_kept: int
    refused: tuple[tuple[str, int], ...]
    tiers: tuple[tuple[str, int], ...]
    cells: int
    duplicates: int
    quarantined: tuple[str, ...]
    files: int
    bytes: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Give the report as JSON can hold it."""
        plain = asdict(self)
        plain["refused"] = dict(self.refused)
        plain["tiers"] = dict(self.tiers)
        return plain

    def tiers_line(self) -> str:
        """Say in a line how many problems each tier has, and how that is known."""
        counts = ", ".join(f"{tier} {number:,}" for tier, number in self.tiers)
        return f"{counts}, by estimate (grade with a model for measured tiers)"


def build_curriculum(
    tier: str = "hard",
    *,
    size: int = 1000,
    seed: int = 0,
    difficulty: str = "estimate",
    workers: int | None = None,
    like: str | None = None,
    kinds: Sequence[str] | None = None,
    questions: int = 10,
    executor: str = "local",
) -> DatasetDict:
    """Build a curriculum in memory.

    Args:
        tier: ``"easy"``, ``"medium"``, ``"hard"`` or ``"all"``.
        size: Number of problems over all splits.
        seed: Another seed gives other programs.
        difficulty: ``"estimate"``, or an engine to measure pass rates with
            (``"vllm:MODEL"``); then the tier is of measured rates, and fewer problems
            than ``size`` may be left.
        workers: Processes; one for each core where it is None. The rows do not depend on it.
        like: ``"cruxeval"`` to imitate its statistics, or None.
        kinds: Question kinds to ask, or None for all.
        questions: The most questions of a problem.
        executor: ``"local"`` or ``"ray[:address]"``.

    Returns:
        Splits train, validation and test (about 90, 5 and 5%), by program family, with
        the columns of :data:`curricula.problem.SCHEMA`.

    Raises:
        UsageError: An argument is not what it may be.
        ExecVerifyError: The build failed.

    Example:
        >>> build_curriculum(tier="hard", size=20)["train"].column_names[:3]  # doctest: +SKIP
        ['id', 'family', 'source']
    """
    measured = difficulty != "estimate"
    spec = Spec(
        tier="all" if measured else tier,
        size=size,
        seed=seed,
        like=like,
        kinds=None if kinds is None else tuple(kinds),
        questions=questions,
    )
    with tempfile.TemporaryDirectory(prefix="execverify-") as place:
        out = Path(place) / "curriculum"
        build_folder(spec, out, workers=workers, executor=executor)
        made = folder.load(out)
    if measured:
        import curricula

        Spec(tier=tier, size=size, seed=seed)  # refuses an unknown tier before the model is asked
        made = curricula.grade(made, difficulty)
        if tier != "all":
            made = made.filter(lambda row: row["tier"] == tier)
    return made


def build_folder(
    spec: Spec,
    out: Path,
    *,
    workers: int | None = None,
    executor: str = "local",
    force: bool = False,
    watch: Callable[[ShardReport], None] | None = None,
) -> BuildReport:
    """Build a curriculum into a folder, which appears whole or not at all.

    Args:
        spec: What to build.
        out: The folder; it must not exist, unless it holds the same build or ``force``.
        workers: Processes; one for each core where it is None.
        executor: ``"local"`` or ``"ray[:address]"``.
        force: Replace what is there.
        watch: Called with each shard's report as it is done.

    Returns:
        The report, which also stands in ``report.json``.

    Raises:
        UsageError: An argument is not what it may be.
        ExecVerifyError: The build failed; what is done is kept for the next try.
    """
    start = time.monotonic()
    count = workers if workers is not None else len(os.sched_getaffinity(0))
    if type(count) is not int or not 1 <= count <= 1024:
        raise UsageError(f"workers must be a whole number from 1 to 1024, not {count!r}")
    make, address = executor_of(executor)
    if not force and out.exists():
        return _finished(spec, out)
    out.parent.mkdir(parents=True, exist_ok=True)
    work = out.parent / f".{out.name}.partial"
    _open(work, spec)
    reports: dict[int, ShardReport] = {}

    def more(total: int) -> None:
        missing = []
        for number in range(total):
            done = shards.report_of(work, number)
            if done is None:
                missing.append(number)
            elif number not in reports:
                reports[number] = done
                if watch:
                    watch(done)
        for report in make(spec, missing, work, count, address):
            reports[report.number] = report
            if watch:
                watch(report)

    kept = _enough(spec, work, more)
    report = _publish(spec, work, kept, reports, out, start)
    folder.remove(work)
    return report


def _finished(spec: Spec, out: Path) -> BuildReport:
    """Give the report of a folder that holds this very build; refuse any other."""
    if any(out.iterdir()) if out.is_dir() else True:
        if folder.manifest_of(out)["build"] != _identity(spec):
            raise UsageError(
                f"{shorten(str(out))} holds another build; choose another folder or --force"
            )
        return _read_report(out)
    raise UsageError(f"{shorten(str(out))} exists; choose another folder or --force")


def _identity(spec: Spec) -> dict[str, Any]:
    """Name everything that the bytes of a build depend on."""
    import json

    return {
        "spec": json.loads(to_json(spec)),
        "generator_version": VERSION,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "packages": {name: version(name) for name in _PACKAGES},
    }


def _open(work: Path, spec: Spec) -> None:
    """Make the working folder, or take up one that an interrupted build left."""
    import json

    identity = _identity(spec)
    try:
        same = json.loads((work / "build.json").read_text()) == identity
    except (OSError, ValueError):
        same = False
    if not same:
        folder.remove(work)
        work.mkdir()
        folder.write_json(work / "build.json", identity)


def _enough(spec: Spec, work: Path, more: Callable[[int], None]) -> assemble.Plan:
    """Make shards until they hold enough rows that are no duplicates."""
    each = shards.rows_of(spec)
    total = math.ceil(spec.size / each)
    before = -1
    while True:
        more(total)
        kept = assemble.plan(work, total, spec.size)
        if kept.rows >= spec.size:
            return kept
        if kept.rows <= before:
            raise ExecVerifyError(
                f"only {kept.rows:,} different problems were found of {spec.size:,}; ask for fewer"
            )
        before = kept.rows
        total += max(1, math.ceil((spec.size - kept.rows) / each))


def _publish(
    spec: Spec,
    work: Path,
    kept: assemble.Plan,
    reports: dict[int, ShardReport],
    out: Path,
    start: float,
) -> BuildReport:
    final = work / "final"
    folder.remove(final)
    final.mkdir()
    rows = assemble.write_splits(work, kept, final)
    files = folder.described(final, rows)
    report = _report(kept, [reports[n] for n in sorted(reports)], final, files, start)
    # The time is no part of the result: two builds of the same are the same bytes.
    folder.write_json(final / "report.json", {**report.as_dict(), "seconds": 0.0})
    folder.write_json(final / "manifest.json", {"build": _identity(spec), "files": files})
    folder.put(final, out)
    return report


def _report(
    kept: assemble.Plan,
    made: Sequence[ShardReport],
    final: Path,
    files: dict[str, dict[str, Any]],
    start: float,
) -> BuildReport:
    counts: Counter[str] = Counter()
    for shard in made:
        counts.update(shard.counts)
    tiers: Counter[str] = Counter()
    cells: set[tuple[str, str]] = set()
    for name in files:
        if name.startswith("data/problems/"):
            table = folder.read_columns(final / name, ["tier", "shape"])
            tiers.update(table.column("tier").to_pylist())
            cells.update((s["type"], s["method"]) for s in table.column("shape").to_pylist())
    refused = Counter({n: c for n, c in counts.items() if n not in ("tried", "kept")})
    return BuildReport(
        problems=kept.rows,
        programs_tried=counts["tried"],
        programs_kept=counts["kept"],
        refused=tuple(sorted(refused.items(), key=lambda item: (-item[1], item[0]))),
        tiers=tuple(sorted(tiers.items())),
        cells=len(cells),
        duplicates=kept.duplicates,
        quarantined=tuple(source for shard in made for source in shard.quarantined),
        files=len(files),
        bytes=sum(file["bytes"] for file in files.values()),
        seconds=round(time.monotonic() - start, 1),
    )


def _read_report(out: Path) -> BuildReport:
    import json

    plain = json.loads((out / "report.json").read_text())
    plain["refused"] = tuple(plain["refused"].items())
    plain["tiers"] = tuple(plain["tiers"].items())
    plain["quarantined"] = tuple(plain["quarantined"])
    return BuildReport(**plain)
