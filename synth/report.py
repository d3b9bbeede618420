"""What became of a build: the funnel from programs to problems, and the result's size."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

from curricula.columns import is_object_with
from synth import folder
from synth.executors.base import ShardReport
from synth.shards import CONTAMINATED
from tracing.errors import shorten

__all__ = ["BuildReport", "is_report", "of_files", "read"]

_COUNTS = (
    *("problems", "programs_tried", "programs_kept"),
    *("cells", "duplicates", "files", "bytes"),
)


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
        decontamination: For each benchmark that programs were compared with, how many
            programs it holds, and how many were refused for it.
        files: Data files.
        bytes: Their size together.
        seconds: How long it took; no part of the data.
        catalogue: What programs were planned to be about: methods by type, as
            :func:`synth.catalogue.methods_by_type` lists them; empty where an older build did
            not say.
        idioms: Names of what programs could be composed of; empty, likewise.
    """

    problems: int
    programs_tried: int
    programs_kept: int
    refused: tuple[tuple[str, int], ...]
    tiers: tuple[tuple[str, int], ...]
    cells: int
    duplicates: int
    quarantined: tuple[str, ...]
    decontamination: tuple[tuple[str, int, int], ...]
    files: int
    bytes: int
    seconds: float
    catalogue: tuple[tuple[str, tuple[str, ...]], ...] = ()
    idioms: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Give the report as JSON can hold it."""
        plain = asdict(self)
        plain["refused"] = dict(self.refused)
        plain["tiers"] = dict(self.tiers)
        plain["catalogue"] = dict(self.catalogue)
        plain["decontamination"] = {
            name: {"programs": programs, "refused": refused}
            for name, programs, refused in self.decontamination
        }
        return plain

    def tiers_line(self) -> str:
        """Say in a line how many problems each tier has, and how that is known."""
        counts = ", ".join(f"{tier} {number:,}" for tier, number in self.tiers)
        return f"{counts}, by estimate (grade with a model for measured tiers)"


def of_files(
    place: Path,
    files: Mapping[str, Mapping[str, Any]],
    shards: Sequence[ShardReport],
    benchmarks: Mapping[str, int],
    duplicates: int,
    seconds: float,
    catalogue: tuple[tuple[str, tuple[str, ...]], ...],
    idioms: tuple[str, ...],
) -> BuildReport:
    """Report on data files and on the shards that they are made of.

    Args:
        place: The folder of the files.
        files: What the manifest says of each, by its path in the folder.
        shards: The reports of all shards, in order.
        benchmarks: How many programs each benchmark holds that may not be made.
        duplicates: Programs that repeated one of an earlier shard.
        seconds: How long the build took.
        catalogue: What its programs were planned to be about.
        idioms: What they could be composed of.

    Returns:
        The report.
    """
    counts: Counter[str] = Counter()
    for shard in shards:
        counts.update(shard.counts)
    tiers: Counter[str] = Counter()
    cells: set[tuple[str, str]] = set()
    problems = 0
    for name, facts in files.items():
        if name.startswith("data/problems/"):
            problems += facts["rows"]
            table = folder.read_columns(place / name, ["tier", "shape"])
            tiers.update(table.column("tier").to_pylist())
            cells.update((s["type"], s["method"]) for s in table.column("shape").to_pylist())
    refused = Counter({n: c for n, c in counts.items() if n not in ("tried", "kept")})
    return BuildReport(
        problems=problems,
        programs_tried=counts["tried"],
        programs_kept=counts["kept"],
        refused=tuple(sorted(refused.items(), key=lambda item: (-item[1], item[0]))),
        tiers=tuple(sorted(tiers.items())),
        cells=len(cells),
        duplicates=duplicates,
        decontamination=tuple(
            (name, programs, counts[f"{CONTAMINATED}{name}"])
            for name, programs in sorted(benchmarks.items())
        ),
        quarantined=tuple(source for shard in shards for source in shard.quarantined),
        files=len(files),
        bytes=sum(file["bytes"] for file in files.values()),
        seconds=seconds,
        catalogue=catalogue,
        idioms=idioms,
    )


def is_report(text: str | bytes) -> bool:
    """Tell whether a text is a build's report.

    Args:
        text: What ``report.json`` holds.

    Returns:
        Whether it has the report's fields.
    """
    return is_object_with(text, (f.name for f in fields(BuildReport) if f.default is MISSING))


def read(out: Path) -> BuildReport:
    """Read the report of a finished build.

    Args:
        out: The folder.

    Returns:
        The report.

    Raises:
        FolderError: ``report.json`` is missing or damaged.
    """
    try:
        plain = json.loads((out / "report.json").read_text(encoding="utf-8"))
        plain["refused"] = _counts("refused", plain["refused"])
        plain["tiers"] = _counts("tiers", plain["tiers"])
        plain["quarantined"] = tuple(map(str, plain["quarantined"]))
        plain["decontamination"] = tuple(
            (name, *(_count(f"decontamination.{name}", facts[n]) for n in ("programs", "refused")))
            for name, facts in plain["decontamination"].items()
        )
        plain["catalogue"] = tuple(
            (kind, _names(f"catalogue.{kind}", methods))
            for kind, methods in plain.get("catalogue", {}).items()
        )
        plain["idioms"] = _names("idioms", plain.get("idioms", []))
        for name in _COUNTS:
            _count(name, plain[name])
        if type(plain["seconds"]) not in (int, float):
            raise ValueError("seconds is no number")
        return BuildReport(**plain)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise folder.FolderError(
            f"{shorten(str(out))}: report.json is missing or damaged: {shorten(str(error))}"
        ) from None


def _counts(name: str, given: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    return tuple((word, _count(f"{name}.{word}", count)) for word, count in given.items())


def _names(name: str, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise ValueError(f"{shorten(name)} is no list of names")
    return tuple(given)


def _count(name: str, given: Any) -> int:
    if type(given) is not int or given < 0:
        raise ValueError(f"{shorten(name)} is no count")
    return given
