"""Runs one call under one tracer, in this process.

Assumes a process that may be lost: whatever the program does, it does here. Call
:func:`tracing.run` instead, which does this in confined workers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any, Literal

from tracing import events, instrument
from tracing.literals import LiteralError, read_arguments
from tracing.record import Record
from tracing.recorder import Recorder, StopRun

__all__ = ["Tracer", "trace_here"]

Tracer = Literal["instrument", "events", "none"]


def trace_here(source: str, call: str, tracer: Tracer, *, steps: int, values: bool) -> Record:
    """Run one call and record its steps.

    Args:
        source: A program that :func:`tracing.support.check` lets pass.
        call: The call, like ``"f([1], k=2)"``.
        tracer: ``"instrument"`` or ``"events"``, or ``"none"`` for the outcome alone.
        steps: The most steps that are recorded.
        values: Whether the values of variables are recorded.

    Returns:
        The record; of a run that went too far, an empty one with its reason.
    """
    entry, _, arguments = call.strip().partition("(")
    recorder = Recorder(steps, frozenset(), values=values)
    module = ModuleType("program")
    sys.modules["program"] = module
    try:
        return _run(source, entry.strip(), arguments.rstrip()[:-1], tracer, recorder, module)
    except StopRun as stop:
        return Record(outcome=stop.outcome, reason=stop.reason)
    finally:
        del sys.modules["program"]


def _run(
    source: str, entry: str, arguments: str, tracer: Tracer, recorder: Recorder, module: ModuleType
) -> Record:
    namespace = module.__dict__
    try:
        values, keywords = read_arguments(arguments)
    except LiteralError as error:
        return _refused(f"the call's arguments are not literals: {error}")
    try:
        start, stop = _prepared(source, tracer, recorder, namespace)
    except StopRun:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is a result
        return _refused(f"the program raises {_name(error)} before it is called")
    function = namespace.get(entry)
    if not callable(function):
        return _refused(f"the program defines no function {entry}")
    outcome, exception, output = "returned", None, None
    start()
    recorder.waits = False
    try:
        output = function(*values, **keywords)
    except BaseException as error:  # noqa: BLE001
        outcome, exception = "raised", error
    finally:
        stop()
        recorder.waits = True
    if recorder.stopped is not None:
        raise recorder.stopped
    if exception is not None:
        if isinstance(exception, MemoryError):
            raise StopRun("memory", "the run needs more memory than it may use")
        if isinstance(exception, RecursionError):
            raise StopRun("unsupported", "the recursion limit was reached")
        return recorder.record(outcome, exception=_name(exception))
    return recorder.record(outcome, output=recorder.number(output))


def _refused(reason: str) -> Record:
    return Record(outcome="unsupported", reason=reason)


def _name(error: BaseException) -> str:
    return type(error).__name__


def _prepared(
    source: str, tracer: Tracer, recorder: Recorder, namespace: dict[str, Any]
) -> tuple[Callable[[], None], Callable[[], None]]:
    """Run the module's statements; give what switches the tracer on and off."""
    if tracer == "events":
        program = _listened(source)
        recorder.closing = program.closing
        namespace.update(program.names)
        exec(program.code, namespace)
        listen = events.tracer(program, recorder)
        return (lambda: sys.settrace(listen)), (lambda: sys.settrace(None))
    if tracer == "none":
        exec(_plain(source), namespace)
        return _nothing, _nothing
    code, recorder.closing = _rewritten(source)
    namespace.update(instrument.hooks(recorder))
    exec(code, namespace)
    return _nothing, _nothing


def _nothing() -> None:
    return None


# A program is often run on several calls in a row.
_rewritten = lru_cache(maxsize=4)(instrument.compile_program)
_listened = lru_cache(maxsize=4)(events.Program)


@lru_cache(maxsize=4)
def _plain(source: str) -> Any:
    return compile(source, "<program>", "exec", dont_inherit=True)
