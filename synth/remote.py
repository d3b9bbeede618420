"""Builds that end at an address: an object store, the Hub, whatever fsspec knows.

The build itself is made in a local folder and sent when it is whole. The report goes first
and the manifest last, so that a folder without a manifest was not sent to its end and is
nobody's to read, and one without both holds no build and is nobody's to replace.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from synth import folder, replacing, report, standing
from synth.report import BuildReport
from tracing.errors import ExecVerifyError, InfrastructureError, UsageError, shorten

__all__ = ["check_writable", "damage_of", "local_path", "report_of", "staging_of", "upload"]

_PROBE = ".execverify-probe"


def local_path(out: Path | str) -> Path | None:
    """Tell whether a place is a local folder.

    Args:
        out: A path, or an address with ``://``.

    Returns:
        The path; None where it is an address other than ``file://``.

    Example:
        >>> local_path("file:///tmp/made"), local_path("s3://bucket/made")
        (PosixPath('/tmp/made'), None)
    """
    text = str(out)
    if "\0" in text:
        raise UsageError("a folder's name has no NUL character; choose another")
    if isinstance(out, Path) or "://" not in text:
        return Path(out)
    if not re.match("[A-Za-z][A-Za-z0-9+.-]*://", text):
        raise UsageError(f"{shorten(text)} is neither a folder nor an address like s3://a/b")
    return Path(text.removeprefix("file://")) if text.startswith("file://") else None


def staging_of(url: str, identity: dict[str, Any]) -> Path:
    """Name the local folder where a build for an address is made.

    Args:
        url: The address.
        identity: All that the bytes depend on.

    Returns:
        A path in the user's cache, the same for the same build, so that it can go on.
    """
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    mark = hashlib.sha256(json.dumps([url, identity], sort_keys=True).encode()).hexdigest()[:16]
    return Path(cache) / "execverify" / "builds" / mark


def report_of(url: str, identity: dict[str, Any] | None) -> BuildReport | None:
    """Look whether an address holds a build already, and may take one otherwise.

    Args:
        url: The address.
        identity: All that the bytes depend on; None where any build there is to be replaced.

    Returns:
        The report of this very build, or None where nothing has been sent to its end.

    Raises:
        UsageError: It holds another build or what no build sent, or there is no such kind of
            address.
        InfrastructureError: It cannot be reached.
    """
    with _system(url) as (system, root):
        if identity is None or not system.exists(f"{root}/manifest.json"):
            _check_replaceable(url, system, root)
            return None
        if _manifest_at(system, root).get("build") != identity:
            raise UsageError(f"{shorten(url)} holds another build; choose another, or --force")
        with _fetched(system, root, "report.json") as place:
            return report.read(place)


def _manifest_at(system: Any, root: str) -> dict[str, Any]:
    with _fetched(system, root, "manifest.json") as place:
        return folder.manifest_of(place)


@contextmanager
def _fetched(system: Any, root: str, name: str) -> Iterator[Path]:
    """Fetch a file into a folder of its own."""
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / name).write_bytes(system.cat_file(f"{root}/{name}"))
        yield Path(place)


def damage_of(url: str, made: BuildReport) -> str:
    """Say what is wrong with a build at an address, as far as that shows without reading it all.

    Args:
        url: The address of a finished build.
        made: Its report.

    Returns:
        The first file that is missing or not as large as its manifest says; empty where none.

    Raises:
        FolderError: It is damaged, and more than the build would be lost by making it again.
        InfrastructureError: It cannot be reached.
    """
    with _system(url) as (system, root):
        manifest = _manifest_at(system, root)
        damages = (_damage_at(system, root, *item) for item in manifest["files"].items())
        damage = next(filter(None, damages), "")
        if damage:
            names = [_name_in(root, path) for path in _data_at(system, root)]
            standing.check_nothing_is_lost(shorten(url, 120), damage, manifest, made, names)
        return damage


def _damage_at(system: Any, root: str, name: str, facts: dict[str, Any]) -> str:
    if not system.exists(f"{root}/{name}"):
        return f"{name}: the file is missing"
    size = system.size(f"{root}/{name}")
    if size in (facts["bytes"], None):
        return ""
    return f"{name}: it has {size:,} bytes, and manifest.json says {facts['bytes']:,}"


def check_writable(url: str) -> None:
    """Write a file to an address and remove it, before hours are spent on what goes there.

    The Hub is left alone: there each of the two would be a commit that stays.

    Args:
        url: The address.

    Raises:
        InfrastructureError: It cannot be reached or written.
    """
    if url.startswith("hf://"):
        return
    with _system(url) as (system, root):
        system.makedirs(root, exist_ok=True)
        system.pipe_file(f"{root}/{_PROBE}", b"\n")
        with suppress(OSError):  # who may only add files can send a build all the same
            system.rm_file(f"{root}/{_PROBE}")


def upload(made: Path, url: str) -> None:
    """Send a finished build to an address, in the place of what is there.

    Args:
        made: The local folder.
        url: The address.

    Raises:
        UsageError: There is no such kind of address, or what no build sent is there.
        InfrastructureError: It cannot be reached or written; the local folder is kept.
    """
    names = sorted(folder.manifest_of(made)["files"])
    try:
        with _system(url) as (system, root):
            _check_replaceable(url, system, root)
            if system.exists(f"{root}/manifest.json"):
                system.rm_file(f"{root}/manifest.json")
            _send(system, root, made, "report.json")
            for old in _data_at(system, root):
                system.rm_file(old)
            for name in (*names, "manifest.json"):
                _send(system, root, made, name)
    except InfrastructureError as error:
        raise InfrastructureError(
            f"{error}; what was built is kept, and the same command sends it"
        ) from error


def _send(system: Any, root: str, made: Path, name: str) -> None:
    system.makedirs(f"{root}/{name}".rpartition("/")[0], exist_ok=True)
    system.put_file(str(made / name), f"{root}/{name}")


def _data_at(system: Any, root: str) -> list[str]:
    return list(system.find(f"{root}/data")) if system.exists(f"{root}/data") else []


def _name_in(root: str, path: str) -> str:
    """Give a file's path below a folder; systems differ in whether they begin one with a slash."""
    return path.strip("/").removeprefix(f"{root.strip('/')}/")


def _check_replaceable(url: str, system: Any, root: str) -> None:
    """Refuse to write over what no build has sent; other files at the address do not matter."""

    def text(name: str) -> bytes | None:
        there = system.exists(f"{root}/{name}")
        return bytes(system.cat_file(f"{root}/{name}")) if there else None

    manifest, told = text("manifest.json"), text("report.json")
    is_known = (
        replacing.says_what_was_built(manifest)
        if manifest is not None
        else told is not None and report.is_report(told)
    )
    is_empty = manifest is None and told is None and not _data_at(system, root)
    if not (is_empty or is_known):
        raise UsageError(
            f"{shorten(url, 120)} holds files that no build sent, so it stays as it is; choose "
            "another address, or remove them yourself"
        )


@contextmanager
def _system(url: str) -> Iterator[tuple[Any, str]]:
    """Find the file system of an address; tell its errors as ours."""
    import fsspec

    try:
        system, root = fsspec.core.url_to_fs(url)
        yield system, root.rstrip("/")
    except ExecVerifyError:
        raise
    except ImportError as error:
        raise UsageError(f"{shorten(url)} needs another package: {error}") from None
    except ValueError as error:
        raise UsageError(f"{shorten(url)} is no address that can be written: {error}") from None
    except Exception as error:
        # Each store has errors of its own, and few are children of OSError.
        raise InfrastructureError(
            f"{shorten(url)} cannot be used: {type(error).__name__}: {shorten(str(error), 200)}"
        ) from error
