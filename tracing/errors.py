"""The errors that execverify raises: one base class and its few children.

Assumes nothing. A program that fails, hangs or lies is a result (see
:class:`tracing.Trace`), never one of these; these are for a caller's mistake or
a broken machine.
"""

from __future__ import annotations

__all__ = [
    "CallError",
    "ExecVerifyError",
    "GroundTruthError",
    "InfrastructureError",
    "MissingExtraError",
    "NoLiteralError",
    "ProgramError",
    "UsageError",
    "in_a_line",
    "said",
    "shorten",
]


def shorten(text: str, limit: int = 60) -> str:
    """Shorten a text for a message, keeping its beginning.

    Args:
        text: Any text.
        limit: The most characters to return.

    Returns:
        ``text``, or its beginning and an ellipsis.

    Example:
        >>> shorten("a" * 100, 10)
        'aaaaaaa...'
    """
    return text if len(text) <= limit else text[: limit - 3] + "..."


def said(value: object, limit: int = 60) -> str:
    """Say a value of a stranger in a message.

    Args:
        value: Any value; one that is nested may be so deep that it cannot be printed.
        limit: The most characters to return.

    Returns:
        The beginning of its ``repr``, or what type it is of.

    Example:
        >>> said("a" * 100, 10)
        "'aaaaaa..."
    """
    try:
        return shorten(repr(value), limit)
    except RecursionError:
        return f"a {type(value).__name__} that is nested too deep"


def in_a_line(error: BaseException, limit: int = 200) -> str:
    """Say what another library's error says, on one line.

    Args:
        error: The error; its text may have many lines, or none.
        limit: The most characters to return.

    Returns:
        The beginning of its text, or its type where it has no text.

    Example:
        >>> in_a_line(ValueError("no  way")), in_a_line(MemoryError())
        ('no way', 'MemoryError')
    """
    return shorten(" ".join(str(error).split()) or type(error).__name__, limit)


class ExecVerifyError(Exception):
    """Base of every error that this library raises on purpose."""


class UsageError(ExecVerifyError):
    """An argument is not what it may be; the call must be changed (exit code 2)."""


class ProgramError(ExecVerifyError):
    """The source is not a program that can be traced (see SEMANTICS in docs/)."""


class CallError(ExecVerifyError):
    """The call is not one call of a function of the program with literal arguments."""


class GroundTruthError(ExecVerifyError):
    """A run gives no ground truth: it failed a limit, or two runs disagreed."""


class InfrastructureError(ExecVerifyError):
    """The machine failed, not the program: a worker could not be started, a pipe broke."""


class MissingExtraError(ExecVerifyError):
    """An optional dependency is not installed; the message names the extra."""


class NoLiteralError(ExecVerifyError):
    """A value has no literal text and must not be asked about.

    Attributes:
        reason: ``"no_literal"``, ``"cyclic"`` or ``"too_long"``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
