"""Small changes of a call's arguments, to find one that behaves differently.

Simple and quick, and the same every time: :mod:`synth.inputs` draws good inputs, this
only shows that a question has an answer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import Any

from tracing.literals import read_arguments
from tracing.units import units_of
from tracing.values import encode

__all__ = ["varied_calls"]

_MOST = 120


def varied_calls(source: str, call: str) -> list[str]:
    """Vary one argument of a call at a time.

    Args:
        source: The program; its constants are tried too.
        call: A call with literal arguments.

    Returns:
        Other calls, no two the same.

    Example:
        >>> varied_calls("def f(flag):\\n    return not flag\\n", "f(True)")
        ['f(False)']
    """
    entry, _, rest = call.strip().partition("(")
    values, keywords = read_arguments(rest[:-1])
    constants = _constants(source)
    slots = [*enumerate(values), *keywords.items()]
    queues = [_variants(value, constants) for _, value in slots]
    calls: dict[str, None] = {}
    while queues and len(calls) < _MOST:
        # In turn, so that the first argument's variants do not crowd out the others'.
        drawn = [
            (slot, list(islice(queue, 4)), queue) for slot, queue in zip(slots, queues, strict=True)
        ]
        for (name, _), variants, _ in drawn:
            for variant in variants:
                given, named = list(values), dict(keywords)
                (given if isinstance(name, int) else named)[name] = variant  # type: ignore[call-overload,index]
                calls.setdefault(_written(entry, given, named))
        slots = [slot for slot, variants, _ in drawn if variants]
        queues = [queue for _, variants, queue in drawn if variants]
    calls.pop(_written(entry, values, keywords), None)
    return list(calls)


def _written(entry: str, values: list[Any], keywords: dict[str, Any]) -> str:
    parts = [encode(value) for value in values]
    parts += [f"{name}={encode(value)}" for name, value in keywords.items()]
    return f"{entry}({', '.join(parts)})"


def _constants(source: str) -> list[Any]:
    found = (n.value for n in units_of(source).nodes if isinstance(n, ast.Constant))
    return list(dict.fromkeys(value for value in found if type(value) in (int, str, float)))


def _variants(value: Any, constants: list[Any]) -> Iterator[Any]:
    """Yield other values of the same type, and of another where that says more."""
    kind = type(value)
    alike = [constant for constant in constants if type(constant) is kind]
    if kind is bool:
        yield not value
    elif kind in (int, float):
        one = kind(1)
        yield from (value + one, value - one, -value, kind(0), one, value * 2, kind(10))
        for constant in alike:
            yield from (constant, constant + one, constant - one)
    elif kind is str:
        yield from (value[1:], value + value, "", value.swapcase(), value[::-1])
        yield from alike
        yield from ("a", "1", " ", *(value + constant for constant in alike))
    elif kind in (list, tuple):
        yield from (value[1:], value + value, kind(), value[::-1], value[:1])
        yield from _with_other_items(value, constants)
    elif kind is dict:
        items = list(value.items())
        yield from (dict(items[1:]), {})
        for key, held in items[:3]:
            yield from (
                {**value, key: variant} for variant in islice(_variants(held, constants), 12)
            )
    elif kind in (set, frozenset):
        members = sorted(value, key=encode)
        yield from (kind(members[1:]), kind())
    elif value is None:
        yield from (0, "", [])


def _with_other_items(value: Any, constants: list[Any]) -> Iterator[Any]:
    for place in range(min(len(value), 3)):
        for variant in islice(_variants(value[place], constants), 12):
            yield type(value)([*value[:place], variant, *value[place + 1 :]])
