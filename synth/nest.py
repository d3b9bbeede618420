"""Writes control structures nested as a shape plans them, filled with updates.

The outermost structure works on the subject; each inner one on what is at hand there.
Loops run over finite data, or over a measure that shrinks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from synth import cst as c
from synth.accumulators import Accumulator
from synth.context import Context, Var
from synth.grow import condition, is_char, ladder, measure
from synth.names import subject_names
from synth.types import INT, STR, Type

__all__ = ["Leaf", "nest"]

Leaf = Callable[[Var, Context], list[c.Statement]]
"""Writes what stands in the innermost body, given the variable at hand."""

_ITERABLE = frozenset({"list", "tuple", "str", "bytes", "dict", "set", "frozenset", "range"})


def nest(
    control: Sequence[str],
    at_hand: Var,
    leaf: Leaf,
    state: Sequence[Accumulator],
    ctx: Context,
) -> list[c.Statement]:
    """Write nested control structures.

    Args:
        control: Their kinds from the outside in.
        at_hand: What the outermost works on.
        leaf: Writes the innermost body.
        state: The accumulators, for what stands between.
        ctx: The program.

    Returns:
        Statements.
    """
    if not control:
        return leaf(at_hand, ctx)
    return _WRITERS[control[0]](control[1:], at_hand, leaf, state, ctx)


def _for(
    rest: Sequence[str], over: Var, leaf: Leaf, state: Sequence[Accumulator], ctx: Context
) -> list[c.Statement]:
    target, source, bound, item = _heading(over, ctx)
    body: list[c.Statement] = []
    if source is None:
        node = ctx.read(over)
        source = c.call("range", c.call("len", node))
        body.append(c.assign(item.name, c.index(node, bound[0].node)))
    body += nest(rest, item, leaf, state, ctx)
    if rest and ctx.chance(0.35):
        body += _aside(item, state, ctx)
    ctx.forget(bound)
    return [c.for_(target, source, body)]


def _heading(
    over: Var, ctx: Context
) -> tuple[list[str] | str, c.Expression | None, list[Var], Var]:
    """Choose how a loop goes over a variable.

    Gives the target, the iterable (None for the places of a sequence), the new variables and
    which of them is the item.
    """
    node = ctx.read(over)
    kind = over.type
    if kind.name == "dict":
        key, value = (
            ctx.bind(kind.args[0], "key", "name", "k", role="item"),
            ctx.bind(kind.args[1], "value", "amount", "v", role="item"),
        )
        return [key.name, value.name], c.method(node, "items"), [key, value], value
    if kind == INT:
        item = ctx.bind(INT, "i", "j", "k", role="item", high=5)
        forms = [
            c.call("range", node),
            c.call("range", c.literal(1), c.binary(node, "+", c.literal(1))),
        ]
        return item.name, ctx.pick(forms), [item], item
    if kind.name not in _ITERABLE or is_char(over):
        item = ctx.bind(INT, "i", "j", "k", role="item", high=5)
        times = ctx.number(2, 4) if is_char(over) else c.call("abs", measure(over, ctx))
        return item.name, c.call("range", times), [item], item
    names = [pair[1] for pair in subject_names(kind) if pair[0] == over.name]
    names += [pair[1] for pair in subject_names(kind)]
    if kind.item.name == "list":
        names = ["row", "group", "part"]
    low, high = (97, 121) if kind.name == "bytes" else (0, 12)
    item = ctx.bind(kind.item, *names, role="item", low=low, high=high)
    if kind.name in ("set", "frozenset"):
        return item.name, c.call("sorted", node), [item], item
    form = ctx.pick(("plain", "plain", "plain", "enumerate", "reversed", "slice", "places"))
    if form == "places" and kind.name in ("list", "str", "bytes"):
        place = ctx.bind(INT, "i", "idx", "j", role="index", high=3)
        return place.name, None, [place, item], item
    if form == "enumerate":
        place = ctx.bind(INT, "i", "idx", "pos", role="index", high=3)
        return [place.name, item.name], c.call("enumerate", node), [place, item], item
    if form == "reversed":
        return item.name, c.call("reversed", node), [item], item
    if form == "slice" and kind.name in ("list", "str", "bytes"):
        first = None if ctx.chance(0.5) else c.literal(1)
        part = c.slice_(node, first, step=c.literal(-1) if first is None else None)
        return item.name, part, [item], item
    return item.name, node, [item], item


def _while(
    rest: Sequence[str], over: Var, leaf: Leaf, state: Sequence[Accumulator], ctx: Context
) -> list[c.Statement]:
    if (over.type in (STR, Type("bytes")) and not is_char(over)) or over.type.name == "list":
        return _cursor(rest, over, leaf, state, ctx)
    return _shrinking(rest, over, leaf, state, ctx)


def _cursor(
    rest: Sequence[str], over: Var, leaf: Leaf, state: Sequence[Accumulator], ctx: Context
) -> list[c.Statement]:
    """Walk over a sequence with an index, forwards or from both ends' side."""
    node = ctx.read(over)
    cursor = ctx.bind(INT, "i", "pos", "j", role="index", high=4)
    names = [pair[1] for pair in subject_names(over.type)]
    low, high = (97, 121) if over.type.name == "bytes" else (0, 12)
    item = ctx.bind(over.type.item, *names, role="item", low=low, high=high)
    step = ctx.pick((1, 1, 1, 2))
    test: c.Expression = c.comparison(cursor.node, "<", c.call("len", node))
    totals = [s for s in state if s.role in ("total", "count")]
    if totals and ctx.chance(0.15):
        limit = c.comparison(totals[0].var.node, "<", ctx.number(3, 8))
        test = c.boolean(test, "and", limit)
    body = [c.assign(item.name, c.index(node, cursor.node))]
    body += nest(rest, item, leaf, state, ctx)
    body.append(c.augment(cursor.name, "+", c.literal(step)))
    ctx.forget([cursor, item])
    return [c.assign(cursor.name, c.literal(0)), c.while_(test, body)]


def _shrinking(
    rest: Sequence[str], over: Var, leaf: Leaf, state: Sequence[Accumulator], ctx: Context
) -> list[c.Statement]:
    """Take digits, or halves, off an int until nothing is left."""
    left = ctx.bind(INT, "left", "rest", "m", "remaining")
    start = measure(over, ctx) if over.type != INT else ctx.read(over)
    radix = ctx.pick((10, 10, 2, 3))
    names = ("digit", "d") if radix > 2 else ("bit", "b")
    digit = ctx.bind(INT, *names, role="item", high=radix - 1)
    base = c.literal(radix)
    body = [c.assign([left.name, digit.name], c.call("divmod", left.node, base))]
    body += nest(rest, digit, leaf, state, ctx)
    ctx.forget([left, digit])
    test = c.comparison(left.node, ">", c.literal(0))
    return [c.assign(left.name, c.call("abs", start)), c.while_(test, body)]


def _if(
    rest: Sequence[str], over: Var, leaf: Leaf, state: Sequence[Accumulator], ctx: Context
) -> list[c.Statement]:
    test = condition(_tested(over, ctx), ctx)
    body = nest(rest, over, leaf, state, ctx)
    otherwise = _aside(over, state, ctx) if ctx.chance(0.45) else []
    return [c.if_((test, body), otherwise=otherwise)]


def _if_elif(
    rest: Sequence[str], over: Var, leaf: Leaf, state: Sequence[Accumulator], ctx: Context
) -> list[c.Statement]:
    first, second = ladder(over, ctx)
    body = nest(rest, over, leaf, state, ctx)
    other = _aside(over, state, ctx)
    otherwise = _aside(over, state, ctx) if ctx.chance(0.5) else []
    return [c.if_((first, body), (second, other), otherwise=otherwise)]


def _tested(over: Var, ctx: Context) -> Var:
    """Choose what a condition looks at: mostly what is at hand."""
    places = [v for v in ctx.scope if v.role == "index"]
    return ctx.pick(places) if places and ctx.chance(0.2) else over


def _aside(over: Var, state: Sequence[Accumulator], ctx: Context) -> list[c.Statement]:
    """Write an update that stands beside the innermost body."""
    return ctx.pick(state).update(over, ctx)


_Writer = Callable[[Sequence[str], Var, Leaf, Sequence[Accumulator], Context], list[c.Statement]]
_WRITERS: dict[str, _Writer] = {"for": _for, "while": _while, "if": _if, "if-elif": _if_elif}
