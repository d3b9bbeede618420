"""Makes again what a version says of its data, and compares: card, Croissant, manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cards.croissant import croissant_of
from cards.datacard import handwritten_part, render
from cards.errors import DatasetError
from cards.files import describe
from cards.finding import Finding
from cards.layout import CARD, CROISSANT, DEFAULT, MANIFEST
from cards.previous import kept_metadata
from cards.statistics import Statistics, statistics_of
from curricula.views.stage1 import TASKS
from tracing.errors import shorten

__all__ = ["check_descriptions"]


def check_descriptions(place: Path, manifest: Mapping[str, Any]) -> Iterator[Finding]:
    """Find what card, Croissant and manifest say otherwise than the data files.

    Args:
        place: The folder of a version, whose data files can be read.
        manifest: Its manifest.

    Yields:
        What is not as they say.
    """
    try:
        stats = statistics_of(place)
    except DatasetError as error:
        yield Finding(f"data/{DEFAULT}", str(error))
        return
    yield from _check_manifest(place, manifest, stats)
    path = place / CARD
    if not path.is_file():
        yield Finding(CARD, "the card is missing")
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    repo_id, license = _named(text)
    yield from _check_card(place, text, repo_id, license)
    yield from _check_croissant(place, manifest, stats, repo_id, license)


def _check_card(place: Path, text: str, repo_id: str, license: str) -> Iterator[Finding]:
    try:
        again = render(
            place,
            repo_id=repo_id,
            license=license,
            handwritten=handwritten_part(text),
            kept=kept_metadata(text),
        )
    except DatasetError as error:  # a mark is missing, or the report is damaged
        yield Finding(CARD, f"the card cannot be made again: {error}")
        return
    if again != text:
        lines = zip(text.split("\n"), again.split("\n"), strict=False)
        differ = next((f"it says {a!r}, the files {b!r}" for a, b in lines if a != b), "its length")
        yield Finding(
            CARD,
            "the card does not follow from the files, or another version of this library wrote "
            f"it: {shorten(differ, 300)}",
        )


def _named(text: str) -> tuple[str, str]:
    """Read the repository and the licence that a card names."""
    found = text.partition('load_dataset("')[2].partition('"')[0]
    license = text.partition("\nlicense: ")[2].partition("\n")[0]
    return found, license


def _check_croissant(
    place: Path, manifest: Mapping[str, Any], stats: Statistics, repo_id: str, license: str
) -> Iterator[Finding]:
    path = place / CROISSANT
    if not path.is_file():
        yield Finding(CROISSANT, "the file is missing")
        return
    again = croissant_of(
        place,
        stats,
        manifest["files"],
        repo_id=repo_id,
        version=manifest["version"],
        license=license,
    )
    if path.read_text(encoding="utf-8", errors="replace") != again:
        yield Finding(
            CROISSANT, "it does not follow from the files, or another version of this library did"
        )


def _check_manifest(
    place: Path, manifest: Mapping[str, Any], stats: Statistics
) -> Iterator[Finding]:
    for name, facts in describe(place).items():
        said = manifest["files"].get(name)
        if said is not None and said["rows"] != facts["rows"]:
            yield Finding(name, f"it has {facts['rows']} rows, {MANIFEST} says {said['rows']}")
    if manifest["columns"] != {config.name: dict(config.columns) for config in stats.configs}:
        yield Finding(MANIFEST, "its columns are not those of the files")
    narration = manifest["narration"]
    if narration is not None:
        kept = sum(config.rows for config in stats.configs if config.name == "sft")
        asked = len(TASKS) * stats.problems
        if (narration["asked"], kept + sum(narration["refused"].values())) != (asked, asked):
            yield Finding(MANIFEST, "its narration does not add up to the rows of sft")
