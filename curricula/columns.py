"""Checks that a row has the columns of a schema, or a text those of a file of ours.

A file that was written by another program, or was damaged, may hold nulls, numbers for texts
or half of the columns; what passes here can be read without another look. Further columns do
not matter.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

import pyarrow as pa

from tracing.errors import ExecVerifyError, said

__all__ = ["checker", "is_object_with"]

Check = Callable[[Any], str]
"""Says what is wrong with a value, after its name; an empty text where nothing is."""


def checker(
    schema: pa.Schema, *, nullable: Container[str], optional: Container[str]
) -> Callable[[Any], None]:
    """Make a function that checks rows.

    Args:
        schema: The columns.
        nullable: Those that may be null, by their names with dots (``"questions.line"``).
        optional: Those that may be missing.

    Returns:
        A function that takes a row and raises an ExecVerifyError with the name of the first
        column that is not as it should be.
    """
    inner = _struct(list(schema), "", nullable, optional)

    def check(row: Any) -> None:
        wrong = inner(row)
        if wrong:
            raise ExecVerifyError(f"the row is no problem: {wrong.removeprefix('.')}")

    return check


def is_object_with(text: str | bytes, names: Iterable[str]) -> bool:
    """Tell whether a text is a JSON object that has some names, whatever else it has.

    Args:
        text: What a file holds, perhaps nothing of ours.
        names: The names that it must have.

    Returns:
        Whether it is.

    Example:
        >>> is_object_with('{"tier": "hard", "size": 1}', ["tier"])
        True
    """
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(plain, dict) and set(names) <= plain.keys()


def _check_of(
    kind: pa.DataType, place: str, nullable: Container[str], optional: Container[str]
) -> Check:
    if pa.types.is_struct(kind):
        return _struct(list(kind.fields), f"{place}.", nullable, optional)
    if pa.types.is_list(kind):
        return _list(_check_of(kind.value_type, place, nullable, optional))
    if pa.types.is_integer(kind):
        return _whole(2 ** (kind.bit_width - 1))
    if pa.types.is_floating(kind):
        return _number
    return _text


def _struct(
    columns: list[pa.Field], place: str, nullable: Container[str], optional: Container[str]
) -> Check:
    inner = [
        (
            column.name,
            _check_of(column.type, f"{place}{column.name}", nullable, optional),
            f"{place}{column.name}" in optional,
            f"{place}{column.name}" in nullable,
        )
        for column in columns
    ]

    def check(value: Any) -> str:
        if not isinstance(value, Mapping):
            return f" has no columns but is {said(value)}"
        for name, inside, may_miss, may_be_null in inner:
            if name not in value:
                if not may_miss:
                    return f".{name} is missing"
                continue
            given = value[name]
            if given is None and may_be_null:
                continue
            wrong = inside(given)
            if wrong:
                return f".{name}{wrong}"
        return ""

    return check


def _list(inside: Check) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, (list, tuple)):
            return f" is no list but {said(value)}"
        for place, item in enumerate(value):
            wrong = inside(item)
            if wrong:
                return f"[{place}]{wrong}"
        return ""

    return check


def _whole(bound: int) -> Check:
    def check(value: Any) -> str:
        is_right = type(value) is int and -bound <= value < bound
        return "" if is_right else f" is no whole number of its range but {said(value)}"

    return check


def _number(value: Any) -> str:
    return "" if type(value) in (float, int) else f" is no number but {said(value)}"


def _text(value: Any) -> str:
    return "" if isinstance(value, str) else f" is no text but {said(value)}"
