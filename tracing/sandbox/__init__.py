"""Runs code that nobody trusts, and says what it gave.

:func:`run_calls` calls one function on several argument lists, :func:`run_stdin` runs a
program on several inputs; each uses one fresh child that gives up files, network,
processes and limits before it runs a line. The child gets code and inputs and gives back
values: what they are worth is for the caller to decide. See docs/sandbox.md.
"""

from tracing.sandbox.client import stop
from tracing.sandbox.execution import run_calls, run_stdin
from tracing.sandbox.levels import Level, SandboxLevelError, level, require
from tracing.sandbox.records import Execution, Result

__all__ = [
    "Execution",
    "Level",
    "Result",
    "SandboxLevelError",
    "level",
    "require",
    "run_calls",
    "run_stdin",
    "stop",
]
