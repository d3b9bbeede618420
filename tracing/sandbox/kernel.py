"""Calls of the kernel that Python's standard library does not have, through ctypes.

Linux only; importing it elsewhere is harmless, calling it raises OSError.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

__all__ = [
    "call",
    "die_with_parent",
    "drop_capabilities",
    "make_mounts_private",
    "mount_tmpfs",
    "no_new_privileges",
    "set_dumpable",
    "syscall",
    "unshare",
]

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_SIGKILL = 9
_CAPABILITY_VERSION = 0x20080522
_MS_NOSUID, _MS_NODEV, _MS_REC, _MS_PRIVATE = 2, 4, 1 << 14, 1 << 18


def call(name: str, *arguments: int | bytes | None) -> int:
    """Call a function of the C library that sets ``errno``.

    Args:
        name: The function.
        arguments: Integers (passed as machine words), texts, or None for a null pointer.

    Returns:
        What it returned.

    Raises:
        OSError: It returned a negative number, or this system does not have it.
    """
    if not sys.platform.startswith("linux"):
        raise OSError(38, f"{name} is a call of Linux")
    words = [ctypes.c_ulong(a) if isinstance(a, int) else ctypes.c_char_p(a) for a in arguments]
    result: int = getattr(_libc, name)(*words)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def syscall(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call by its number.

    Args:
        number: The number on this architecture.
        arguments: As for :func:`call`.

    Returns:
        What the kernel returned.

    Raises:
        OSError: The kernel refused.
    """
    return call("syscall", number, *arguments)


def unshare(flags: int) -> None:
    """Leave namespaces for new ones.

    Args:
        flags: ``CLONE_NEW...`` bits.

    Raises:
        OSError: The kernel refused.
    """
    call("unshare", flags)


def make_mounts_private() -> None:
    """Keep later mounts of this mount namespace from showing in others."""
    call("mount", b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)


def mount_tmpfs(path: str, size: int, inodes: int) -> None:
    """Cover a folder with an empty file system in memory.

    Args:
        path: The folder.
        size: The most that it may hold, in bytes.
        inodes: The most files and folders that it may hold.

    Raises:
        OSError: The kernel refused.
    """
    options = f"size={size},nr_inodes={inodes},mode=700".encode()
    call("mount", b"scratch", os.fsencode(path), b"tmpfs", _MS_NOSUID | _MS_NODEV, options)


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends."""
    call("prctl", _PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def set_dumpable(allowed: bool) -> None:
    """Say whether other processes of this user may read and trace this one.

    Args:
        allowed: Whether they may.
    """
    call("prctl", _PR_SET_DUMPABLE, int(allowed), 0, 0, 0)


def no_new_privileges() -> None:
    """Give up every way to gain privileges by executing a file, for good."""
    call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def drop_capabilities() -> None:
    """Give up root's powers, and those that a user namespace gave."""
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    call("capset", header, bytes(24))
