"""Runs the tests of a code problem in the sandbox; the verdict is made here.

The child gets the program and the inputs, never what is expected; what it gives back is
a value or printed text, and is compared in this process.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curricula.scoring.prelude import with_usual_imports
from curricula.scoring.rows import Row, Test
from tracing import Limits, Value
from tracing.errors import NoLiteralError, shorten
from tracing.literals import LiteralError, read, read_arguments

if TYPE_CHECKING:
    from tracing.sandbox import Result

__all__ = ["Verdict", "run_tests", "same_output"]

_LIMITS = Limits(memory=1 << 30)
"""Programs may hold larger data than those that we make ourselves."""
_SCALE = 100
"""Tests may hold far longer values than questions do."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a program's tests.

    Attributes:
        fraction: The part of the tests that passed, in [0, 1]; 1 only where all did and
            the program came to its end.
        reason: What was wrong first, or an empty text.
        is_infrastructure: Whether the machine failed, not the program.
    """

    fraction: float
    reason: str = ""
    is_infrastructure: bool = False


def run_tests(code: str, row: Row, limits: Limits | None = None) -> Verdict:
    """Run all tests of a problem in one confined child.

    Args:
        code: The program, which nobody trusts.
        row: A row of task code.
        limits: What each test may use; two seconds and a gigabyte by default.

    Returns:
        The verdict.

    Raises:
        SandboxLevelError: This system cannot confine the program as required.
    """
    from tracing import sandbox

    given = limits or _LIMITS
    code = with_usual_imports(code, row.entry)
    if row.entry:
        inputs = [_arguments(test.input) for test in row.tests]
        run = sandbox.run_calls(code, row.entry, inputs, limits=given)
    else:
        run = sandbox.run_stdin(code, [test.input for test in row.tests], limits=given)
    if run.outcome == "infrastructure":
        return Verdict(0.0, run.reason, is_infrastructure=True)
    wrong = [
        _wrong(test, result, bool(row.entry))
        for test, result in zip(row.tests, run.results, strict=False)
    ]
    reasons = [f"test {number}: {text}" for number, text in enumerate(wrong, 1) if text]
    if run.outcome != "finished" or len(wrong) != len(row.tests):
        reasons.append(run.reason or f"{len(wrong)} of {len(row.tests)} tests ran")
    passed = wrong.count("") / len(row.tests)
    if reasons and passed == 1.0:
        passed = 0.0  # every test answered, and yet it did not end as programs do
    return Verdict(passed, reasons[0] if reasons else "")


def _arguments(text: str) -> str:
    """Give an argument list, also where each argument stands on a line, or in JSON's words."""
    lines = [line for line in text.split("\n") if line.strip()]
    # Before all else: texts on two lines would read as one, as Python joins them.
    if len(lines) > 1 and all(map(_is_literal, lines)):
        return ", ".join(lines)
    try:
        read_arguments(text, scale=_SCALE)
    except LiteralError:
        with contextlib.suppress(ValueError, RecursionError):
            return ", ".join(map(repr, json.loads(f"[{','.join(lines)}]")))
    return text


def _is_literal(text: str) -> bool:
    try:
        read(text, scale=_SCALE)
    except LiteralError:
        return False
    return True


def _wrong(test: Test, result: Result, is_call: bool) -> str:
    """Say what is wrong with a test's result, or give an empty text."""
    if result.exception is not None:
        return f"it raises {result.exception}"
    if not is_call:
        printed = result.stdout
        return "" if same_output(printed, test.output) else f"it prints {shorten(repr(printed))}"
    if result.value is None:
        return "what it returns has no literal"
    same = result.value == _expected(test.output)
    return "" if same else f"it returns {shorten(result.value.literal)}"


def _expected(text: str) -> Value:
    """Read what a call should return: a literal, or JSON, or text without quotes."""
    try:
        return Value.of(read(text, scale=_SCALE), scale=_SCALE)
    except (LiteralError, NoLiteralError):
        pass
    try:
        return Value.of(json.loads(text), scale=_SCALE)
    except (ValueError, RecursionError, NoLiteralError):
        return Value.of(text, scale=_SCALE)


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def same_output(printed: str, expected: str) -> bool:
    """Compare what was printed with what was expected.

    Lines are compared one by one, blanks at their ends and blank lines at the end aside; in
    a line, its words. Two words are the same where their texts are, or where the expected
    one is a number with a decimal point or an exponent and the other is within 1e-6 of it,
    relative or absolute. A whole number is only itself.

    Args:
        printed: What the program printed.
        expected: What was expected.

    Returns:
        Whether they are the same.

    Example:
        >>> same_output("0.3333333 a\\n", "0.33333330 a")
        True
        >>> same_output("1000000000.0", "1000000007")
        False
    """
    left, right = _words(printed), _words(expected)
    return len(left) == len(right) and all(map(_same_line, left, right))


def _words(text: str) -> list[list[str]]:
    lines = [line.split() for line in text.replace("\r\n", "\n").split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _same_line(left: Sequence[str], right: Sequence[str]) -> bool:
    return len(left) == len(right) and all(map(_same_word, left, right))


def _same_word(printed: str, expected: str) -> bool:
    if printed == expected:
        return True
    fractional = not expected.lstrip("+-").isdigit()
    if not fractional or len(printed) > 400 or len(expected) > 400:
        return False
    if not (_NUMBER.fullmatch(printed) and _NUMBER.fullmatch(expected)):
        return False
    one, other = float(printed), float(expected)
    return abs(one - other) <= 1e-6 * max(1.0, abs(other))
