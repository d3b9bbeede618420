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
from tracing.errors import NoLiteralError, ProgramError, UsageError, said, shorten
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
        given = _parsed("row", whole)
        if not isinstance(given, Mapping):
            raise UsageError(f"the row's column row holds no columns but {said(given)}")
    task = given.get("task") or "output"
    if task not in TASKS:
        raise UsageError(f"there is no task {said(task)}; it is one of {', '.join(TASKS)}")
    if task == "code":
        tests = tuple(
            Test(_text(t, "input"), _text(t, "output"))
            for t in map(_columns, _items("tests", given.get("tests")))
        )
        if not tests:
            raise UsageError("a row of task code has no tests")
        return Row(task, "", _text_or_none(given, "entry") or "", "", None, None, (), tests)
    source, call = _text(given, "source"), _text(given, "call")
    exception = _text_or_none(given, "exception") or None
    output = None if exception else _value_of("output", given.get("output"))
    if output is None and exception is None:
        raise UsageError("the row has neither an output nor an exception")
    questions = tuple(
        _question(q, source, call) for q in _items("questions", given.get("questions"))
    )
    entry = _text_or_none(given, "entry") or call.partition("(")[0].strip()
    return Row(task, source, entry, call, output, exception, questions, ())


def _text(columns: Mapping[str, Any], name: str) -> str:
    value = columns.get(name)
    if not isinstance(value, str):
        raise UsageError(f"the row's column {name} holds no text but {said(value)}")
    return value


def _text_or_none(columns: Mapping[str, Any], name: str) -> str | None:
    return None if columns.get(name) is None else _text(columns, name)


def _whole_or_none(columns: Mapping[str, Any], name: str) -> int | None:
    value = columns.get(name)
    if value is not None and type(value) is not int:
        raise UsageError(f"the row's column {name} holds no whole number but {said(value)}")
    return value


def _columns(given: Any) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise UsageError(f"a part of the row has no columns but is {said(given)}")
    return given


def _parsed(name: str, column: Any) -> Any:
    """Read a column that may be JSON text."""
    if not isinstance(column, str):
        return column
    try:
        return json.loads(column)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the row's column {name} is no JSON: {shorten(str(error))}") from None


def _items(name: str, column: Any) -> list[Any]:
    """Give a list of structs, also where a loader made a struct of lists of it."""
    column = _parsed(name, column)
    if column is None:
        return []
    try:
        if isinstance(column, Mapping):
            if any(isinstance(values, str) for values in column.values()):
                raise TypeError("a text is a list of its characters, and not meant as one")
            names = list(column)
            return [
                dict(zip(names, values, strict=True))
                for values in zip(*column.values(), strict=True)
            ]
        return list(column)
    except (TypeError, ValueError):
        raise UsageError(f"the row's column {name} holds no list but {said(column)}") from None


def _value_of(name: str, given: Any) -> Value | None:
    try:
        return _value(given)
    except NoLiteralError as error:
        raise UsageError(f"the row's column {name} holds a value that is none: {error}") from None


def _value(given: Any) -> Value | None:
    """Read a value that is written as a struct, a pair, a literal or itself."""
    if given is None or isinstance(given, Value):
        return given
    if isinstance(given, Mapping) and {"type", "literal"} <= given.keys():
        given = (given["type"], given["literal"])
        if given == (None, None):  # a loader's null struct
            return None
        given = tuple(map(_as_text, given))
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


def _as_text(given: Any) -> str:
    """Give a type name or a literal; some writers make a number of a literal."""
    if isinstance(given, (list, dict)):
        raise UsageError(f"the row holds a value that is none: {said(given)}")
    return str(given)


def _is_pair(given: Any) -> bool:
    return (
        isinstance(given, (tuple, list))
        and len(given) == 2
        and all(isinstance(part, str) for part in given)
        and given[0] in _TYPES
    )


def _question(given: Any, source: str, call: str) -> Question:
    if isinstance(given, Question):
        return given
    given = _columns(given)
    kind = kind_of(_text(given, "kind")).name
    values = [_value_of("answers", answer) for answer in _items("answers", given.get("answers"))]
    known = tuple(value for value in values if value is not None)
    return Question(
        kind=kind,
        text=_text_or_none(given, "text") or "",
        line=_whole_or_none(given, "line"),
        occurrence=_whole_or_none(given, "occurrence"),
        variable=_text_or_none(given, "variable"),
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
