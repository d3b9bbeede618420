"""Runs what official scorers run: a program with the model's text pasted into it.

The text of a model is code here, which our own checks never allow; it is executed in the
sandbox only. That the text can pass without knowing the answer (``0 or True``) is what an
official number means, and why ours stands beside it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from curricula.scoring.completion import Unreadable, answer_of, lines_of
from rl.evaluation.benchmarks.base import Mark, Replied
from tracing import Limits, Value, sandbox
from tracing.errors import NoLiteralError

__all__ = ["answer_text", "executed", "passes"]

_HARNESS = """\
def verdict(program):
    exec(program, {})
    return True
"""
_SECONDS = 3.0
_TRUE = Value.of(True)


def answer_text(reply: str) -> str:
    """Take the part of a reply that an official scorer would be given.

    Args:
        reply: The reply.

    Returns:
        The answer block without code fences, or all of the reply where there is none.
    """
    try:
        return "\n".join(lines_of(answer_of(reply)))
    except Unreadable:
        return reply.strip()


def passes(programs: Sequence[str]) -> list[bool | None]:
    """Tell which programs run to their end without an exception, in three seconds.

    Args:
        programs: The programs, several at a time in the sandbox.

    Returns:
        A verdict for each, in order; None where the machine failed.

    Raises:
        SandboxLevelError: This system cannot confine code as required.

    Source: CRUXEval's ``check_correctness`` with a timeout of 3, which LiveCodeBench shares.

    Example:
        >>> passes(["assert 1 == 1", "assert 1 == 0 or True", "assert 1 == 0", "assert 1 =="])
        [True, True, False, False]
    """
    if len(programs) < 2:
        return [_passes(program) for program in programs]
    with ThreadPoolExecutor(min(len(programs), 2 * (os.cpu_count() or 1))) as threads:
        return list(threads.map(_passes, programs))


def _passes(program: str) -> bool | None:
    try:
        argument = Value.of(program).literal
    except NoLiteralError:  # too long, or no text that can be encoded
        return False
    run = sandbox.run_calls(_HARNESS, "verdict", [argument], limits=Limits(_SECONDS, 1 << 30))
    if run.outcome == "infrastructure":
        return None
    return run.outcome == "finished" and run.results[0].value == _TRUE


def executed(
    replied: Sequence[Replied], program_of: Callable[[Replied], str | None]
) -> list[tuple[Mark, ...]]:
    """Judge replies by whether the program that a scorer makes of each runs to its end.

    Args:
        replied: The replies.
        program_of: Makes the program of a reply; None where the scorer leaves the reply out.

    Returns:
        A mark for each.

    Raises:
        SandboxLevelError: This system cannot confine code as required.
    """
    made = [program_of(one) for one in replied]
    verdicts = iter(passes([program for program in made if program is not None]))
    return [
        (_mark(one.item.task, next(verdicts)),)
        if program is not None
        else (Mark(one.item.task, "", None, "the official scorer leaves it out"),)
        for one, program in zip(replied, made, strict=True)
    ]


def _mark(task: str, verdict: bool | None) -> Mark:
    if verdict is None:
        return Mark(task, "", 0.0, "the sandbox failed several times", is_lost=True)
    return Mark(task, "", float(verdict), "" if verdict else "the assertion does not hold")
