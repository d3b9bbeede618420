"""Puts a finished folder in another's place, and removes no folder but a build's.

A folder is a build's where it says itself what was built: a finished one in its
``manifest.json``, one that is being worked in in its ``build.json``. What says neither belongs
to somebody else, whatever it is called, and stays as it is.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

from synth import folder
from tracing.errors import UsageError, shorten

__all__ = [
    "check_clearable",
    "check_hidden",
    "check_replaceable",
    "clear",
    "forget_replaced",
    "is_begun",
    "is_of_a_build",
    "named",
    "put",
    "put_back",
    "says_what_was_built",
]

_MARKS = ("manifest.json", "build.json")
_BEGUN = re.compile(r"lock|\.(manifest|build)\.json\.\d+\.tmp")
"""Names of what is in a hidden folder before a mark is, or after it has gone."""


def says_what_was_built(text: str | bytes) -> bool:
    """Tell whether a file's text is what a build says of itself.

    Args:
        text: What ``manifest.json`` or ``build.json`` holds.

    Returns:
        Whether it names the spec and the version of a build; many other programs write files
        of these names.
    """
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if isinstance(plain, dict) and isinstance(plain.get("files"), dict):
        plain = plain.get("build")
    return isinstance(plain, dict) and _names_a_spec(plain)


def _names_a_spec(build: dict[str, Any]) -> bool:
    spec = build.get("spec")
    return "generator_version" in build and isinstance(spec, dict) and {"tier", "size"} <= set(spec)


def is_of_a_build(place: Path) -> bool:
    """Tell whether a build made a folder.

    Args:
        place: Any place.

    Returns:
        Whether it is a folder with a build's own manifest.
    """
    for name in _MARKS:
        try:
            if says_what_was_built((place / name).read_bytes()):
                return True
        except OSError:
            continue
    return False


def is_begun(place: Path) -> bool:
    """Tell whether a kill left a folder that does not say yet, or any more, whose it is.

    Args:
        place: A hidden place of a build.

    Returns:
        Whether it is a folder with nothing in it but what comes before that.
    """
    if place.is_symlink() or not place.is_dir():
        return False
    return all(_BEGUN.fullmatch(path.name) for path in place.iterdir())


def check_clearable(place: Path) -> None:
    """Refuse to remove what no build has made from a hidden place.

    Args:
        place: A hidden place of a build.

    Raises:
        UsageError: Something stands there that no build left.
    """
    if not is_begun(place):
        check_replaceable(place)


def check_replaceable(place: Path) -> None:
    """Refuse to replace what no build has made.

    Args:
        place: Where something may stand.

    Raises:
        UsageError: Something stands there, and it is no folder of a build.
    """
    is_there = place.exists() or place.is_symlink()
    if is_there and not is_of_a_build(place):
        raise UsageError(
            f"{shorten(str(place), 120)} is no folder that a build made, so it stays as it is; "
            "choose another folder, or remove it yourself"
        )


def named(place: Path) -> Path:
    """Give a folder's path with its name, beside which hidden folders can stand.

    Args:
        place: A path, which may be ``.`` or end in ``..``.

    Returns:
        The same place.
    """
    return place if place.name not in ("", "..") else Path(os.path.abspath(place))


def _aside(out: Path) -> Path:
    return out.parent / f".{out.name}.replaced"


def check_hidden(out: Path) -> None:
    """Make sure that :func:`put` will find its hidden place free, before the work begins.

    Args:
        out: Where a folder is going to be put.

    Raises:
        UsageError: A folder that no build made stands there.
    """
    check_clearable(_aside(out))


def put_back(out: Path) -> None:
    """Put the folder back that :func:`put` had put aside, where a kill came before the new one.

    Args:
        out: Where a folder was going to be put.
    """
    if not out.exists() and is_of_a_build(_aside(out)):
        _aside(out).rename(out)


def forget_replaced(out: Path) -> None:
    """Remove what :func:`put` had put aside, where a kill kept it from that.

    Args:
        out: Where a finished folder was put.

    Raises:
        UsageError: What stands in the hidden place is no folder of a build.
    """
    clear(_aside(out))


def clear(place: Path) -> None:
    """Remove a build's folder or one just begun, if there is one; what names it goes last.

    So what a kill leaves of a folder still says whose it was.

    Args:
        place: Where it may stand.

    Raises:
        UsageError: What stands there is no folder of a build.
    """
    if is_begun(place):
        shutil.rmtree(place)
        return
    check_replaceable(place)
    if place.is_symlink() or not place.exists():
        place.unlink(missing_ok=True)
        return
    for inside in place.iterdir():
        if inside.name not in _MARKS:
            folder.remove(inside)
    shutil.rmtree(place)


def put(made: Path, out: Path) -> None:
    """Put a finished folder in its place; the build that is there goes away only after that.

    All in it is forced to disk before, so what stands there after a loss of power is whole.

    Args:
        made: The folder, on the same file system.
        out: Where it belongs.

    Raises:
        UsageError: What is there is no folder of a build.
    """
    aside = _aside(out)
    check_replaceable(out)
    clear(aside)
    folder.sync_all(made)
    if out.exists():
        out.rename(aside)
    made.rename(out)
    folder.sync(out.parent)
    clear(aside)
