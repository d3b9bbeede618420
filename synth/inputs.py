"""Candidate arguments for a program: drawn by Hypothesis, and mutated.

They are drawn from the parameters' types and domains.

Everything is a function of the program and of the ``random.Random`` handed in. Arguments
are literals as :func:`tracing.values.encode` writes them, dicts in the order in which they
were made. Which candidates are kept is :mod:`synth.select`'s to say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from hypothesis import strategies as st

from synth import natural
from synth.draw import draw
from synth.mutate import Pool, constants, parts, pool_of, variants
from synth.program import Domain, Parameter, Program
from synth.types import STR, Type
from tracing.literals import read
from tracing.values import encode

__all__ = ["Arguments", "candidates", "fits", "strategy_of"]

Arguments: TypeAlias = tuple[str, ...]
"""The literals of a call's arguments, in order."""

POOLS = 12
"""Pools of values of a type and domain."""
POOL_SIZE = 24
"""Values of a pool."""
FRESH = 3
"""One candidate in so many is drawn afresh; the others change one argument of another."""


def candidates(
    program: Program,
    rng: random.Random,
    count: int,
    *,
    bases: Sequence[Arguments] = (),
    about: Sequence[Any] | None = None,
) -> list[Arguments]:
    """Make arguments that are worth trying.

    Args:
        program: Whose parameters they are for.
        rng: Decides them.
        count: How many to make.
        bases: Arguments to start the mutations from, instead of freshly drawn ones.
        about: Values to weave in, instead of all the program's constants.

    Returns:
        At most ``count`` different argument tuples. Many differ from another in a single
        argument, which shows what that argument matters.
    """
    parameters = program.parameters
    if not parameters:
        return [()]
    fresh = _drawn(program, rng, max(2, -(-count // FRESH)))
    starts = [[read(literal) for literal in base] for base in bases] or fresh[:2]
    found: dict[Arguments, None] = {_written(values): None for values in fresh}
    known = constants(program.source) if about is None else about
    queues = [
        _changes(parameters, values, place, known, rng)
        for values in starts
        for place in range(len(parameters))
    ]
    # By turns, so that every argument of every base is changed before one is changed twice.
    while queues and len(found) < count:
        queue = queues.pop(0)
        arguments = next(queue, None)
        if arguments is not None:
            found.setdefault(arguments)
            queues.append(queue)
    return list(found)[:count]


def _drawn(program: Program, rng: random.Random, count: int) -> list[list[Any]]:
    """Choose from pools of values that were drawn for the parameters' types and domains.

    Drawing through Hypothesis takes half a millisecond a value, and would cost as much as
    all else that is done for a program; so values are drawn by the pool.
    """
    # The first pools are taken more often, so that a short build draws fewer.
    pools = [
        _pool(p.type, p.domain, min(rng.randrange(POOLS), rng.randrange(POOLS)))
        for p in program.parameters
    ]
    return [[rng.choice(pool) for pool in pools] for _ in range(count)]


@lru_cache(maxsize=1024)
def _pool(kind: Type, domain: Domain, number: int) -> tuple[Any, ...]:
    # Values are shared: nothing may change them in place, and what is run gets their text.
    return tuple(
        draw(strategy_of(kind, domain), POOL_SIZE, random.Random(f"{kind} {domain} {number}"))
    )


def _changes(
    parameters: Sequence[Parameter],
    values: list[Any],
    place: int,
    known: Sequence[Any],
    rng: random.Random,
) -> Iterator[Arguments]:
    """Change one argument, knowing the program's constants and the other arguments."""
    others = [part for i, value in enumerate(values) if i != place for part in parts(value)]
    pool: Pool = pool_of([*others, *known])
    parameter = parameters[place]
    written = _written(values)
    # All are made before the first is taken, so that what is drawn depends on no other queue.
    made = variants(values[place], pool, rng)
    return (
        (*written[:place], encode(one), *written[place + 1 :])
        for one in made
        if fits(one, parameter.type, parameter.domain)
    )


def _written(values: Sequence[Any]) -> Arguments:
    return tuple(encode(value) for value in values)


@lru_cache(maxsize=4096)
def strategy_of(kind: Type, domain: Domain = Domain()) -> st.SearchStrategy[Any]:  # noqa: B008
    """Derive a strategy from a type and a domain.

    Args:
        kind: The type.
        domain: Which of its values.

    Returns:
        A strategy for values that :func:`fits` accepts.
    """
    if domain.choices:
        return st.sampled_from([read(literal) for literal in domain.choices])
    made = _PLAIN[kind.name](domain) if kind.name in _PLAIN else _container(kind, domain)
    return made.filter(lambda value: fits(value, kind, domain))


_PLAIN: dict[str, Callable[[Domain], st.SearchStrategy[Any]]] = {
    "NoneType": lambda domain: natural.nothing(),
    "bool": lambda domain: natural.booleans(),
    "int": lambda domain: natural.integers(domain.low, domain.high),
    "float": lambda domain: natural.floats(),
    "str": lambda domain: _texts(domain),
    "bytes": lambda domain: natural.byte_strings(),
    "range": lambda domain: natural.ranges(),
}


def _texts(domain: Domain) -> st.SearchStrategy[Any]:
    styles = {
        "char": natural.characters,
        "word": natural.words,
        "digits": natural.digits,
        "csv": natural.fields,
    }
    return styles.get(domain.style, natural.texts)()


def _container(kind: Type, domain: Domain) -> st.SearchStrategy[Any]:
    inner = Domain(low=domain.low, high=domain.high, style=domain.style)
    # A container of containers has few of them, or nobody reads it.
    most = 4 if any(part.args for part in kind.args) else 7
    least = domain.min_size
    if domain.max_size is not None:
        most = max(least, min(most, domain.max_size))
    if kind.name == "tuple":
        return natural.tuples(*(strategy_of(part, inner) for part in kind.args))
    if kind.name == "dict":
        key, value = kind.args
        keys = natural.keys() if key == STR and not domain.style else strategy_of(key, inner)
        return natural.dicts(keys, _item(value, inner), least=least, most=min(most, 5))
    item = kind.args[0]
    if kind.name == "list":
        if item == STR and not domain.style:
            alike = [natural.lists(one, least=least, most=most) for one in natural.texts_alike()]
            return st.one_of(alike)
        return natural.lists(_item(item, inner), least=least, most=most)
    made = natural.sets(strategy_of(item, inner), least=least, most=min(most, 6))
    return made.map(frozenset) if kind.name == "frozenset" else made


def _item(kind: Type, inner: Domain) -> st.SearchStrategy[Any]:
    """Derive the strategy of items, which are smaller than a value that stands alone."""
    if kind.name in ("list", "set", "frozenset", "dict"):
        inner = replace(inner, max_size=3)
    return strategy_of(kind, inner)


def fits(value: Any, kind: Type, domain: Domain) -> bool:
    """Tell whether a value is of a type and in a domain.

    Args:
        value: Any value.
        kind: The type.
        domain: Which of its values.

    Returns:
        True if so.
    """
    if type(value).__name__ != kind.name:
        return False
    if domain.choices and encode(value) not in domain.choices:
        return False
    if kind.name == "int":
        low = domain.low is None or value >= domain.low
        return low and (domain.high is None or value <= domain.high)
    if kind.name in ("bool", "float", "NoneType", "range"):
        return True
    if len(value) < domain.min_size:
        return False
    if domain.max_size is not None and len(value) > domain.max_size:
        return False
    if kind.name == "str" and domain.style == "digits":
        return bool(value.isdigit())
    if kind.name == "str" and domain.style == "char":
        return len(value) == 1
    return _parts_fit(value, kind, Domain(low=domain.low, high=domain.high, style=domain.style))


def _parts_fit(value: Any, kind: Type, inner: Domain) -> bool:
    if kind.name in ("str", "bytes"):
        return True
    if kind.name == "tuple":
        return len(value) == len(kind.args) and all(
            fits(part, one, inner) for part, one in zip(value, kind.args, strict=True)
        )
    if kind.name == "dict":
        return all(
            fits(k, kind.args[0], inner) and fits(v, kind.args[1], inner) for k, v in value.items()
        )
    return all(fits(part, kind.args[0], inner) for part in value)
