"""Reads the manifest of a finished build, and refuses what no build has written.

``manifest.json`` says what was built, and names every data file with its rows, bytes and
SHA-256. What passes here can be used without another look: names stay inside the folder, no
file of a split is left out, and the rows are as many as were asked for. Whether the files are
what it says is not looked at. A published folder passes, too; it has further configs, and no file
for a split without rows.

What an entry of a file must be is asked of :mod:`cards.manifest`, which reads any dataset; a
build's spec and the promise that nothing is missing are known here alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any, cast

from cards.layout import SPLITS
from cards.manifest import DATA_FILE, why_no_data_file
from synth.spec import Spec, from_json
from tracing.errors import UsageError, said, shorten

__all__ = ["FolderError", "manifest_of"]

_BUILT = ("problems", "trace")
"""The configs that every build writes, with a file for every split."""
_PUBLISHED = "narration"
"""The field that a published manifest has, and a build's has not."""


class FolderError(UsageError):
    """A folder is not a finished build, or its files are not what its manifest says."""


def manifest_of(folder: Path) -> dict[str, Any]:
    """Read the manifest of a finished build.

    Args:
        folder: The folder.

    Returns:
        The manifest: ``build`` (spec and versions; None for a published dataset that was in
        memory), ``files`` (rows, bytes, hash of each).

    Raises:
        FolderError: It is no folder of a finished build.
    """
    if not folder.is_dir():
        raise UsageError(f"there is no folder {shorten(str(folder), 120)}")
    try:
        plain = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        _check(plain)
    except FileNotFoundError:
        raise UsageError(
            f"{shorten(str(folder), 120)} has no manifest.json; give a folder that synth build "
            "wrote"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise FolderError(
            f"{shorten(str(folder), 120)}: manifest.json is damaged: {shorten(str(error), 200)}"
        ) from None
    return cast("dict[str, Any]", plain)


def _check(plain: Any) -> None:
    if not isinstance(plain, dict) or not isinstance(plain.get("files"), dict):
        raise ValueError("it lists no files")
    is_published = _PUBLISHED in plain
    build = plain.setdefault("build", None)
    spec = None if build is None and is_published else _spec_of(build)
    rows = _rows_of(plain["files"])
    if not is_published:
        _check_configs(rows)
    problems = sum(rows.get(("problems", split), 0) for split in SPLITS)
    if spec is not None and problems != spec.size:
        raise ValueError(
            f"the rows of its files of problems are {problems:,} together, and size in its spec "
            f"is {spec.size:,}"
        )
    if not problems:
        raise ValueError("it lists no file of problems with rows")


def _spec_of(build: Any) -> Spec:
    """Read what was built; where benchmarks were read from is no part of it."""
    if not isinstance(build, dict) or not isinstance(build.get("spec"), dict):
        raise ValueError("its field build does not say what was built")
    for name in ("generator_version", "python"):
        if not isinstance(build.get(name), str):
            raise ValueError(f"build.{name} is no text but {said(build.get(name))}")
    try:
        return from_json(json.dumps({**build["spec"], "benchmarks": []}))
    except UsageError as error:
        raise ValueError(f"build.spec: {error}") from None


def _rows_of(files: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """Check the files, and add up the rows of each config and split."""
    rows: dict[tuple[str, str], int] = {}
    known: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for name, facts in files.items():
        match = DATA_FILE.fullmatch(name)
        wrong = why_no_data_file(name, facts)
        if match is None or wrong:
            raise ValueError(wrong)
        part = match["config"], match["split"]
        rows[part] = rows.get(part, 0) + facts["rows"]
        known.setdefault(part, set()).add((int(match["number"]), int(match["total"])))
    for (config, split), numbers in known.items():
        if numbers != {(number, len(numbers)) for number in range(len(numbers))}:
            raise ValueError(f"files lists not all files of the {split} split of {config}")
    return rows


def _check_configs(rows: Mapping[tuple[str, str], int]) -> None:
    """Make sure that every split is there, and that each problem has its run."""
    for config, split in product(_BUILT, SPLITS):
        if (config, split) not in rows:
            raise ValueError(f"files lists no file of the {split} split of {config}")
        if rows[config, split] != rows["problems", split]:
            raise ValueError(
                f"the {split} split has {rows['problems', split]:,} rows of problems and "
                f"{rows[config, split]:,} of {config}"
            )
