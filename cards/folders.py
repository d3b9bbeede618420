"""Folders that a call writes: under their names only when they are whole.

A call that is refused, fails or is ended leaves nothing behind that the same call would
stumble over.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tracing.errors import UsageError, shorten

__all__ = ["checked_path", "new_folder"]


def checked_path(place: Any, what: str) -> Path:
    """Read the name of a file or a folder.

    Args:
        place: A path or a text.
        what: What it names, for the message: ``"the folder to write"``.

    Returns:
        The path.

    Raises:
        UsageError: No file system has such a name.
    """
    if not isinstance(place, (str, Path)) or not str(place) or "\0" in str(place):
        raise UsageError(f"{what} must be a path, not {shorten(repr(place))}")
    return Path(place)


@contextmanager
def new_folder(place: Any) -> Iterator[Path]:
    """Give a folder to fill, that gets its name when all has gone well.

    Args:
        place: Where it belongs; a folder there must be empty.

    Yields:
        A hidden folder beside it.

    Raises:
        UsageError: Something is there, or it is no path.
    """
    out = checked_path(place, "the folder to write")
    if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise UsageError(f"{shorten(str(out))} is there already; choose another folder")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name[:40]}.", dir=out.parent) as temporary:
        made = Path(temporary) / "folder"  # as others may read it, unlike its parent
        made.mkdir()
        yield made
        if out.exists():
            out.rmdir()
        shutil.move(made, out)
