"""Runs a program safely and says, step by step, what happened.

:func:`run` executes one call of one function in a sandboxed worker, under two
independent tracers and two hash seeds, and gives a :class:`Trace`: the steps,
the value of every variable after each, the output or the exception. A
:class:`Value` is literal text beside a type name and compares type-strictly.
This package needs the standard library alone.
"""

from tracing.errors import ExecVerifyError
from tracing.limits import Limits
from tracing.run import run, run_many
from tracing.trace import Step, Trace
from tracing.values import Value

__all__ = ["ExecVerifyError", "Limits", "Step", "Trace", "Value", "run", "run_many"]
