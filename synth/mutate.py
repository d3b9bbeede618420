"""Changes arguments a little, in the ways that make a program do something else.

Works on values of built-in types, by their type: boundaries, duplicates, swaps, empty
values, signs, case, one more or one fewer. What to put in comes from a :data:`Pool`: the
constants of the program and their neighbours, and parts of the other arguments (a key
that is in the dict, a substring of the text, the length of the list). Nothing is drawn
but from the ``random.Random`` handed in, and no order of a set is ever seen.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from tracing.units import parse
from tracing.values import encode

__all__ = ["Pool", "constants", "parts", "pool_of", "variants"]

Pool: TypeAlias = Mapping[type, Sequence[Any]]
"""Values worth trying, by their exact type."""

LONGEST = 40
"""The longest text that a mutation makes, in characters."""
WIDEST = 10
"""The most items that a mutation makes."""


def constants(source: str) -> tuple[Any, ...]:
    """List the numbers and texts that a program compares with, and their neighbours.

    Args:
        source: A program.

    Returns:
        Distinct values, outer ones first, of at most 12 characters or between -100 and
        100; each int followed by the int below and above it.

    Raises:
        ProgramError: The source does not parse.

    Example:
        >>> constants("def f(n):\\n    return n > 3 and 'odd'\\n")
        (3, 2, 4, 'odd')
    """
    found: dict[str, Any] = {}
    for node in ast.walk(parse(source)):
        if not isinstance(node, ast.Constant):
            continue
        value = node.value
        if type(value) is int and -100 <= value <= 100:
            near: tuple[Any, ...] = (value, value - 1, value + 1)
        elif isinstance(value, float) or (isinstance(value, (str, bytes)) and 0 < len(value) <= 12):
            near = (value,)
        else:
            continue
        for one in near:
            found.setdefault(encode(one), one)
    return tuple(found.values())


def parts(value: Any) -> list[Any]:
    """List what a value is made of: items, keys, slices, and its length.

    Args:
        value: A value of a built-in type.

    Returns:
        Parts in a fixed order, down to two levels.

    Example:
        >>> parts({"a": 1})
        [1, 'a', 1]
    """
    if isinstance(value, (str, bytes)):
        half = len(value) // 2
        found = [value[:half], value[half:], value[:1], value[-1:], value[1:-1], *value.split()]
        return [len(value), *(part for part in found if part and part != value)]
    if isinstance(value, dict):
        return [len(value), *value, *value.values()]
    if isinstance(value, (list, tuple)):
        inner = [part for item in value if isinstance(item, (list, tuple)) for part in item]
        return [len(value), *value, *inner]
    if isinstance(value, (set, frozenset)):
        return [len(value), *_in_order(value)]
    if type(value) is int:
        return [value + 1, value - 1, value]
    return []


def pool_of(values: Iterable[Any]) -> dict[type, list[Any]]:
    """Sort values by type.

    Args:
        values: Any values of built-in types.

    Returns:
        For each exact type, its distinct values in their order.
    """
    pool: dict[type, dict[str, Any]] = {}
    for value in values:
        pool.setdefault(type(value), {}).setdefault(encode(value), value)
    return {kind: list(found.values()) for kind, found in pool.items()}


def variants(value: Any, pool: Pool, rng: random.Random) -> list[Any]:
    """Make values much like one, of the same type.

    Args:
        value: A value of a built-in type.
        pool: What to put in or take instead.
        rng: Decides places; every kind of change is made once.

    Returns:
        Distinct other values, in random order. Types of items are kept: a list of
        ints stays one, even empty.

    Example:
        >>> sorted(variants(True, {}, random.Random(0)))
        [False]
    """
    change = _CHANGES.get(type(value))
    made = list(pool.get(type(value), ()))
    if change is not None:
        made += change(value, pool, rng)
    distinct = {encode(one): one for one in made if _is_readable(one)}
    distinct.pop(encode(value), None)
    found = list(distinct.values())
    rng.shuffle(found)
    return found


def _is_readable(value: Any) -> bool:
    if isinstance(value, (str, bytes)):
        return len(value) <= LONGEST
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        return len(value) <= WIDEST
    return True


def _in_order(items: Iterable[Any]) -> list[Any]:
    """Put the items of a set in an order that does not depend on hashes."""
    return sorted(items, key=encode)


def _of_bool(value: bool, pool: Pool, rng: random.Random) -> list[Any]:
    return [not value]


def _of_int(value: int, pool: Pool, rng: random.Random) -> list[Any]:
    return [0, 1, -1, value + 1, value - 1, -value, value * 2, value // 2, rng.randint(-9, 20)]


def _of_float(value: float, pool: Pool, rng: random.Random) -> list[Any]:
    return [0.0, 1.0, -value, value + 1, round(value / 2, 2), float(round(value))]


Text = TypeVar("Text", str, bytes)


def _of_text(value: Text, pool: Pool, rng: random.Random) -> list[Any]:
    made = [
        value[:0],
        value + value,
        value[::-1],
        value.upper(),
        value.lower(),
        value.swapcase(),
        value.title(),
        value[:1],
        value[1:],
        value[:-1],
        value + value[:1],
    ]
    if value:
        place = rng.randrange(len(value))
        one = value[place : place + 1]
        made += [value[:place] + value[place + 1 :], value[:place] + one + value[place:]]
    words = value.split()
    if len(words) > 1:
        space: Text = " " if isinstance(value, str) else b" "
        made += [space.join(words[::-1]), space.join(sorted(words)), space.join(words[:1] * 2)]
    for other in _some(pool.get(type(value), ()), rng, 3):
        place = rng.randint(0, len(value))
        made += [value[:place] + other + value[place:], other + value, value + other]
    return made


def _of_sequence(value: Sequence[Any], pool: Pool, rng: random.Random) -> list[Any]:
    """Change a list, or a tuple of items of one type."""
    items = list(value)
    made: list[list[Any]] = [[], items[:1], items[::-1], items + items[:1], items[1:], items[:-1]]
    if items:
        place = rng.randrange(len(items))
        made.append(items[: place + 1] + items[place:])
        made += _with_item_changed(items, place, pool, rng)
    if len(items) > 1:
        one, other = rng.sample(range(len(items)), 2)
        swapped = items[:]
        swapped[one], swapped[other] = items[other], items[one]
        made += [swapped, [items[one]] * len(items), sorted(items, key=_sort_key)]
    for number in _some(pool.get(int, ()), rng, 2):
        if items and 0 < number <= WIDEST:
            made.append((items * number)[:number])
    if isinstance(value, tuple):
        return [tuple(one) for one in made]
    return made


def _with_item_changed(
    items: list[Any], place: int, pool: Pool, rng: random.Random
) -> list[list[Any]]:
    changed = variants(items[place], pool, rng)[:3]
    made = [[*items[:place], one, *items[place + 1 :]] for one in changed]
    return made + [[*items, one] for one in changed[:1]]


def _sort_key(value: Any) -> tuple[str, Any]:
    """Order values of one type as Python does, and all others somehow."""
    orderable = isinstance(value, (int, float, str, bytes))
    kind = "number" if isinstance(value, (int, float)) else type(value).__name__
    return (kind, value) if orderable else (kind, encode(value))


def _of_tuple(value: tuple[Any, ...], pool: Pool, rng: random.Random) -> list[Any]:
    """Change one item of a tuple; one of a single type may grow and shrink as well."""
    made: list[Any] = []
    for place in range(len(value)):
        for one in variants(value[place], pool, rng)[:2]:
            made.append((*value[:place], one, *value[place + 1 :]))
    return made


def _of_dict(value: dict[Any, Any], pool: Pool, rng: random.Random) -> list[Any]:
    items = list(value.items())
    made: list[dict[Any, Any]] = [{}, dict(items[:1]), dict(items[::-1]), dict(items[1:])]
    if not items:
        return made
    place = rng.randrange(len(items))
    key, held = items[place]
    for other in variants(held, pool, rng)[:2]:
        made.append({**value, key: other})
    for other in variants(key, pool, rng)[:2]:
        made.append({**value, other: held})
        made.append({other if k == key else k: v for k, v in items})
    if len(items) > 1:
        keys, values = zip(*items, strict=True)
        made.append(dict(zip(keys, values[1:] + values[:1], strict=True)))
        made.append(dict.fromkeys(keys, held))
    return made


def _of_set(value: set[Any] | frozenset[Any], pool: Pool, rng: random.Random) -> list[Any]:
    items = _in_order(value)
    made: list[Iterable[Any]] = [[], items[:1], items[1:], items[:-1]]
    if items:
        item = rng.choice(items)
        for other in variants(item, pool, rng)[:3]:
            made += [[*items, other], [other if one == item else one for one in items]]
    return [type(value)(one) for one in made]


def _of_range(value: range, pool: Pool, rng: random.Random) -> list[Any]:
    return [
        range(value.start, value.stop + 1, value.step),
        range(value.start + 1, value.stop, value.step),
        range(value.start, value.stop, value.step + 1 or 1),
        range(value.stop, value.start, -value.step),
        range(0),
    ]


def _some(values: Sequence[Any], rng: random.Random, most: int) -> list[Any]:
    return rng.sample(list(values), min(most, len(values)))


_CHANGES: dict[type, Callable[[Any, Pool, random.Random], list[Any]]] = {
    bool: _of_bool,
    int: _of_int,
    float: _of_float,
    str: _of_text,
    bytes: _of_text,
    list: _of_sequence,
    tuple: _of_tuple,
    dict: _of_dict,
    set: _of_set,
    frozenset: _of_set,
    range: _of_range,
}
