"""``SHA256SUMS``: the hash of every file of a version, the card's and the manifest's included.

The card cannot hold its own hash, so a file beside it holds them all, in the form that
``sha256sum --check SHA256SUMS`` reads. Files of a repository that no version writes are
left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from cards.files import sha256_of
from cards.finding import Finding
from cards.layout import SUMS, is_ours
from tracing.errors import shorten

__all__ = ["check_sums", "hashes_of", "names_of", "write_sums"]

_LINE = re.compile(r"([0-9a-f]{64})  ([^\0]+)", re.ASCII)


def write_sums(place: Path) -> None:
    """Write the hashes of all files of a version, when no file changes any more.

    Args:
        place: The folder of the version.
    """
    (place / SUMS).write_text(_text(hashes_of(place)), encoding="utf-8")


def check_sums(place: Path, found: Mapping[str, str] | None = None) -> Iterator[Finding]:
    """Compare all files of a version with their hashes.

    Args:
        place: The folder of the version, which may come from anywhere.
        found: What :func:`hashes_of` gave for it, where that is known already.

    Yields:
        A finding for each file that is missing, unknown or other than its hash says.
    """
    if not (place / SUMS).is_file():
        yield Finding(SUMS, "the file is missing")
        return
    text = (place / SUMS).read_text(encoding="utf-8", errors="replace")
    matches = [_LINE.fullmatch(line) for line in text.removesuffix("\n").split("\n")]
    for number, match in enumerate(matches, 1):
        if match is None:
            yield Finding(SUMS, f"line {number} is not a SHA-256 and the name of a file")
    said = {match[2]: match[1] for match in matches if match}
    found = hashes_of(place) if found is None else found
    for name in sorted(said.keys() | found.keys()):
        if name not in found:
            yield Finding(shorten(name, 120), f"{SUMS} names this file, and it is missing")
        elif name not in said:
            yield Finding(name, f"{SUMS} does not know this file")
        elif said[name] != found[name]:
            yield Finding(name, f"its SHA-256 is not what {SUMS} says")
    if said == found and text != _text(found) and None not in matches:
        yield Finding(SUMS, "it is not written as a version writes it")


def names_of(place: Path) -> list[str]:
    """Name the files of a version that have a hash.

    Args:
        place: The folder of the version.

    Returns:
        Their paths in the folder, in order; the file of the hashes is not among them.
    """
    paths = (path for path in place.rglob("*") if path.is_file())
    names = sorted(path.relative_to(place).as_posix() for path in paths)
    return [name for name in names if is_ours(name) and name != SUMS]


def hashes_of(place: Path) -> dict[str, str]:
    """Hash the files of a version.

    Args:
        place: The folder of the version.

    Returns:
        The SHA-256 of each file that :func:`names_of` names.
    """
    return {name: sha256_of(place / name) for name in names_of(place)}


def _text(hashes: Mapping[str, str]) -> str:
    return "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(hashes.items()))
