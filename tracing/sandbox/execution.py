"""Runs one program in one confined child: the two ways to do so, and what comes of it.

The caller knows what is expected and the child does not; so the child can lie about
nothing but its own values.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from typing import Any

from tracing.errors import ExecVerifyError, InfrastructureError, shorten
from tracing.limits import Limits
from tracing.sandbox import frames, levels
from tracing.sandbox.conversation import Heard, converse
from tracing.sandbox.records import Execution, LevelName, Result
from tracing.values import Value

__all__ = ["MAX_JOB", "run_calls", "run_stdin"]

MAX_JOB = 16 << 20
"""The longest program with its inputs, in characters."""
ATTEMPTS = 3
_LONGEST_NAME = 200
_DEFAULT = Limits()

# More than there are processors: one that sleeps must not hold up the others, and under
# a flood of busy loops each still meets its own deadline.
_slots = threading.BoundedSemaphore(4 * (os.cpu_count() or 1))


def _after_fork() -> None:
    global _slots
    _slots = threading.BoundedSemaphore(4 * (os.cpu_count() or 1))


os.register_at_fork(after_in_child=_after_fork)


def run_calls(
    source: str,
    entry: str,
    arguments: Sequence[str],
    *,
    limits: Limits = _DEFAULT,
    required: LevelName | None = None,
) -> Execution:
    """Call a function of a program once for each argument list, in one confined child.

    Args:
        source: The program. Its module-level code runs once, as a module that is not
            ``__main__``.
        entry: Name of the function; or of a method of its class ``Solution``, which is
            then called on a new instance each time.
        arguments: Each an argument list as literals, like ``"[1, 2], key=4"``.
        limits: CPU seconds of each call (all calls together may take ten times as long),
            bytes of memory and of printed output; ``steps`` is not looked at.
        required: The weakest level of confinement to run at, ``"full"`` unless the
            environment variable ``EXECVERIFY_SANDBOX`` names another.

    Returns:
        What the calls gave.

    Raises:
        SandboxLevelError: This system does not reach the required level.

    Example:
        >>> run = run_calls("def f(n, k=1): return n * k", "f", ["3", "4, k={}"])
        >>> run.outcome, run.results[0].value, run.results[1].exception
        ('finished', Value(type='int', literal='3'), 'TypeError')
    """
    job = {"kind": "calls", "source": source, "entry": entry, "arguments": list(arguments)}
    return _execute(job, list(arguments), limits, required)


def run_stdin(
    source: str,
    inputs: Sequence[str],
    *,
    limits: Limits = _DEFAULT,
    required: LevelName | None = None,
) -> Execution:
    r"""Run a program once for each standard input, in one confined child.

    Each run is a new module ``__main__``. Leaving with ``sys.exit(0)`` is fine; another
    status counts as the exception ``SystemExit``.

    Args:
        source: The program.
        inputs: What standard input holds, for each run.
        limits: As for :func:`run_calls`, for each run.
        required: The weakest level of confinement to run at, ``"full"`` unless the
            environment variable ``EXECVERIFY_SANDBOX`` names another.

    Returns:
        What the runs gave; what they printed is in each result's ``stdout``.

    Raises:
        SandboxLevelError: This system does not reach the required level.

    Example:
        >>> run_stdin("print(int(input()) + 1)", ["1", "2"]).results[1].stdout
        '3\n'
    """
    job = {"kind": "programs", "source": source, "inputs": list(inputs)}
    return _execute(job, list(inputs), limits, required)


def _execute(
    job: dict[str, Any], tests: list[str], limits: Limits, required: LevelName | None
) -> Execution:
    if not tests:
        raise ExecVerifyError("there are no tests; give at least one argument list or input")
    try:
        held = levels.require(required)
    except InfrastructureError as error:
        return Execution("infrastructure", (), str(error), 0.0, "rlimits")
    if len(job["source"]) + sum(map(len, tests)) > MAX_JOB:
        reason = f"the program and its inputs are longer than {MAX_JOB} characters"
        return Execution("refused", (), reason, 0.0, held.name)
    job = {**job, "layers": list(held.layers)}
    with _slots:
        return _retried(job, len(tests), limits, held.name)


def _retried(job: dict[str, Any], count: int, limits: Limits, name: LevelName) -> Execution:
    """Run a job, and again where the machine failed, or may have stood still."""
    reason = ""
    for attempt in range(ATTEMPTS):
        try:
            heard = converse(job, count, limits)
        except InfrastructureError as error:
            reason = str(error)
            time.sleep(0.05 * attempt)
            continue
        if not heard.idle or attempt:
            return _execution(job, heard, name)
    return Execution("infrastructure", (), reason, 0.0, name)


def _execution(job: dict[str, Any], heard: Heard, name: LevelName) -> Execution:
    read = _printed if job["kind"] == "programs" else _returned
    outcome, reason = heard.outcome, heard.reason
    results: list[Result] = []
    for frame in heard.results:
        result = read(frame)
        if result is None:
            outcome, reason = "crashed", "it sent something else than a literal"
            break
        results.append(result)
    return Execution(outcome, tuple(results), reason, heard.seconds, name)


def _printed(frame: frames.Frame) -> Result | None:
    return Result(None, _exception(frame), frame.stdout)


def _returned(frame: frames.Frame) -> Result | None:
    if frame.kind == frames.EXCEPTION:
        return Result(None, _exception(frame), frame.stdout)
    if frame.kind == frames.NO_LITERAL:
        return Result(None, None, frame.stdout, shorten(frame.text))
    value = Value.parse(frame.text, scale=frames.RESULT_SCALE)
    return Result(value, None, frame.stdout) if value is not None else None


def _exception(frame: frames.Frame) -> str | None:
    return shorten(frame.text, _LONGEST_NAME) if frame.kind == frames.EXCEPTION else None
