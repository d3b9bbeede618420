"""Reads what scoring needs of a row, wherever the row comes from.

A row is trusted but may have been through a loader that fills in None, turns a list of
structs into a struct of lists, or writes a row as JSON text in one column.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from curricula.questions import Question
from tracing import Value
from tracing.errors import NoLiteralError, ProgramError, UsageError, shorten
from tracing.literals import LiteralError, read
from tracing.units import Units, units_of

__all__ = ["Row", "Test", "read_row"]

TASKS = ("output", "input", "code")


@dataclass(frozen=True, slots=True)
class Test:
    """One test of a code problem.

    Attributes:
        input: An argument list of literals, or what standard input holds.
        output: A literal, or what must be printed.
    """

    input: str
    output: str


@dataclass(frozen=True, slots=True)
class Row:
    """What scoring needs of a problem.

    Attributes:
        task: ``"output"``, ``"input"`` or ``"code"``.
        source: The program; empty for code.
        entry: The function that is called, or an empty text for a program on stdin.
        call: The call, as text; empty for code.
        output: The value that is returned, or None.
        exception: Type name of the exception that escapes, or None.
        questions: The questions, in order.
        tests: The tests of a code problem.
    """

    task: str
    source: str
    entry: str
    call: str
    output: Value | None
    exception: str | None
    questions: tuple[Question, ...]
    tests: tuple[Test, ...]


def read_row(given: Mapping[str, Any]) -> Row:
    """Read a row.

    Args:
        given: The columns that docs/rewards.md names; others are ignored. A column ``row``
            may hold all of them as JSON text.

    Returns:
        The row.

    Raises:
        UsageError: A column that the task needs is missing or is something else.
    """
    if isinstance(given.get("row"), str):
        given = json.loads(given["row"])
    task = given.get("task") or "output"
    if task not in TASKS:
        raise UsageError(f"there is no task {shorten(repr(task))}; it is one of {', '.join(TASKS)}")
    if task == "code":
        tests = tuple(
            Test(_text(t, "input"), _text(t, "output")) for t in _items(given.get("tests"))
        )
        if not tests:
            raise UsageError("a row of task code has no tests")
        return Row(task, "", given.get("entry") or "", "", None, None, (), tests)
    source, call = _text(given, "source"), _text(given, "call")
    exception = given.get("exception") or None
    output = None if exception else _value(given.get("output"))
    if output is None and exception is None:
        raise UsageError("the row has neither an output nor an exception")
    questions = tuple(_question(q, source) for q in _items(given.get("questions")))
    entry = given.get("entry") or call.partition("(")[0].strip()
    return Row(task, source, entry, call, output, exception, questions, ())


def _text(columns: Mapping[str, Any], name: str) -> str:
    value = columns.get(name)
    if not isinstance(value, str):
        raise UsageError(f"the row's column {name} holds no text but {shorten(repr(value))}")
    return value


def _items(column: Any) -> list[Mapping[str, Any]]:
    """Give a list of structs, also where a loader made a struct of lists of it."""
    if column is None:
        return []
    if isinstance(column, str):
        column = json.loads(column)
    if isinstance(column, Mapping):
        names = list(column)
        return [
            dict(zip(names, values, strict=True)) for values in zip(*column.values(), strict=True)
        ]
    return list(column)


def _value(given: Any) -> Value | None:
    """Read a value that is written as a struct, a pair, a literal or itself."""
    if given is None or isinstance(given, Value):
        return given
    if isinstance(given, Mapping):
        given = (given.get("type"), given.get("literal"))
    if isinstance(given, (tuple, list)) and len(given) == 2:
        name, literal = given
        if name is None or literal is None:
            return None
        try:
            return Value(str(name), str(literal))
        except NoLiteralError:
            if name != "str":
                raise
            return Value.of(str(literal))  # text that was not written as a literal
    if isinstance(given, str):
        try:
            return Value.of(read(given))
        except LiteralError:
            return Value.of(given)
    return Value.of(given)


def _question(given: Mapping[str, Any] | Question, source: str) -> Question:
    if isinstance(given, Question):
        return given
    kind = str(given.get("kind"))
    answers = given.get("answers")
    listed = _items(answers) if isinstance(answers, Mapping) else list(answers or ())
    values = [_value(answer) for answer in listed]
    known = tuple(value for value in values if value is not None)
    if kind == "next_statement":
        known = _statement_answers(known, source)
    return Question(
        kind=kind,
        text=str(given.get("text") or ""),
        line=given.get("line"),
        occurrence=given.get("occurrence"),
        variable=given.get("variable"),
        answers=known,
    )


def _statement_answers(known: tuple[Value, ...], source: str) -> tuple[Value, ...]:
    """Complete lines by their texts and texts by their lines, where the text is unique."""
    try:
        units: Units | None = units_of(source)
    except ProgramError:
        units = None
    complete = list(known)
    for value in known if units else ():
        assert units is not None
        if value.type == "int":
            text = units.unique_text(int(value.literal))
            complete += [] if text is None else [Value.of(text)]
        elif value.type == "str":
            text = " ".join(str(value.object()).split())
            lines = [u.line for u in units.by_line.values() if " ".join(u.text.split()) == text]
            complete += [Value.of(lines[0])] if len(lines) == 1 else []
    return tuple(dict.fromkeys(complete))
