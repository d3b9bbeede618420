"""Removes a scratch folder that a hostile program has written in.

Never follows a link and never leaves the folder: it walks by descriptors. Assumes that
nothing writes there any more.
"""

from __future__ import annotations

import contextlib
import os
import stat

__all__ = ["remove"]


def remove(path: str) -> None:
    """Remove a folder and all that is in it, whatever its permissions; missing is fine.

    Args:
        path: The folder.

    Raises:
        OSError: Something in it could not be removed.
    """
    try:
        os.rmdir(path)
    except FileNotFoundError:
        return
    except OSError:
        _empty(path)
        os.rmdir(path)


def _empty(path: str) -> None:
    """Remove what is in a folder; iterative, as a tree may be thousands of folders deep.

    Each folder is lifted to the top before it is emptied, so that no path grows long.
    """
    os.chmod(path, 0o700)
    top = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        count = 0
        while names := os.listdir(top):
            for name in names:
                if not _is_folder(name, top):
                    os.unlink(name, dir_fd=top)
                    continue
                count = _lift(name, top, count)
    finally:
        os.close(top)


def _is_folder(name: str, parent: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)


def _lift(name: str, top: int, count: int) -> int:
    """Empty one folder of files, move its folders to the top, and remove it."""
    os.chmod(name, 0o700, dir_fd=top)
    folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    try:
        for inner in os.listdir(folder):
            if not _is_folder(inner, folder):
                os.unlink(inner, dir_fd=folder)
                continue
            # Moving a folder rewrites its "..", for which it must be writable.
            os.chmod(inner, 0o700, dir_fd=folder)
            target, count = _free_name(top, count)
            os.rename(inner, target, src_dir_fd=folder, dst_dir_fd=top)
    finally:
        os.close(folder)
    with contextlib.suppress(FileNotFoundError):
        os.rmdir(name, dir_fd=top)
    return count


def _free_name(top: int, count: int) -> tuple[str, int]:
    while True:
        count += 1
        name = f"lifted-{count}"
        try:
            os.stat(name, dir_fd=top, follow_symlinks=False)
        except FileNotFoundError:
            return name, count
