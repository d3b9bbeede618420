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
from curricula.questions.base import kind_of
from tracing import Value
from tracing.errors import NoLiteralError, ProgramError, UsageError, shorten
from tracing.literals import LiteralError, read
from tracing.units import units_of
from tracing.values import ATOMS

__all__ = ["Row", "Test", "read_row"]

_TYPES = {"list", "tuple", "dict", "set", "frozenset", *(kind.__name__ for kind in ATOMS)}
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
    whole = given.get("row")
    if whole is not None:
        given = json.loads(whole) if isinstance(whole, str) else whole
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
    questions = tuple(_question(q, source, call) for q in _items(given.get("questions")))
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
    if isinstance(given, Mapping) and {"type", "literal"} <= given.keys():
        given = (given["type"], given["literal"])
        if given == (None, None):  # a loader's null struct
            return None
        given = tuple(map(str, given))
    if _is_pair(given):
        name, literal = given
        try:
            return Value(name, literal)
        except NoLiteralError as error:
            if name != "str":
                raise UsageError(f"the row holds a value that is none: {error}") from None
            return Value.of(literal)  # text that was not written as a literal
    if isinstance(given, str):
        try:
            return Value.of(read(given))
        except LiteralError:
            return Value.of(given)
    return Value.of(given)


def _is_pair(given: Any) -> bool:
    return (
        isinstance(given, (tuple, list))
        and len(given) == 2
        and all(isinstance(part, str) for part in given)
        and given[0] in _TYPES
    )


def _question(given: Mapping[str, Any] | Question, source: str, call: str) -> Question:
    if isinstance(given, Question):
        return given
    kind = kind_of(str(given.get("kind"))).name
    answers = given.get("answers")
    listed = _items(answers) if isinstance(answers, Mapping) else list(answers or ())
    values = [_value(answer) for answer in listed]
    known = tuple(value for value in values if value is not None)
    return Question(
        kind=kind,
        text=str(given.get("text") or ""),
        line=given.get("line"),
        occurrence=given.get("occurrence"),
        variable=given.get("variable"),
        answers=_statement_answers(known, source) if kind == "next_statement" else known,
        about=(source, call),
    )


def _statement_answers(known: tuple[Value, ...], source: str) -> tuple[Value, ...]:
    """Complete lines by their texts and texts by their lines, where the text is unique."""
    try:
        units = units_of(source)
    except ProgramError:
        return known
    lines = {" ".join(u.text.split()): line for line, u in units.by_line.items()}
    complete = list(known)
    for value in known:
        if value.type == "int":
            text = units.unique_text(int(value.literal))
            complete += [] if text is None else [Value.of(text)]
        elif value.type == "str":
            line = lines.get(" ".join(str(value.object()).split()))
            unique = line is not None and units.unique_text(line) is not None
            complete += [Value.of(line)] if unique else []
    return tuple(dict.fromkeys(complete))
