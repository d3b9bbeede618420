"""Reads a dataset's manifest, which may come from anywhere, and refuses what is none.

``manifest.json`` names every data file with its rows, bytes and SHA-256; a published one
also has the version, the columns and the changelog. What passes here can be used without
another look: names stay inside the folder, and numbers are numbers. Whether it is that of a
whole build is asked by :mod:`synth.manifest`, which knows what builds are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cards.checks import are_counts, check_parts, is_count, is_text
from cards.files import read_json
from cards.layout import CONFIGS, MANIFEST, SPLITS
from tracing.errors import said, shorten

__all__ = ["DATA_FILE", "read_manifest", "why_no_data_file"]

DATA_FILE = re.compile(
    rf"data/(?P<config>{'|'.join(CONFIGS)})/(?P<split>{'|'.join(SPLITS)})"
    r"-(?P<number>\d{5})-of-(?P<total>\d{5})\.parquet",
    re.ASCII,
)
"""Names of data files, as :func:`cards.layout.data_file` makes them."""
_MOST = {"rows": 10**9, "bytes": 2**60}
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


def read_manifest(place: Path) -> dict[str, Any]:
    """Read the manifest of a folder.

    Args:
        place: The folder of a dataset.

    Returns:
        The manifest; every part that this library reads is there, if empty.

    Raises:
        DatasetError: It is missing, or not as a build or a version writes it.
    """
    manifest = {**_NOTHING, **read_json(place / MANIFEST)}
    check_parts(manifest, _PARTS, MANIFEST, place)
    return manifest


def why_no_data_file(name: str, facts: Any) -> str:
    """Say what is wrong with an entry of ``files``.

    Args:
        name: The file's path in the folder.
        facts: What is said of it.

    Returns:
        The reason, or an empty text where the entry is right.
    """
    if not DATA_FILE.fullmatch(name):
        return f"{shorten(repr(name))} is no name of a data file"
    if not isinstance(facts, Mapping):
        return f"{name} has no rows, bytes and sha256 but {said(facts)}"
    for field, most in _MOST.items():
        value = facts.get(field)
        if type(value) is not int or not 0 <= value <= most:
            return f"{field} of {name} is {said(value)}, not a whole number from 0 to {most}"
    sha256 = facts.get("sha256")
    if not isinstance(sha256, str) or not _SHA256.fullmatch(sha256):
        return f"sha256 of {name} is {said(sha256)}, not 64 hexadecimal digits"
    return ""


def _are_files(value: Any) -> bool:
    return isinstance(value, Mapping) and not any(
        why_no_data_file(name, facts) for name, facts in value.items()
    )


def _are_columns(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(columns, Mapping) and all(map(is_text, columns.values()))
        for columns in value.values()
    )


def _are_changes(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(entry, Mapping)
        and isinstance(entry.get("version"), str)
        and isinstance(entry.get("lines"), list)
        and all(map(is_text, entry["lines"]))
        for entry in value
    )


def _is_build(value: Any) -> bool:
    if value is None:
        return True
    return (
        isinstance(value, Mapping)
        and all(isinstance(value.get(name, ""), str) for name in ("generator_version", "python"))
        and _are_texts(value.get("packages", {}))
        and _is_spec(value.get("spec"))
    )


def _is_spec(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, Mapping) and all(
        type(value.get(name, _SPEC[name][0])) in map(type, _SPEC[name])
        and (type(value.get(name)) is not list or all(map(is_text, value[name])))
        for name in _SPEC
    )


def _are_texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(is_text, value.values()))


def _is_narration(value: Any) -> bool:
    if value is None:
        return True
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("narrator"), str)
        and isinstance(value.get("revision", ""), str)
        and all(type(value.get(name, 0)) in (int, float) for name in _SAMPLING)
        and is_count(value.get("asked"))
        and are_counts(value.get("refused"))
    )


_SAMPLING = ("temperature", "top_p", "max_tokens")
_SPEC: dict[str, tuple[Any, ...]] = {
    "tier": ("",),
    "size": (0,),
    "seed": (0,),
    "like": (None, ""),
    "kinds": (None, []),
    "questions": (10,),
    "stdlib": (False,),
    "source": ("",),
    "benchmarks": ([], None),
    "benchmarks_sha256": ("",),
}
"""What a build was asked for: values of the types that are allowed."""
_NOTHING: dict[str, Any] = {
    "files": {},
    "columns": {},
    "changes": [],
    "version": "",
    "build": None,
    "narration": None,
}
_PARTS: dict[str, Callable[[Any], bool]] = {
    "files": _are_files,
    "columns": _are_columns,
    "changes": _are_changes,
    "version": is_text,
    "build": _is_build,
    "narration": _is_narration,
}
