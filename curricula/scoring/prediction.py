"""Judges predictions: the output of a call, or arguments that give an output.

An answer makes one claim, an assertion about the entry function. Two claims are a hedge
and earn nothing; lines of the program itself, repeated, are none.
"""

from __future__ import annotations

import ast
import re

from curricula.scoring.assertion import Assertion, assertion_in, bound
from curricula.scoring.completion import Unreadable, unnumbered
from curricula.scoring.rows import Row
from tracing.errors import shorten
from tracing.units import tree_of

__all__ = ["judge_output", "proposed_arguments"]

_MOST_LINES = 20
"""The most lines that one assertion may be spread over."""
_ASSERT = re.compile(r"assert\b")


def judge_output(lines: list[str], row: Row) -> tuple[str, list[str]]:
    """Judge the prediction of an output.

    Args:
        lines: The lines of the answer.
        row: A row of task output.

    Returns:
        What is wrong with it, or an empty text; and the lines behind it, which answer the
        questions.
    """
    claims = _claims(lines, row)
    if len(claims) > 1:
        return f"{len(claims)} assertions where one is asked for", lines[claims[-1] + 1 :]
    if not claims:
        # Where the first line is something else, it takes the place of the assertion;
        # where there are no more lines than questions, it was left out.
        behind = lines[1:] if len(lines) > len(row.questions) else lines
        return f"there is no assertion about {row.entry}", behind
    try:
        assertion, used = _first_assertion(lines[claims[0] :], row.entry, _longest(row))
    except Unreadable as error:
        return str(error), lines[claims[0] + 1 :]
    rest = lines[claims[0] + used :]
    try:
        is_asked = _is_asked(assertion.arguments, row)
    except Unreadable as error:
        return str(error), rest
    return (_wrong(assertion, row) if is_asked else "the assertion is about another call"), rest


def _is_asked(arguments: str, row: Row) -> bool:
    """Tell whether a call is the row's, however it is written."""
    asked = arguments_of(row.call)
    if arguments.strip() == asked.strip():
        return True
    try:
        return bound(row.source, row.entry, arguments) == bound(row.source, row.entry, asked)
    except Unreadable:
        if _is_known(arguments, asked):
            return True
        raise


def proposed_arguments(lines: list[str], row: Row) -> str | None:
    """Read the arguments that are said to give the output.

    Args:
        lines: The lines of the answer.
        row: A row of task input.

    Returns:
        An argument list of literals that the function takes; None where it is the row's own
        and not of literals, which somebody else's problem may have, so that none need be run.

    Raises:
        Unreadable: There is none, or more than one.
    """
    claims = _claims(lines, row)
    if len(claims) != 1:
        raise Unreadable(f"{len(claims)} assertions about {row.entry} where one is asked for")
    line = unnumbered(lines[claims[0]]).strip("`").rstrip(".")
    if not _ASSERT.match(line):
        try:
            return _literal_or_known(arguments_of(line), row)
        except Unreadable:
            pass  # more than a bare call: a comparison, without the word assert
    assertion, _ = _first_assertion(lines[claims[0] :], row.entry, None)
    wrong = _wrong(assertion, row)
    if wrong:
        raise Unreadable(f"the assertion is about another output: {wrong}")
    return _literal_or_known(assertion.arguments, row)


def _literal_or_known(arguments: str, row: Row) -> str | None:
    try:
        bound(row.source, row.entry, arguments)
        return arguments
    except Unreadable:
        if _is_known(arguments, arguments_of(row.call)):
            return None
        raise


def _is_known(arguments: str, asked: str) -> bool:
    """Tell whether two argument lists are the same but for blanks, brackets and quotes."""
    if arguments.strip() == asked.strip():
        return True
    if len(arguments) > 100 + 2 * len(asked):
        return False
    try:
        return _dumped(arguments) == _dumped(asked)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False


def _dumped(arguments: str) -> str:
    return ast.dump(tree_of(f"f({arguments})"))


def arguments_of(call: str) -> str:
    """Take the argument list out of the text of a call.

    Args:
        call: Like ``"f(1, 2)"``.

    Returns:
        Like ``"1, 2"``.
    """
    return call.strip().partition("(")[2].removesuffix(")")


def _claims(lines: list[str], row: Row) -> list[int]:
    """Find the lines that begin a claim: an assertion, or a bare call, of the entry function."""
    call = re.compile(rf"\b{re.escape(row.entry)}\s*\(")
    found = [
        place
        for place, line in enumerate(lines)
        if row.entry in line and line[:1] not in (" ", "\t") and _is_claim(line, call)
    ]
    if len(found) > 1:
        own = {line.strip() for line in row.source.split("\n")}
        found = [place for place in found if lines[place].strip() not in own]
    return found


def _is_claim(line: str, call: re.Pattern[str]) -> bool:
    text = unnumbered(line).lstrip("`( ")
    return call.match(text) is not None or (
        _ASSERT.match(text) is not None and call.search(text) is not None
    )


def _first_assertion(lines: list[str], entry: str, longest: int | None) -> tuple[Assertion, int]:
    """Read the assertion at the beginning, which brackets may spread over several lines."""
    first = unnumbered(lines[0])
    try:
        return assertion_in(first, entry, longest), 1
    except Unreadable as error:
        problem = error
    text = first
    for used, line in enumerate(lines[1:_MOST_LINES], 2):
        if not _is_open(text):
            break
        text = f"{text}\n{line}"
        if not _is_open(text):
            return assertion_in(text, entry, longest), used
    raise problem


def _is_open(text: str) -> bool:
    """Tell whether brackets are open at the end; text in quotes is not looked into."""
    return sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))


def _longest(row: Row) -> int:
    """Bound what is read by what a right assertion could need, however it is spaced."""
    size = len(row.call) + (len(row.output.literal) if row.output else 0)
    return 2000 + 8 * size


def _wrong(assertion: Assertion, row: Row) -> str:
    """Say what is wrong with a claim about the outcome, or give an empty text."""
    if row.exception is not None:
        if assertion.exception == row.exception:
            return ""
        return "the call raises an exception" if assertion.value else "another exception is raised"
    if assertion.exception is not None:
        return "the call raises no exception"
    if row.output in (assertion.value, assertion.other):
        return ""
    claimed = assertion.value.literal if assertion.value else ""
    return f"the predicted value {shorten(claimed)} is wrong"
