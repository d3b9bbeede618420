"""Runs our programs on the arguments that a learner proposes.

They are trusted more than a learner's code, and thousands of them must run in a second: so
they run in recycled, confined workers. A program of somebody else that these refuse, since it
could not be traced, runs in the sandbox.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tracing import Limits, Trace, Value, outputs
from tracing.errors import InfrastructureError

__all__ = ["Ran", "run_arguments"]


@dataclass(frozen=True, slots=True)
class Ran:
    """How a call ended.

    Attributes:
        value: What it returned, or None.
        exception: Type name of the exception that left it, or None.
        reason: Why there is neither, or an empty text.
    """

    value: Value | None
    exception: str | None
    reason: str


def run_arguments(
    source: str, entry: str, arguments: Sequence[str], limits: Limits | None = None
) -> list[Ran]:
    """Call a function of a program on several argument lists, each in a fresh program.

    Args:
        source: The program.
        entry: The function's name.
        arguments: Argument lists of literals.
        limits: What each call may use.

    Returns:
        How each call ended, in order.

    Raises:
        InfrastructureError: The machine failed.
        SandboxLevelError: The sandbox is needed, and cannot confine as required.
    """
    runs = outputs(source, [f"{entry}({text})" for text in arguments], limits=limits)
    return [
        _sandboxed(source, entry, text, limits) if run.outcome == "unsupported" else _told(run)
        for run, text in zip(runs, arguments, strict=True)
    ]


def _told(run: Trace) -> Ran:
    if run.outcome not in ("returned", "raised"):
        return Ran(None, None, run.reason or run.outcome)
    reason = "" if run.output or run.exception else "what it returns has no literal"
    return Ran(run.output, run.exception, reason)


def _sandboxed(source: str, entry: str, arguments: str, limits: Limits | None) -> Ran:
    from tracing import sandbox

    run = sandbox.run_calls(source, entry, [arguments], limits=limits or Limits())
    if run.outcome == "infrastructure":
        raise InfrastructureError(run.reason)
    if run.outcome != "finished":
        return Ran(None, None, run.reason)
    (result,) = run.results
    return Ran(result.value, result.exception, result.reason)
