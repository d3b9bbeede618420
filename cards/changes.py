"""Compares a dataset with its previous version: what changed, and which version that needs.

- **major**: a column, config or split is removed, a column has another type, or a problem
  is in another split than before. Code that reads it, or a comparison of scores, may break.
- **minor**: rows are added, removed or changed; columns, configs or splits are added.
- **patch**: every row is as before: text, plots, metadata.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cards.errors import VersionError
from cards.files import rows_of, shards_of
from cards.layout import DEFAULT, SPLITS
from cards.manifest import read_manifest
from cards.markdown import plural
from cards.versions import Version

__all__ = ["Difference", "changelog_entry", "check_bump", "compare", "first_entry"]


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed since the previous version.

    Attributes:
        before: The previous version.
        rows: Problems of each split, before and now.
        added: Problems that are new.
        removed: Problems that are gone.
        changed: Problems that are in both and differ.
        moved: Problems that are in another split.
        breaking: Sentences on what may break a reader.
        additions: Sentences on columns, configs and splits that are new.
        rewritten: Configs other than ``problems`` whose files differ.
    """

    before: Version
    rows: tuple[tuple[str, int, int], ...]
    added: int
    removed: int
    changed: int
    moved: int
    breaking: tuple[str, ...]
    additions: tuple[str, ...]
    rewritten: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The least that the next version must say: major, minor or patch."""
        if self.breaking or self.moved:
            return "major"
        data = self.added or self.removed or self.changed or self.additions or self.rewritten
        return "minor" if data else "patch"


def compare(before: Path, version: Version, after: Path) -> Difference:
    """Compare two versions of a dataset.

    Args:
        before: A folder with the previous version's manifest and ``problems``.
        version: The previous version.
        after: The folder of the new one, staged.

    Returns:
        The difference.

    Raises:
        DatasetError: A file is missing or damaged.
    """
    old, new = read_manifest(before), read_manifest(after)
    old_rows, new_rows = _digests(before), _digests(after)
    both = old_rows.keys() & new_rows.keys()
    breaking, additions = _schema_changes(old["columns"], new["columns"])
    lost, gained = _split_changes(old, new)
    return Difference(
        before=version,
        rows=tuple((split, _rows(old, split), _rows(new, split)) for split in SPLITS),
        added=len(new_rows.keys() - both),
        removed=len(old_rows.keys() - both),
        changed=sum(old_rows[i][1] != new_rows[i][1] for i in both),
        moved=sum(old_rows[i][0] != new_rows[i][0] for i in both),
        breaking=(*breaking, *lost),
        additions=(*additions, *gained),
        rewritten=tuple(_rewritten(old, new)),
    )


def _digests(place: Path) -> dict[str, tuple[str, bytes]]:
    """For each problem, its split and a digest of its row."""
    return {
        row["id"]: (split, hashlib.blake2b(repr(row).encode(), digest_size=12).digest())
        for split in SPLITS
        for row in rows_of(shards_of(place, DEFAULT, split))
    }


def _schema_changes(
    old: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]
) -> tuple[list[str], list[str]]:
    """List what a reader of the old columns misses, and what is new."""
    breaking = [f"config {name} is gone" for name in sorted(old.keys() - new.keys())]
    additions = [f"config {name} is new" for name in sorted(new.keys() - old.keys())]
    for config in sorted(old.keys() & new.keys()):
        was, now = old[config], new[config]
        breaking += [f"{config}.{name} is gone" for name in sorted(was.keys() - now.keys())]
        additions += [f"{config}.{name} is new" for name in sorted(now.keys() - was.keys())]
        breaking += [
            f"{config}.{name} has another type"
            for name in sorted(was.keys() & now.keys())
            if was[name] != now[name]
        ]
    return breaking, additions


def _split_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """List the splits that configs of both versions have no more, and those they got."""
    was, now = _splits(old), _splits(new)
    both = {config for config, _ in was} & {config for config, _ in now}
    said = [
        [f"{config} has {words} {split} split" for config, split in sorted(some) if config in both]
        for words, some in (("no more", was - now), ("now a", now - was))
    ]
    return said[0], said[1]


def _splits(manifest: Mapping[str, Any]) -> set[tuple[str, str]]:
    paths = [name.split("/") for name in manifest["files"]]
    return {(config, file.partition("-")[0]) for _, config, file in paths}


def _files(manifest: Mapping[str, Any], config: str) -> dict[str, str]:
    files = manifest["files"].items()
    return {name: facts["sha256"] for name, facts in files if name.split("/")[1] == config}


def _rewritten(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for config in sorted(old["columns"].keys() & new["columns"].keys()):
        if config != DEFAULT and _files(old, config) != _files(new, config):
            yield config


def _rows(manifest: Mapping[str, Any], split: str) -> int:
    start = f"data/{DEFAULT}/{split}-"
    return sum(facts["rows"] for name, facts in manifest["files"].items() if name.startswith(start))


def check_bump(version: Version, difference: Difference) -> None:
    """Refuse a version that says less than what changed.

    Args:
        version: The new version.
        difference: What changed since the previous one.

    Raises:
        VersionError: It is too low.
    """
    least = difference.before.after(difference.kind)
    if version < least:
        what = "; ".join(difference.breaking) or _data_sentence(difference)
        raise VersionError(
            f"{version} is too low after {difference.before}, this is a {difference.kind} change "
            f"({what}); publish {least} or higher"
        )


def first_entry(version: Version, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Write the changelog's entry of a first version.

    Args:
        version: The version.
        manifest: Its manifest.

    Returns:
        The entry: ``version`` and ``lines``.
    """
    rows = ", ".join(f"{split} {_rows(manifest, split):,}" for split in SPLITS)
    total = sum(_rows(manifest, split) for split in SPLITS)
    return {
        "version": str(version),
        "lines": [f"First version: {plural(total, 'problem')} ({rows})."],
    }


def changelog_entry(version: Version, difference: Difference) -> dict[str, Any]:
    """Write the changelog's entry of a version.

    Args:
        version: The version.
        difference: What changed since the previous one.

    Returns:
        The entry: ``version`` and ``lines``.
    """
    was = sum(before for _, before, _ in difference.rows)
    now = sum(after for _, _, after in difference.rows)
    by_split = ", ".join(
        f"{split} {before:,} to {after:,}" for split, before, after in difference.rows
    )
    lines = [f"Since {difference.before}: {was:,} to {now:,} problems ({by_split})."]
    lines.append(f"{_data_sentence(difference)[0].upper()}{_data_sentence(difference)[1:]}.")
    if difference.moved:
        lines.append(f"{difference.moved:,} problems are in another split.")
    lines += [f"{sentence[0].upper()}{sentence[1:]}." for sentence in difference.breaking]
    lines += [f"{sentence[0].upper()}{sentence[1:]}." for sentence in difference.additions]
    if difference.rewritten:
        lines.append(f"Written anew: {', '.join(difference.rewritten)}.")
    return {"version": str(version), "lines": lines}


def _data_sentence(difference: Difference) -> str:
    if not (difference.added or difference.removed or difference.changed):
        return "no problem was added, removed or changed"
    return (
        f"{difference.added:,} problems were added, {difference.removed:,} removed and "
        f"{difference.changed:,} changed"
    )
