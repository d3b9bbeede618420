"""What comes of running code in the sandbox."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tracing.values import Value

__all__ = ["LEVELS", "Execution", "LevelName", "Outcome", "Result"]

Outcome = Literal["finished", "timeout", "memory", "crashed", "output", "refused", "infrastructure"]

LevelName = Literal["rlimits", "reduced", "full"]

LEVELS: tuple[LevelName, ...] = ("rlimits", "reduced", "full")
"""From the weakest to the strongest; :mod:`tracing.sandbox.levels` says what each holds."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one call or one run of a program gave.

    Attributes:
        value: The returned value; None where it raised, has no literal, or where a program
            was run.
        exception: Type name of the exception that it ended in, or None.
        stdout: What it printed.
        reason: Why there is no value (``"no_literal"``, ``"cyclic"``, ``"too_long"``), or
            an empty text.
    """

    value: Value | None
    exception: str | None
    stdout: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Execution:
    """What all calls or runs of one program gave, in one confined child.

    Attributes:
        outcome: ``"finished"``: every test has its result, and only then can the program
            be right. ``"timeout"``, ``"memory"``, ``"output"``: a limit ended it.
            ``"crashed"``: it ended early or sent something else than results.
            ``"refused"``: it does not parse or has no such entry, or an input is no
            literal. ``"infrastructure"``: the machine failed, several times; this says
            nothing about the program.
        results: One for each test that was completed, in order.
        reason: Why it did not finish, in a sentence; empty when it did.
        seconds: The CPU time of the child.
        level: The level of confinement that held.
    """

    outcome: Outcome
    results: tuple[Result, ...]
    reason: str
    seconds: float
    level: LevelName
