"""Answers to questions about a run: as a line that is right, and as a sentence that says why.

An answer of a kind that this module does not know is written as its literal.
"""

from __future__ import annotations

from collections.abc import Callable

from curricula.questions import Question
from curricula.questions.base import ordinal
from curricula.scoring.rows import Row
from tracing import Value

__all__ = ["answer_line", "reason", "right_answer"]

_TYPED = ("state", "iteration")
"""Kinds whose answers are ``value; type``."""


def answer_line(question: Question) -> str:
    """Write a right answer as the question asks for it.

    Args:
        question: A question with its answers.

    Returns:
        One line.

    Example:
        >>> from tracing import Value
        >>> answer_line(Question("state", "", 1, 1, "x", (Value.of([1]),)))
        '[1]; list'
    """
    value = question.answers[0]
    if question.kind in _TYPED:
        return f"{value.literal}; {value.type}"
    if question.kind == "executed":
        return "yes" if value == Value.of(True) else "no"
    if question.kind == "path":
        return value.literal.strip("[]")
    if value.type == "str" and (question.kind != "output" or _is_raised(value)):
        return str(value.object())
    return value.literal


def _is_raised(value: Value) -> bool:
    verb, _, name = str(value.object()).partition(" ")
    return verb == "raises" and name.isidentifier()


def right_answer(row: Row) -> str:
    """Write the answer to a prompt that earns all.

    Args:
        row: A row about a call; rows of code hold no program that is right.

    Returns:
        The assertion, then a line for each question.

    Example:
        >>> from curricula.scoring.rows import read_row
        >>> right_answer(read_row({"source": "", "call": "f(3)", "output": "4"}))
        'assert f(3) == 4'
    """
    result = f"raises {row.exception}" if row.output is None else f"== {row.output.literal}"
    return "\n".join([f"assert {row.call} {result}", *map(answer_line, row.questions)])


def reason(question: Question) -> str:
    """Say in a sentence what the answer is, by what was noted of the run.

    Args:
        question: A question with its answers.

    Returns:
        The sentence.
    """
    known = _REASONS.get(question.kind)
    return known(question) if known else f"The answer is {answer_line(question)}."


def _when(question: Question) -> str:
    return f"the {ordinal(question.occurrence or 1)} run of line {question.line}"


def _state(question: Question) -> str:
    value = question.answers[0]
    kind = f"of type {value.type}"
    return f"After {_when(question)}, {question.variable} = {value.literal}, {kind}."


def _iteration(question: Question) -> str:
    value, number = question.answers[0], ordinal(question.occurrence or 1)
    return f"In the {number} pass, {question.variable} = {value.literal}, of type {value.type}."


def _next(question: Question) -> str:
    return f"{_when(question).capitalize()} is followed by line {answer_line(question)}."


def _path(question: Question) -> str:
    return f"{_when(question).capitalize()} is followed by lines {answer_line(question)}."


def _executed(question: Question) -> str:
    runs = question.answers[0] == Value.of(True)
    return f"Line {question.line} {'is reached' if runs else 'is never reached'}."


def _count(question: Question) -> str:
    return f"Line {question.line} runs {answer_line(question)} times in all."


def _exception(question: Question) -> str:
    return f"{_when(question).capitalize()} raises {answer_line(question)}."


_REASONS: dict[str, Callable[[Question], str]] = {
    "state": _state,
    "iteration": _iteration,
    "next_statement": _next,
    "path": _path,
    "executed": _executed,
    "count": _count,
    "exception": _exception,
}
