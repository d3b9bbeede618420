"""Landlock: a process gives up every file but those below a few folders.

The kernel's own access control for ordinary users (Linux 5.13 and later), called
through ctypes. It cannot be undone. It does not govern ``stat``, ``chmod`` and the
other calls that open nothing; :mod:`tracing.sandbox.seccomp` takes those away.

Source: https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterable

from tracing.sandbox.kernel import syscall

__all__ = ["abi", "restrict"]

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_VERSION = 1
_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_READ = _READ_FILE | _READ_DIR
_WRITE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG
_WRITE |= _REFER | _TRUNCATE
_FILE_RIGHTS = _WRITE_FILE | _READ_FILE | _TRUNCATE

_FILE_SYSTEM_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
"""Rights on files that each version knows; from version 5 on there are 16."""
_TCP = 0b11
_SCOPES = 0b11


def abi() -> int:
    """Ask the kernel which version of Landlock it has.

    Returns:
        The version, 0 where there is none.
    """
    try:
        return syscall(_CREATE_RULESET, 0, 0, _VERSION)
    except OSError as error:
        if error.errno in (errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM):
            return 0
        raise


def restrict(readable: Iterable[str], writable: Iterable[str]) -> bool:
    """Confine the calling process, which must have set no-new-privileges, for good.

    Nothing may be executed afterwards. Where the kernel knows them, TCP, abstract
    sockets and signals to the outside are taken away as well.

    Args:
        readable: Files, and folders with all that is below; missing ones are passed over.
        writable: Files that may be written, and folders in which files and folders may be
            made, changed and removed.

    Returns:
        False where the kernel has no Landlock: nothing is confined then.

    Raises:
        OSError: The kernel refused.
    """
    version = abi()
    if not version:
        return False
    handled = (1 << _FILE_SYSTEM_BITS.get(version, 16)) - 1
    ruleset = syscall(_CREATE_RULESET, *_attributes(version, handled), 0)
    try:
        for path in readable:
            _allow(ruleset, path, _READ & handled)
        for path in writable:
            _allow(ruleset, path, _WRITE & handled)
        syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return True


def _attributes(version: int, handled: int) -> tuple[bytes, int]:
    words = [handled]
    if version >= 4:
        words.append(_TCP)
    if version >= 6:
        words.append(_SCOPES)
    data = struct.pack(f"={len(words)}Q", *words)
    return data, len(data)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not os.path.isdir(path):
            rights &= _FILE_RIGHTS
        rule = struct.pack("=Qi", rights, place)
        syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(place)
