"""Accumulators: variables that a loop fills, each with its role.

A role decides the initial value, how the variable is updated from what is at hand, and
what becomes of it at the end. Adding one is a function with ``@accumulator``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from synth import cst as c
from synth.context import Context, Var
from synth.grow import measure, wording
from synth.types import INT, STR, Type, dict_of, list_of, set_of

__all__ = ["ACCUMULATORS", "Accumulator", "open_accumulator"]


@dataclass(frozen=True, slots=True)
class Accumulator:
    """A variable that a loop fills.

    Attributes:
        role: Its role, a key of :data:`ACCUMULATORS`.
        var: The variable.
        initial: Its initial value.
        update: Writes statements that fill it, from a variable at hand.
        result: The expression that is returned for it.
    """

    role: str
    var: Var
    initial: c.Expression
    update: Callable[[Var, Context], list[c.Statement]]
    result: c.Expression


Maker = Callable[[Type, Context], Accumulator]
ACCUMULATORS: dict[str, Maker] = {}
"""Makers of accumulators by role; each gets the type of what it will be fed."""


def accumulator(role: str) -> Callable[[Maker], Maker]:
    """Register a maker under its role."""

    def register(maker: Maker) -> Maker:
        ACCUMULATORS[role] = maker
        return maker

    return register


def open_accumulator(role: str, fed: Type, ctx: Context) -> Accumulator:
    """Make an accumulator of a role."""
    return ACCUMULATORS[role](fed, ctx)


def _made(
    role: str,
    var: Var,
    initial: object,
    update: Callable[[Var, Context], list[c.Statement]],
    result: c.Expression | None = None,
) -> Accumulator:
    return Accumulator(role, var, c.literal(initial), update, result or var.node)


def _filling(
    role: str, var: Var, filler: str, update: Callable[[Var, Context], list[c.Statement]]
) -> Accumulator:
    """Make an accumulator of a ``defaultdict``, which is returned as a plain dict."""
    initial = c.call("defaultdict", c.name(filler))
    return Accumulator(role, var, initial, update, c.call("dict", var.node))


_DEFAULTDICT = "from collections import defaultdict"


@accumulator("total")
def _total(fed: Type, ctx: Context) -> Accumulator:
    var = ctx.bind(INT, "total", "acc", "score", "points")
    sign = ctx.pick("+++-")
    return _made("total", var, 0, lambda v, x: [c.augment(var.name, sign, measure(v, x))])


@accumulator("count")
def _count(fed: Type, ctx: Context) -> Accumulator:
    var = ctx.bind(INT, "count", "hits", "matches", "found")
    return _made("count", var, 0, lambda v, x: [c.augment(var.name, "+", c.literal(1))])


@accumulator("collect")
def _collect(fed: Type, ctx: Context) -> Accumulator:
    texts = fed == STR
    var = ctx.bind(list_of(STR if texts else INT), "result", "out", "kept", "picked")
    give = wording if texts else measure
    word = ctx.pick(("append", "append", "append", "insert"))

    def update(v: Var, x: Context) -> list[c.Statement]:
        if word == "insert":
            return [c.do(c.method(var.node, "insert", c.literal(0), give(v, x)))]
        return [c.do(c.method(var.node, "append", give(v, x)))]

    return _made("collect", var, [], update)


@accumulator("tally")
def _tally(fed: Type, ctx: Context) -> Accumulator:
    texts = fed == STR
    var = ctx.bind(dict_of(STR if texts else INT, INT), "counts", "freq", "tally", "seen")
    fills = ctx.imported(_DEFAULTDICT, 0.5)

    def update(v: Var, x: Context) -> list[c.Statement]:
        before: list[c.Statement] = []
        key = x.read(v)
        if v.type not in (STR, INT) or x.chance(0.3):
            key = c.name(x.fresh("key", "slot", "kind"))
            give = wording if texts and v.type == STR else measure
            before = [c.assign(key, give(v, x))]
        step = c.literal(1) if x.chance(0.6) else measure(v, x)
        if fills:
            return [*before, c.augment(c.index(var.node, key), "+", step)]
        old = c.method(var.node, "get", key, c.literal(0))
        return [*before, c.assign(c.index(var.node, key), c.binary(old, "+", step))]

    return _filling("tally", var, "int", update) if fills else _made("tally", var, {}, update)


@accumulator("group")
def _group(fed: Type, ctx: Context) -> Accumulator:
    inner = STR if fed == STR else INT
    var = ctx.bind(dict_of(INT, list_of(inner)), "groups", "buckets", "by_size")
    fills = ctx.imported(_DEFAULTDICT, 0.5)

    def update(v: Var, x: Context) -> list[c.Statement]:
        item = x.read(v) if v.type in (STR, INT) else measure(v, x)
        # One or the other: a measure that is not written must not have read a parameter.
        if v.type != INT:
            key = measure(v, x)
        else:
            key = c.binary(x.read(v), "%", x.number(2, 4) if x.chance(0.3) else c.literal(3))
        opened = c.method(var.node, "setdefault", key, c.list_())
        bucket = c.index(var.node, key) if fills else opened
        return [c.do(c.method(bucket, "append", item))]

    return _filling("group", var, "list", update) if fills else _made("group", var, {}, update)


@accumulator("unique")
def _unique(fed: Type, ctx: Context) -> Accumulator:
    texts = fed == STR
    var = ctx.bind(set_of(STR if texts else INT), "unique", "seen", "distinct")

    def update(v: Var, x: Context) -> list[c.Statement]:
        item = wording(v, x) if texts else measure(v, x)
        return [c.do(c.method(var.node, "add", item))]

    result = c.call("sorted", var.node) if ctx.chance(0.7) else var.node
    return Accumulator("unique", var, c.call("set"), update, result)


@accumulator("buffer")
def _buffer(fed: Type, ctx: Context) -> Accumulator:
    var = ctx.bind(STR, "buf", "built", "joined", "result")
    front = ctx.chance(0.25)

    def update(v: Var, x: Context) -> list[c.Statement]:
        piece = wording(v, x)
        if front:
            return [c.assign(var.name, c.binary(piece, "+", var.node))]
        return [c.augment(var.name, "+", piece)]

    return _made("buffer", var, "", update)


@accumulator("best")
def _best(fed: Type, ctx: Context) -> Accumulator:
    var = ctx.bind(INT, "best", "top", "longest", "peak")

    def update(v: Var, x: Context) -> list[c.Statement]:
        return [c.assign(var.name, c.call("max", var.node, measure(v, x)))]

    return _made("best", var, 0, update)


def roles_for(fed: Type) -> Sequence[str]:
    """List the roles that make sense for what is fed, the frequent ones several times."""
    common = ["total", "collect", "collect", "count", "tally", "unique", "best", "group"]
    return [*common, "buffer", "buffer"] if fed == STR else [*common, "total"]
