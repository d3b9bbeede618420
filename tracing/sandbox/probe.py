"""Forbidden acts, to be tried in a confined child: what holds is what was seen to hold.

Each act harms nobody when it succeeds. An act is *refused* when the kernel says so.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable
from typing import Any

__all__ = ["ACTS", "attempt"]

Job = dict[str, Any]

ACTS: dict[str, Callable[[Job], None]] = {}
"""Every act by its name; the order is that of the attempts."""


def _act(function: Callable[[Job], None]) -> Callable[[Job], None]:
    ACTS[function.__name__.strip("_")] = function
    return function


def attempt(act: str, job: Job) -> bool:
    """Try an act.

    Args:
        act: Its name in :data:`ACTS`.
        job: ``"outside"``, a folder of the parent that holds a file ``secret``, and
            ``"port"``, where the parent listens on the loopback address.

    Returns:
        Whether it succeeded.
    """
    try:
        ACTS[act](job)
    except (OSError, MemoryError, ValueError):
        return False
    return True


@_act
def _read(job: Job) -> None:
    with open(os.path.join(job["outside"], "secret"), "rb") as file:
        file.read()


@_act
def _write(job: Job) -> None:
    with open(os.path.join(job["outside"], "written"), "wb"):
        pass


@_act
def _chmod(job: Job) -> None:
    os.chmod(os.path.join(job["outside"], "secret"), 0o600)


@_act
def _connect(job: Job) -> None:
    socket.create_connection(("127.0.0.1", job["port"]), 1).close()


@_act
def _fork(job: Job) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@_act
def _signal(job: Job) -> None:
    os.kill(os.getppid(), 0)


@_act
def _raise_limit(job: Job) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft + 1, hard + 1))


@_act
def _use_memory(job: Job) -> None:
    bytearray(job["memory"])


@_act
def _long_file(job: Job) -> None:
    with open("long", "wb") as file:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        file.seek(job["output"] + (1 << 20))
        file.write(b"x")
