"""Verifies a published version: hashes of all files, all descriptions, a sample of rows.

The rows are derived again from source and call alone, as :mod:`cards.deriving` does.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cards.derived_views import strangers
from cards.deriving import differences
from cards.described import check_descriptions
from cards.errors import DamagedFileError, DatasetError
from cards.files import rows_of, shards_of
from cards.finding import Finding
from cards.folders import checked_path
from cards.hub import checked_repo_id, client, trying
from cards.layout import DEFAULT, MANIFEST, SPLITS
from cards.manifest import read_manifest
from cards.origins import origin_of
from cards.report import check_report
from cards.schemas import SCHEMAS, check_file
from cards.staging import check_splits
from cards.sums import check_sums, hashes_of
from tracing.errors import UsageError, shorten

__all__ = ["Finding", "Verified", "verify"]


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verification found.

    Attributes:
        version: The version that the manifest names, or an empty text.
        files: Files whose hashes were compared.
        rows: Problems that were derived again.
        findings: What is not right; nothing where all is well.
    """

    version: str
    files: int
    rows: int
    findings: tuple[Finding, ...]

    @property
    def is_right(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def verify(
    repo_id: str | Path,
    revision: str | None = None,
    *,
    rows: int = 50,
    seed: int = 0,
    workers: int = 2,
    token: str | None = None,
) -> Verified:
    """Verify a version of a dataset.

    Args:
        repo_id: A dataset on the Hub, or a folder that was published from or downloaded.
        revision: A tag, branch or commit of a dataset on the Hub; None for the main branch.
        rows: Problems to derive again, drawn by seed; all of them where there are fewer.
        seed: Another seed draws others.
        workers: Programs that are run at the same time.
        token: A token; None for the usual places, and none is needed for public data.

    Returns:
        What was found.

    Raises:
        HubError: The Hub refuses, or cannot be reached.
        DatasetError: There is no manifest, or it is damaged.
        InfrastructureError: No worker can be started.
    """
    checked_path(repo_id, "the dataset")
    if isinstance(repo_id, Path) and revision is not None:
        raise UsageError(f"the folder {shorten(str(repo_id))} has no revisions; give none")
    if revision is None and Path(repo_id).is_dir():
        return _verify(Path(repo_id), rows, seed, workers)
    if isinstance(repo_id, Path):
        raise UsageError(f"there is no folder {shorten(str(repo_id))}")
    checked_repo_id(repo_id)
    with tempfile.TemporaryDirectory(prefix="execverify-") as folder:
        # Without a connection the client gives back a folder that has files, if not all:
        # every try gets one of its own.
        place = trying(
            "download the files",
            repo_id,
            lambda: client(token).snapshot_download(
                repo_id,
                repo_type="dataset",
                revision=revision,
                local_dir=tempfile.mkdtemp(dir=folder),
            ),
        )
        return _verify(Path(place), rows, seed, workers)


def _verify(place: Path, rows: int, seed: int, workers: int) -> Verified:
    manifest = read_manifest(place)
    hashes = hashes_of(place)
    findings = list(_check_files(place, manifest, hashes))
    are_as_said = not findings
    unreadable = list(_check_columns(place))
    chosen: list[str] = []
    try:
        if not unreadable:
            findings += _check_whole(place)
            chosen = _sample(place, rows, seed)
            narrator = (manifest["narration"] or {}).get("narrator")
            origin = origin_of(place, manifest["build"])
            findings += differences(
                place, chosen, workers=workers, narrator=narrator, origin=origin
            )
        if are_as_said and not unreadable:
            findings += check_descriptions(place, manifest)
    except DamagedFileError as error:
        name = error.path.relative_to(place).as_posix()
        unreadable.append(Finding(name, f"the file {error.why}"))
    found = tuple(dict.fromkeys(findings + unreadable))
    return Verified(manifest["version"], len(hashes), len(chosen), found)


def _check_files(
    place: Path, manifest: Mapping[str, Any], hashes: Mapping[str, str]
) -> Iterator[Finding]:
    """Compare all files with their hashes, and the data files with the manifest."""
    named = set()
    for finding in check_sums(place, hashes):
        named.add(finding.place)
        yield finding
    for finding in _check_data_files(place, manifest["files"], hashes):
        if finding.place not in named:
            yield finding


def _check_data_files(
    place: Path, described: Mapping[str, Mapping[str, Any]], hashes: Mapping[str, str]
) -> Iterator[Finding]:
    for name, facts in sorted(described.items()):
        path = place / name
        if not path.is_file():
            yield Finding(name, "the file is missing")
        elif hashes[name] != facts["sha256"] or path.stat().st_size != facts["bytes"]:
            yield Finding(name, f"its SHA-256 or size is not what {MANIFEST} says")
    for path in sorted(place.glob("data/**/*.parquet")):
        name = path.relative_to(place).as_posix()
        if name not in described:
            yield Finding(name, f"{MANIFEST} does not know this file")


def _check_columns(place: Path) -> Iterator[Finding]:
    """Find the files that rows cannot be read from."""
    for config in SCHEMAS:
        for path in sorted(place.glob(f"data/{config}/*.parquet")):
            try:
                check_file(path, config)
            except DamagedFileError as error:
                yield Finding(path.relative_to(place).as_posix(), f"the file {error.why}")


def _check_whole(place: Path) -> Iterator[Finding]:
    """Check what concerns all rows, not a sample of them."""
    try:
        check_splits(place)
    except DamagedFileError:
        raise
    except DatasetError as error:
        yield Finding(f"data/{DEFAULT}", str(error))
    yield from strangers(place)
    yield from check_report(place)


def _sample(place: Path, rows: int, seed: int) -> list[str]:
    known = [
        row["id"] for split in SPLITS for row in rows_of(shards_of(place, DEFAULT, split), ["id"])
    ]
    if rows >= len(known):
        return known
    return random.Random(f"verify\0{seed}").sample(known, max(rows, 0))
