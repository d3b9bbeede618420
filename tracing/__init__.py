"""Runs a program safely and says, step by step, what happened.

:func:`run` executes one call of one function in a confined worker, under two
independent tracers and two hash seeds, and gives a :class:`Trace`: the steps,
the value of every variable after each, the output or the exception. A
:class:`Value` is literal text beside a type name and compares type-strictly.
This package needs the standard library alone.
"""

from typing import TYPE_CHECKING, Any

from tracing.errors import ExecVerifyError
from tracing.limits import Limits
from tracing.values import Value

if TYPE_CHECKING:
    from tracing.runs import derived, outputs, probe, run, run_many
    from tracing.trace import Step, Trace

__all__ = [
    "ExecVerifyError",
    "Limits",
    "Step",
    "Trace",
    "Value",
    "derived",
    "outputs",
    "probe",
    "run",
    "run_many",
]


def __getattr__(name: str) -> Any:
    # Workers import this package too, and must stay small: a fork costs by size.
    if name in ("Step", "Trace"):
        from tracing import trace

        return getattr(trace, name)
    if name in ("derived", "outputs", "probe", "run", "run_many"):
        from tracing import runs

        return getattr(runs, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
