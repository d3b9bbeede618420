"""A helper that calls itself on what is left."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure
from synth.idioms.base import Written, idiom
from synth.types import INT


@idiom("recursive fold", "list[int]|list[str]", ("if",))
def recursive_fold(over: Var, ctx: Context) -> Written:
    """Take the first item, and combine it with the rest's result."""
    title = ctx.fresh("fold", "walk", "descend", "gather")
    inner = Context(ctx.rng, taken={title})
    items = inner.bind(over.type, "items", "xs", "rest")
    head = inner.bind(over.type.item, "head", "first", role="item")
    rest = c.call(title, c.slice_(items.node, c.literal(1)))
    weight = measure(head, inner)
    test = condition(head, inner)
    body = [
        c.if_((c.negated(items.node), [c.return_(c.literal(ctx.pick((0, 1))))])),
        c.assign(head.name, c.index(items.node, c.literal(0))),
        c.if_((test, [c.return_(c.binary(weight, "+", rest))])),
        c.return_(c.binary(rest, ctx.pick("-+"), c.literal(1))),
    ]
    ctx.helpers.append(c.def_(title, [items.name], body))
    result = ctx.bind(INT, "folded", "depth", "outcome")
    return Written([c.assign(result.name, c.call(title, ctx.read(over)))], result.node, INT)
