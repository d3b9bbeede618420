"""How well this system confines: found out by trying what is forbidden.

The first question costs one child that tries every act of :mod:`tracing.sandbox.probe`;
the answer is kept for the life of the process.
"""

from __future__ import annotations

import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tracing.errors import ExecVerifyError, InfrastructureError
from tracing.limits import Limits
from tracing.literals import LiteralError, read
from tracing.sandbox import probe
from tracing.sandbox.conversation import converse
from tracing.sandbox.records import LEVELS, LevelName

__all__ = ["Level", "SandboxLevelError", "level", "require"]

_REFUSED_AT: dict[LevelName, frozenset[str]] = {
    "rlimits": frozenset(),
    "reduced": frozenset({"connect", "fork", "signal", "chmod", "raise_limit"}),
    "full": frozenset(probe.ACTS),
}
"""What must be refused for a level to be reached."""
_LIMITS = Limits(seconds=20.0)
_VARIABLE = "EXECVERIFY_SANDBOX"


class SandboxLevelError(ExecVerifyError):
    """This system does not confine as well as was required."""


@dataclass(frozen=True, slots=True)
class Level:
    """How well this system confines.

    Attributes:
        name: ``"full"``: files, network, processes and limits are out of reach.
            ``"reduced"``: all but files. ``"rlimits"``: nothing but limits holds.
        layers: The layers that a child lays, see :func:`tracing.sandbox.confine.confine`.
        allowed: The forbidden acts that succeeded.
    """

    name: LevelName
    layers: tuple[str, ...]
    allowed: tuple[str, ...]


_lock = threading.Lock()
_level: Level | None = None


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def level() -> Level:
    """Tell which level this system reaches, trying it at the first call.

    Returns:
        The level.

    Raises:
        InfrastructureError: No child could be run.
    """
    global _level
    with _lock:
        if _level is None:
            _level = _measure()
        return _level


def require(name: LevelName | None = None) -> Level:
    """Insist on a level.

    Args:
        name: The weakest level that will do; None stands for what the environment variable
            ``EXECVERIFY_SANDBOX`` names, or ``"full"``.

    Returns:
        The level reached.

    Raises:
        SandboxLevelError: It is weaker, or no level has that name.
        InfrastructureError: No child could be run.
    """
    wanted = name or os.environ.get(_VARIABLE) or "full"
    if wanted not in LEVELS:
        raise SandboxLevelError(
            f"no level of the sandbox is called {wanted!r}; there are {', '.join(LEVELS)}"
        )
    reached = level()
    if LEVELS.index(reached.name) < LEVELS.index(wanted):
        raise SandboxLevelError(
            f"the sandbox reaches the level {reached.name!r} here, not {wanted!r}: a confined "
            f"process could {', '.join(reached.allowed)}; run on Linux 5.13 or later with "
            f"Landlock and seccomp, or set {_VARIABLE}={reached.name} to do with less"
        )
    return reached


def _measure() -> Level:
    try:
        with _listener() as port, tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "secret"), "w", encoding="utf-8") as file:
                file.write("secret")
            job = {"kind": "probe", "outside": folder, "port": port, "layers": []}
            heard = converse(job, len(probe.ACTS), _LIMITS)
    except OSError as error:
        raise InfrastructureError(f"the sandbox could not be tried: {error}") from error
    if heard.outcome != "finished":
        raise InfrastructureError(f"the sandbox could not be tried: {heard.reason}")
    try:
        done = [read(frame.text) for frame in heard.results]
    except LiteralError as error:
        raise InfrastructureError(f"the sandbox could not be tried: {error}") from error
    allowed = tuple(act for act, succeeded in done if succeeded)
    return Level(_name(allowed), heard.layers, allowed)


@contextmanager
def _listener() -> Iterator[int]:
    """Listen on the loopback address, and give the port."""
    try:
        listener = socket.create_server(("127.0.0.1", 0))
    except OSError:  # no network here, and so nothing to reach
        yield 1
        return
    with listener:
        yield listener.getsockname()[1]


def _name(allowed: tuple[str, ...]) -> LevelName:
    reached: LevelName = "rlimits"
    for name in LEVELS:
        if not _REFUSED_AT[name] & set(allowed):
            reached = name
    return reached
