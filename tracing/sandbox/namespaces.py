"""Namespaces: a server and its children see no network and no process but their own.

An extra wall where the kernel lets an ordinary user build it; many containers do not,
and the level does not depend on it. Linux only.
"""

from __future__ import annotations

import contextlib
import os

from tracing.sandbox import kernel

__all__ = ["cover", "enter", "isolate_user"]

_MOUNT, _UTS, _IPC = 0x00020000, 0x04000000, 0x08000000
_USER, _PID, _NET = 0x10000000, 0x20000000, 0x40000000
_ALL = _MOUNT | _UTS | _IPC | _PID | _NET


def enter() -> bool:
    """Move the calling process to new namespaces; its next child is the first of a process one.

    Returns:
        False where the system allows none; nothing has changed then.
    """
    for flags in (_USER | _ALL, _ALL):
        if _is_allowed(flags):
            _enter(flags)
            return True
    return False


def _is_allowed(flags: int) -> bool:
    """Let a child try: some systems give a namespace and then refuse all use of it."""
    pid = os.fork()
    if pid == 0:
        try:
            _enter(flags)
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def _enter(flags: int) -> None:
    uid, gid = os.geteuid(), os.getegid()
    kernel.unshare(flags)
    if flags & _USER:
        _map_self(uid, gid)
    kernel.make_mounts_private()


def _map_self(uid: int, gid: int) -> None:
    """Keep this user's name for itself in the new user namespace, and no other."""
    for name, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="utf-8") as file:
            file.write(line)


def cover(path: str, size: int, inodes: int) -> bool:
    """Lay an empty file system in memory over a folder, for the calling process alone.

    What is written there is bounded, and gone when the process is.

    Args:
        path: The folder.
        size: The most that may be written, in bytes.
        inodes: The most files and folders.

    Returns:
        False where the process may not mount.
    """
    try:
        kernel.unshare(_MOUNT)
        kernel.make_mounts_private()
        kernel.mount_tmpfs(path, size, inodes)
    except OSError:
        return False
    return True


def isolate_user() -> bool:
    """Move to a user namespace without a map, in which processes are counted anew.

    Returns:
        False where the kernel allows none.
    """
    with contextlib.suppress(OSError):
        kernel.unshare(_USER)
        return True
    return False
