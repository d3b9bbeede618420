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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeAlias, TypeVar

from tracing.units import units_of
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
        ('odd', 3, 2, 4)
    """
    found: dict[str, Any] = {}
    for node in units_of(source).nodes:
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
        pool: What to weave in or take instead.
        rng: Decides places and order.

    Returns:
        Distinct other values: by turns one with something of the pool in it and one
        changed by itself, as long as there are both.

    Example:
        >>> sorted(variants(True, {}, random.Random(0)))
        [False]
    """
    kind = type(value)
    woven = [*pool.get(kind, ()), *(_WEAVES[kind](value, pool, rng) if kind in _WEAVES else ())]
    changed = list(_CHANGES[kind](value, rng)) if kind in _CHANGES else []
    rng.shuffle(woven)
    # The first change is to the empty value or to zero, which most often tells something.
    others = changed[1:]
    rng.shuffle(others)
    changed[1:] = others
    distinct = {encode(one): one for one in _by_turns(woven, changed) if _is_readable(one)}
    distinct.pop(encode(value), None)
    return list(distinct.values())


def _by_turns(one: Sequence[Any], other: Sequence[Any]) -> Iterator[Any]:
    for pair in zip_longest(one, other, fillvalue=_NOTHING):
        yield from (value for value in pair if value is not _NOTHING)


_NOTHING = object()


def _is_readable(value: Any) -> bool:
    if isinstance(value, (str, bytes)):
        return len(value) <= LONGEST
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        return len(value) <= WIDEST
    return True


def _in_order(items: Iterable[Any]) -> list[Any]:
    """Put the items of a set in an order that does not depend on hashes."""
    return sorted(items, key=encode)


def _some(values: Sequence[Any], rng: random.Random, most: int) -> list[Any]:
    return rng.sample(list(values), min(most, len(values)))


# --- Changes that need nothing but the value ------------------------------------------


def _change_bool(value: bool, rng: random.Random) -> list[Any]:
    return [not value]


def _change_int(value: int, rng: random.Random) -> list[Any]:
    return [0, 1, -1, value + 1, value - 1, -value, value * 2, value // 2, rng.randint(-9, 20)]


def _change_float(value: float, rng: random.Random) -> list[Any]:
    return [0.0, 1.0, -value, value + 1, round(value / 2, 2), float(round(value))]


Text = TypeVar("Text", str, bytes)


def _change_text(value: Text, rng: random.Random) -> list[Any]:
    made: list[Any] = [
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
    number = str(rng.randint(0, 99))
    digits: Text = number if isinstance(value, str) else number.encode()
    return [*made, digits]


def _change_sequence(value: list[Any], rng: random.Random) -> list[Any]:
    made = [[], value[:1], value[::-1], value + value[:1], value[1:], value[:-1]]
    if value:
        place = rng.randrange(len(value))
        made.append(value[: place + 1] + value[place:])
        made += [
            [*value[:place], v, *value[place + 1 :]] for v in variants(value[place], {}, rng)[:3]
        ]
    if len(value) > 1:
        one, other = rng.sample(range(len(value)), 2)
        swapped = value[:]
        swapped[one], swapped[other] = value[other], value[one]
        made += [swapped, [value[one]] * len(value), sorted(value, key=_sort_key)]
    return made


def _sort_key(value: Any) -> tuple[str, Any]:
    """Order values of one type as Python does, and all others somehow."""
    orderable = isinstance(value, (int, float, str, bytes))
    kind = "number" if isinstance(value, (int, float)) else type(value).__name__
    return (kind, value) if orderable else (kind, encode(value))


def _change_tuple(value: tuple[Any, ...], rng: random.Random) -> list[Any]:
    return [
        (*value[:place], one, *value[place + 1 :])
        for place in range(len(value))
        for one in variants(value[place], {}, rng)[:2]
    ]


def _change_dict(value: dict[Any, Any], rng: random.Random) -> list[Any]:
    items = list(value.items())
    made: list[dict[Any, Any]] = [{}, dict(items[:1]), dict(items[::-1]), dict(items[1:])]
    if not items:
        return made
    key, held = rng.choice(items)
    made += [{**value, key: other} for other in variants(held, {}, rng)[:2]]
    for other in variants(key, {}, rng)[:2]:
        made.append({**value, other: held})
        made.append({other if k == key else k: v for k, v in items})
    if len(items) > 1:
        keys, values = zip(*items, strict=True)
        made.append(dict(zip(keys, values[1:] + values[:1], strict=True)))
        made.append(dict.fromkeys(keys, held))
    return made


def _change_set(value: set[Any] | frozenset[Any], rng: random.Random) -> list[Any]:
    items = _in_order(value)
    made: list[Iterable[Any]] = [[], items[:1], items[1:], items[:-1]]
    if items:
        item = rng.choice(items)
        for other in variants(item, {}, rng)[:2]:
            made += [[*items, other], [other if one == item else one for one in items]]
    return [type(value)(one) for one in made]


def _change_range(value: range, rng: random.Random) -> list[Any]:
    return [
        range(value.start, value.stop + 1, value.step),
        range(value.start + 1, value.stop, value.step),
        range(value.start, value.stop, value.step + 1 or 1),
        range(value.stop, value.start, -value.step),
        range(0),
    ]


_CHANGES: dict[type, Callable[[Any, random.Random], list[Any]]] = {
    bool: _change_bool,
    int: _change_int,
    float: _change_float,
    str: _change_text,
    bytes: _change_text,
    list: _change_sequence,
    tuple: _change_tuple,
    dict: _change_dict,
    set: _change_set,
    frozenset: _change_set,
    range: _change_range,
}


# --- Changes that weave in something of the pool ----------------------------------------


def _weave_text(value: Text, pool: Pool, rng: random.Random) -> list[Any]:
    made: list[Any] = []
    for other in _some(pool.get(type(value), ()), rng, 4):
        place = rng.randint(0, len(value))
        made += [value[:place] + other + value[place:], other + value, value + other]
    return made


def _woven(value: Any, pool: Pool, rng: random.Random) -> list[Any]:
    """Take values of the pool of a value's type, or weave them into it."""
    kind = type(value)
    made = [*pool.get(kind, ()), *(_WEAVES[kind](value, pool, rng) if kind in _WEAVES else ())]
    return _some(made, rng, 4)


def _weave_sequence(value: list[Any], pool: Pool, rng: random.Random) -> list[Any]:
    made: list[Any] = []
    for place in _some(range(len(value)), rng, 2):
        for one in _woven(value[place], pool, rng):
            made += [[*value[:place], one, *value[place + 1 :]], [*value, one]]
    for number in _some(pool.get(int, ()), rng, 2):
        if value and 0 < number <= WIDEST:
            made.append((value * number)[:number])
    return made


def _weave_tuple(value: tuple[Any, ...], pool: Pool, rng: random.Random) -> list[Any]:
    return [
        (*value[:place], one, *value[place + 1 :])
        for place in range(len(value))
        for one in _woven(value[place], pool, rng)[:2]
    ]


def _weave_dict(value: dict[Any, Any], pool: Pool, rng: random.Random) -> list[Any]:
    if not value:
        return []
    key, held = rng.choice(list(value.items()))
    made = [{**value, key: one} for one in _woven(held, pool, rng)[:3]]
    for other in _woven(key, pool, rng):
        made.append({**value, other: held})
        made.append({other if k == key else k: v for k, v in value.items()})
    return made


def _weave_set(value: set[Any] | frozenset[Any], pool: Pool, rng: random.Random) -> list[Any]:
    if not value:
        return []
    items = _in_order(value)
    item = rng.choice(items)
    made: list[Iterable[Any]] = []
    for other in _woven(item, pool, rng):
        made += [[*items, other], [other if one == item else one for one in items]]
    if len(pool.get(type(item), ())) > 1:
        made.append(_some(pool[type(item)], rng, 3))
    return [type(value)(one) for one in made]


_WEAVES: dict[type, Callable[[Any, Pool, random.Random], list[Any]]] = {
    str: _weave_text,
    bytes: _weave_text,
    list: _weave_sequence,
    tuple: _weave_tuple,
    dict: _weave_dict,
    set: _weave_set,
    frozenset: _weave_set,
}
