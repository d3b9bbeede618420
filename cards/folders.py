"""Folders that a call writes: under their names only when they are whole.

A call that is refused, fails or is ended leaves nothing behind that the same call would
stumble over.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from tracing.errors import UsageError, shorten

__all__ = ["checked_path", "new_folder"]

_LOCK, _MADE = "lock", "folder"
_OURS = {_LOCK, _MADE}
"""What a hidden folder holds: one with anything else is not ours, and is never removed."""
_LONGEST = 40
"""Characters of a name that the hidden folder's has; the rest is hashed."""


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
        A hidden folder beside it; what a call that was killed left there is gone.

    Raises:
        UsageError: Something is there, another process writes it, or it is no path.
    """
    out = checked_path(place, "the folder to write")
    hidden = _hidden(out)
    if not hidden.exists():
        _check_free(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with _alone(hidden, out):
        _check_free(out)  # after what was left is gone, and nobody else is at it
        made = hidden / _MADE
        made.mkdir()
        yield made
        if out.exists():
            out.rmdir()
        shutil.move(made, out)


def _check_free(out: Path) -> None:
    if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise UsageError(f"{shorten(str(out))} is there already; choose another folder")


def _hidden(out: Path) -> Path:
    name = out.name
    if len(name) > _LONGEST:  # a file system has names of 255 bytes
        name = f"{name[:_LONGEST]}-{hashlib.sha256(os.fsencode(name)).hexdigest()[:8]}"
    return out.parent / f".{name}.writing"


@contextmanager
def _alone(hidden: Path, out: Path) -> Iterator[None]:
    """Hold a hidden folder that no other process uses, empty but for its lock; remove it after.

    The lock ends with the process, so what a kill leaves is told from what is in use.
    """
    with _locked(hidden, out):
        _empty(hidden)
        try:
            yield
        finally:
            _empty(hidden)
            (hidden / _LOCK).unlink()
            with suppress(OSError):  # the next one has begun already
                hidden.rmdir()


@contextmanager
def _locked(hidden: Path, out: Path) -> Iterator[None]:
    while True:
        with _opened(hidden) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(
                    f"another process writes {shorten(str(out))}; wait for its end"
                ) from None
            except OSError:
                pass  # a file system without locks
            if _is_same(lock, hidden / _LOCK):
                yield
                return
            # Its holder ended and removed it between our opening and locking it.


def _opened(hidden: Path) -> IO[str]:
    """Open the lock of a hidden folder that a call left, or that is made now."""
    while True:
        try:
            hidden.mkdir(exist_ok=True)
        except FileExistsError:
            raise _in_the_way(hidden) from None
        try:
            if hidden.is_symlink() or not {path.name for path in hidden.iterdir()} <= _OURS:
                raise _in_the_way(hidden)
            return (hidden / _LOCK).open("a")
        except FileNotFoundError:
            continue  # its holder ended and removed it just now


def _in_the_way(hidden: Path) -> UsageError:
    return UsageError(
        f"{shorten(str(hidden), 120)} is in the way, and no call that was ended left it; remove "
        "it yourself, or choose another folder"
    )


def _is_same(lock: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _empty(hidden: Path) -> None:
    made = hidden / _MADE
    if made.exists():
        shutil.rmtree(made)
