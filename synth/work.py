"""The working folder of a build: where its shards stand until they are put together.

It is hidden beside the result and named after it. One build of a whole curriculum, or
several makers of some shards each, may use it at a time; locks on a file in it see to
that, where the file system has them, and end with the process.
"""

from __future__ import annotations

import fcntl
import glob
import json
import platform
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from curricula.difficulty.engines import without_address
from synth import folder, replacing
from synth.problems import VERSION
from synth.spec import Spec, to_json
from tracing.errors import UsageError, shorten

__all__ = ["alone", "forget", "identity", "locked", "place_of", "sending", "shared"]

_PACKAGES = ("hypothesis", "libcst", "pyarrow")
"""Packages whose version the bytes of a build depend on."""
_BEGUN = re.compile(r"lock|build\.json|\.build\.json\.\d+\.tmp")
"""Names of what a working folder holds before it has its name."""


def place_of(out: Path) -> Path:
    """Name the working folder of a build.

    Args:
        out: The folder of the result.

    Returns:
        A hidden folder beside it.
    """
    return out.parent / f".{out.name}.partial"


def identity(spec: Spec) -> dict[str, Any]:
    """Name everything that the bytes of a build depend on.

    Args:
        spec: What is built.

    Returns:
        The spec and the versions, as JSON can hold them.
    """
    plain = json.loads(to_json(spec))
    # Where benchmarks were read from is no part of a build; what they hold is.
    del plain["benchmarks"]
    # Nor is the address of a server: what it holds may be moved, and is published.
    plain["source"] = without_address(plain["source"])
    return {
        "spec": plain,
        "generator_version": VERSION,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "packages": {name: version(name) for name in _PACKAGES},
    }


@contextmanager
def alone(spec: Spec, out: Path) -> Iterator[Path]:
    """Hold the working folder of a whole build; one that another build left is emptied.

    Args:
        spec: What is built.
        out: The folder of the result.

    Yields:
        The working folder, with the shards of an interrupted build of the same.

    Raises:
        UsageError: Another process uses it, or what stands in its place is no build's.
    """
    place = place_of(out)
    if not _is_of(place, spec):
        replacing.check_clearable(place)
        if place.exists():
            with locked(place, fcntl.LOCK_EX):
                replacing.clear(place)
        _make(place, spec)
    with locked(place, fcntl.LOCK_EX):
        _sweep(place)
        yield place


def forget(out: Path) -> None:
    """Remove the hidden folders of a build that is done, if a kill left them.

    Args:
        out: The folder of the result.
    """
    place = place_of(out)
    _sweep(place)
    if not (replacing.is_of_a_build(place) or replacing.is_begun(place)):
        return
    try:
        with locked(place, fcntl.LOCK_EX):
            replacing.forget_replaced(out)
            replacing.clear(place)
    except UsageError:
        pass  # another process builds this anew, and needs it


@contextmanager
def shared(spec: Spec, out: Path) -> Iterator[Path]:
    """Hold the working folder together with others that make shards of the same build.

    Args:
        spec: What is built.
        out: The folder of the result.

    Yields:
        The working folder.

    Raises:
        UsageError: It belongs to another build, or a whole build uses it.
    """
    place = place_of(out)
    if not _is_of(place, spec):
        _make(place, spec)
    if not _is_of(place, spec):
        raise UsageError(
            f"{shorten(str(place), 120)} holds the shards of another build; "
            "remove it, or choose another folder"
        )
    with locked(place, fcntl.LOCK_SH):
        yield place


@contextmanager
def sending(out: Path) -> Iterator[None]:
    """Hold a finished build while it is sent: of two senders, one would remove the other's files.

    Args:
        out: The folder of the result.

    Raises:
        UsageError: Another process sends it, or has just done so.
    """
    try:
        manifest = (out / "manifest.json").open("r+")
    except FileNotFoundError:
        raise UsageError(f"another process has sent {shorten(str(out), 120)} just now") from None
    with manifest:
        _lock(manifest, fcntl.LOCK_EX, f"another process sends {shorten(str(out), 120)}")
        yield


def _is_of(place: Path, spec: Spec) -> bool:
    try:
        text = (place / "build.json").read_text(encoding="utf-8")
        return bool(json.loads(text) == identity(spec))
    except (OSError, ValueError, RecursionError):
        return False


def _make(place: Path, spec: Spec) -> None:
    """Make a working folder whole; several may try at the same time, and one wins."""
    made = Path(tempfile.mkdtemp(prefix=f"{place.name}.", dir=place.parent))
    try:
        made.chmod(0o777 & ~folder.umask())  # mkdtemp lets nobody else read
        with locked(made, fcntl.LOCK_SH):
            folder.write_json(made / "build.json", identity(spec))
            try:
                made.rename(place)
            except OSError:
                if not place.is_dir():
                    raise
    finally:
        folder.remove(made)


def _sweep(place: Path) -> None:
    """Remove what kills left of :func:`_make`: its folders that no process holds."""
    for made in place.parent.glob(f"{glob.escape(place.name)}.{'?' * 8}"):
        names = {path.name for path in made.iterdir()} if made.is_dir() else {""}
        if made.is_symlink() or not all(map(_BEGUN.fullmatch, names)) or "lock" not in names:
            continue  # not ours, or so young that it has no lock yet
        try:
            with locked(made, fcntl.LOCK_EX):
                folder.remove(made)
        except (UsageError, FileNotFoundError):
            continue  # in use, or done with


@contextmanager
def locked(place: Path, how: int, doing: str = "builds in") -> Iterator[None]:
    """Hold a folder by the lock file in it, where the file system has locks.

    Args:
        place: The folder.
        how: ``fcntl.LOCK_SH`` to hold it together with others, ``LOCK_EX`` alone.
        doing: What others do there, as the message says it.

    Yields:
        Nothing, while it is held.

    Raises:
        UsageError: Another process holds it.
    """
    with (place / "lock").open("a") as lock:
        _lock(lock, how, f"another process {doing} {shorten(str(place), 120)}")
        yield


def _lock(file: IO[str], how: int, taken: str) -> None:
    """Lock a file for as long as it is open, or say that another process has."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"{taken}; wait for its end") from None
    except OSError:
        pass  # a file system without locks
