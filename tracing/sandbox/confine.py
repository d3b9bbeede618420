"""Confines the calling process, for good: the layers and their order.

:func:`confine` is for a child that was just forked from a small, single-threaded
process and is about to run code that nobody trusts. It closes descriptors, covers the
scratch folder, sets limits, and gives up files (Landlock), capabilities and system calls
(seccomp). It starts nothing and supervises nothing: the parent kills, reaps and tidies.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import sys
import sysconfig
import time
from dataclasses import dataclass
from functools import lru_cache

from tracing.sandbox import kernel, landlock, namespaces, seccomp

__all__ = ["Policy", "confine", "prepare", "readable_paths"]

OPEN_FILES = 64
THREADS = 64
SCRATCH_FILES = 2048
SCRATCH_FACTOR = 4
"""All files together may be this many times as long as one."""
_STACK = 96 << 20
"""The kernel leaves a gap of at least 128 MiB below the stack; deep recursion in C needs it."""

_LINUX = sys.platform.startswith("linux")


@dataclass(frozen=True, slots=True)
class Policy:
    """What a confined process may use.

    Attributes:
        scratch: The one folder that it may write in; exists, empty, and becomes its
            working folder.
        memory: Address space, in bytes.
        cpu: CPU time from now on, in seconds, rounded up; the last resort behind a
            parent that watches the clock.
        file_size: The longest file that it may write, in bytes; where the scratch folder
            can be covered, all files together are bounded too.
        keep: Descriptors that stay open besides 0, 1 and 2.
    """

    scratch: str
    memory: int
    cpu: float
    file_size: int
    keep: tuple[int, ...] = ()


def confine(policy: Policy) -> tuple[str, ...]:
    """Confine the calling process.

    Args:
        policy: What is left to it.

    Returns:
        The layers that hold, in the order they were laid: of ``"descriptors"``,
        ``"scratch"``, ``"processes"``, ``"limits"``, ``"landlock"``, ``"capabilities"``
        and ``"seccomp"``. A layer that this system does not have is not among them.

    Raises:
        OSError: A layer that this system has could not be laid. The process is then
            confined in part and must not go on.
    """
    layers = ["descriptors"]
    _close_others(policy.keep)
    _volunteer()
    if _LINUX and namespaces.cover(
        policy.scratch, SCRATCH_FACTOR * policy.file_size, SCRATCH_FILES
    ):
        layers.append("scratch")
    os.chdir(policy.scratch)
    counted = _LINUX and namespaces.isolate_user()
    if counted:
        layers.append("processes")
    _limit(policy, counted)
    layers.append("limits")
    if _LINUX:
        kernel.die_with_parent()
        kernel.set_dumpable(False)
        kernel.no_new_privileges()
        if landlock.restrict(readable_paths(), (policy.scratch, os.devnull)):
            layers.append("landlock")
        kernel.drop_capabilities()
        layers.append("capabilities")
        if seccomp.install():
            layers.append("seccomp")
    if "seccomp" not in layers:
        # Nothing else keeps it from forking then; root it does not keep.
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    return tuple(layers)


def prepare() -> None:
    """Do before the fork what every child would have to do after it."""
    readable_paths()
    if seccomp.is_supported():
        seccomp.assembled(os.uname().machine)


def _close_others(keep: tuple[int, ...]) -> None:
    first = 3
    for descriptor in sorted({*keep, 1 << 20}):
        if descriptor >= first:
            os.closerange(first, descriptor)
            first = descriptor + 1


def _volunteer() -> None:
    """Be the first to go when the machine runs out of memory, before who trains a model."""
    with (
        contextlib.suppress(OSError),
        open("/proc/self/oom_score_adj", "w", encoding="utf-8") as file,
    ):
        file.write("1000")


def _limit(policy: Policy, counted: bool) -> None:
    """Lower the limits, hard ones too, so that they cannot be raised again."""
    cpu = math.ceil(time.process_time() + policy.cpu) + 1
    wanted = [
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_FSIZE, policy.file_size, policy.file_size),
        (resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_AS, policy.memory, policy.memory),
        (resource.RLIMIT_STACK, _STACK, _STACK),
    ]
    if counted:
        wanted.append((resource.RLIMIT_NPROC, THREADS, THREADS))
    for name in ("RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE"):
        if hasattr(resource, name):
            wanted.append((getattr(resource, name), 0, 0))
    for kind, soft, hard in wanted:
        _, old = resource.getrlimit(kind)
        if old != resource.RLIM_INFINITY:
            soft, hard = min(soft, old), min(hard, old)
        try:
            resource.setrlimit(kind, (soft, hard))
        except (OSError, ValueError):
            # macOS does not limit the address space, and refuses.
            if _LINUX:
                raise


@lru_cache
def readable_paths() -> tuple[str, ...]:
    """List what a confined process may read: the standard library and what it loads.

    Kept, as every child needs the same; best called before the fork.

    Returns:
        Folders and files that exist, none inside another.
    """
    wanted = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    wanted |= {os.path.join(prefix, "lib") for prefix in (sys.base_prefix, sys.base_exec_prefix)}
    wanted |= {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"}
    wanted |= {"/etc/ld.so.cache", "/usr/share/zoneinfo"}
    wanted |= {"/dev/zero", "/dev/random", "/dev/urandom"}
    paths: list[str] = []
    for path in sorted({os.path.realpath(path) for path in wanted if os.path.exists(path)}):
        if not paths or os.path.commonpath((paths[-1], path)) != paths[-1]:
            paths.append(path)
    return tuple(paths)
