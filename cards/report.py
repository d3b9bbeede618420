"""``report.json``: what became of the programs of a build, and how large its result is.

What was tried and refused is the build's own word; the rest is counted from the data files,
so that it is true of what is published, after grading, too. Read from anywhere, it is
checked before it is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cards.checks import are_counts, check_parts, is_count, is_text
from cards.errors import DatasetError
from cards.files import describe, read_json, rows_of, shards_of, write_json
from cards.finding import Finding
from cards.layout import DEFAULT, REPORT, SPLITS
from tracing.errors import shorten

__all__ = ["check_report", "read_report", "write_report"]


def read_report(place: Path) -> dict[str, Any] | None:
    """Read the report of a folder.

    Args:
        place: The folder of a dataset, which may come from anywhere.

    Returns:
        The report, or None where there is none.

    Raises:
        DatasetError: It is not as a build writes it.
    """
    if not (place / REPORT).is_file():
        return None
    # An older build does not say what its generator knew.
    report = {"catalogue": {}, "idioms": [], **read_json(place / REPORT)}
    check_parts(report, _PARTS, REPORT, place)
    return report


def write_report(place: Path, report: Mapping[str, Any]) -> None:
    """Write a build's report beside its data files, counted anew.

    Args:
        place: The folder, with all its data files.
        report: What the build reported.
    """
    write_json(place / REPORT, {**report, **_counted(place)})


def check_report(place: Path) -> Iterator[Finding]:
    """Count the data files again, and see whether the build's own counts add up.

    Args:
        place: The folder of a version.

    Yields:
        What is not as the report says.
    """
    try:
        report = read_report(place)
    except DatasetError as error:
        yield Finding(REPORT, str(error))
        return
    if report is None:
        return
    for name, found in _counted(place).items():
        if report[name] != found:
            said = shorten(repr(report[name]))
            yield Finding(REPORT, f"{name} is {said}, counted again {shorten(repr(found))}")
    refused = sum(report["refused"].values())
    contaminated = sum(facts["refused"] for facts in report["decontamination"].values())
    programs = len({row["source"] for row in _problems(place)})
    sums = {
        "programs_tried is not programs_kept and what was refused": (
            report["programs_tried"] != report["programs_kept"] + refused
        ),
        "the data have more programs than were kept and were no duplicates": (
            programs > report["programs_kept"] - report["duplicates"]
        ),
        "quarantined does not list as many programs as were refused so": (
            len(report["quarantined"]) != report["refused"].get("quarantined", 0)
        ),
        "more programs were refused for benchmarks than were refused": contaminated > refused,
    }
    yield from (Finding(REPORT, what) for what, is_wrong in sums.items() if is_wrong)


def _counted(place: Path) -> dict[str, Any]:
    tiers: Counter[str] = Counter()
    cells: set[tuple[str, str]] = set()
    for row in _problems(place):
        tiers[row["tier"]] += 1
        if row["shape"]["type"]:  # somebody's own program claims none
            cells.add((row["shape"]["type"], row["shape"]["method"]))
    files = describe(place)
    return {
        "problems": sum(tiers.values()),
        "tiers": dict(sorted(tiers.items())),
        "cells": len(cells),
        "files": len(files),
        "bytes": sum(facts["bytes"] for facts in files.values()),
    }


def _problems(place: Path) -> Iterator[dict[str, Any]]:
    for split in SPLITS:
        yield from rows_of(shards_of(place, DEFAULT, split), ["source", "tier", "shape"])


def _are_benchmarks(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(facts, Mapping)
        and is_count(facts.get("programs"))
        and is_count(facts.get("refused"))
        for facts in value.values()
    )


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def _are_lists_of_texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_are_texts, value.values()))


_PARTS: dict[str, Callable[[Any], bool]] = {
    "problems": is_count,
    "programs_tried": is_count,
    "programs_kept": is_count,
    "duplicates": is_count,
    "cells": is_count,
    "files": is_count,
    "bytes": is_count,
    "refused": are_counts,
    "tiers": are_counts,
    "decontamination": _are_benchmarks,
    "quarantined": _are_texts,
    "catalogue": _are_lists_of_texts,
    "idioms": _are_texts,
}
