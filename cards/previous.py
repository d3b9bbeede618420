"""Fetches from the Hub what a new version builds on: the previous one, and the card's own part."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cards.datacard import handwritten_part
from cards.errors import VersionError
from cards.hub import Lost, client, trying
from cards.layout import CARD, DEFAULT, MANIFEST
from cards.manifest import read_manifest
from cards.push import Remote, look
from cards.versions import Version

__all__ = ["NOTHING", "Previous", "fetch_previous", "kept_metadata"]


@dataclass(frozen=True, slots=True)
class Previous:
    """What a new version builds on.

    Attributes:
        version: The highest version below the new one, or None.
        folder: Where its manifest and ``problems`` are, or None where it has no manifest.
        changes: Its changelog, newest first.
        handwritten: The part of the card that is kept.
        kept: Metadata of the card that this library does not write.
    """

    version: Version | None = None
    folder: Path | None = None
    changes: Sequence[Mapping[str, Any]] = ()
    handwritten: str = ""
    kept: Mapping[str, Any] = field(default_factory=dict)


NOTHING = Previous()
"""There is no version yet."""
_WRITTEN = frozenset(
    "license language pretty_name task_categories size_categories annotations_creators "
    "language_creators multilinguality source_datasets library_name tags configs "
    "dataset_info".split()
)


def fetch_previous(
    repo_id: str, version: Version, place: Path, *, token: str | None, may_miss: bool
) -> Previous:
    """Fetch the previous version.

    Args:
        repo_id: The repository.
        version: The new version.
        place: Folder to download into.
        token: A token; None for the usual places.
        may_miss: Whether a Hub that cannot be reached counts as one without versions, with a
            warning.

    Returns:
        What the new version builds on.

    Raises:
        VersionError: A higher version is there.
        HubError: The Hub refuses, or cannot be reached.
    """
    try:
        remote = look(repo_id, token=token)
    except Lost:
        if may_miss:
            warnings.warn(
                "the Hub cannot be reached; the folder is made as if nothing was published yet",
                stacklevel=3,
            )
            return NOTHING
        raise
    if not remote.exists:
        return NOTHING
    newest = remote.latest()
    if newest is not None and newest > version and version.tag not in remote.tags:
        raise VersionError(f"{repo_id} has version {newest} already; publish a higher one")
    readme = _readme(repo_id, remote, place / "main", token)
    older = remote.latest(below=version)
    folder = None if older is None else _download(repo_id, older, place / "previous", token)
    changes = [] if folder is None else read_manifest(folder)["changes"]
    return Previous(older, folder, changes, handwritten_part(readme), kept_metadata(readme))


def _readme(repo_id: str, remote: Remote, place: Path, token: str | None) -> str:
    if not remote.head:
        return ""
    path = _file(repo_id, CARD, remote.head, place, token)
    return "" if path is None else path.read_text(encoding="utf-8", errors="replace")


def kept_metadata(readme: str) -> dict[str, Any]:
    """Give the metadata that somebody added to a card.

    Args:
        readme: The card.

    Returns:
        The metadata that this library does not write.
    """
    import yaml

    match = re.match(r"\A---\n(.*?)\n---", readme, flags=re.DOTALL)
    try:
        plain = yaml.safe_load(match[1]) if match else {}
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    known = plain if isinstance(plain, dict) else {}
    return {str(name): value for name, value in known.items() if name not in _WRITTEN}


def _download(repo_id: str, version: Version, place: Path, token: str | None) -> Path | None:
    """Fetch the manifest and the problems of a version; None where it has no manifest."""
    if _file(repo_id, MANIFEST, version.tag, place, token) is None:
        return None
    for name in read_manifest(place)["files"]:
        if name.startswith(f"data/{DEFAULT}/"):
            _file(repo_id, name, version.tag, place, token)
    return place


def _file(repo_id: str, name: str, revision: str, place: Path, token: str | None) -> Path | None:
    from huggingface_hub.errors import RemoteEntryNotFoundError

    def fetched() -> Path | None:
        try:
            found = client(token).hf_hub_download(
                repo_id, name, repo_type="dataset", revision=revision, local_dir=place
            )
        except RemoteEntryNotFoundError:
            return None
        return Path(found)

    return trying(f"download {name}", repo_id, fetched)
