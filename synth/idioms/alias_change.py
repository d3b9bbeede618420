"""Two names of one list, changed through one of them."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition
from synth.idioms.base import Written, idiom
from synth.types import list_of


@idiom("alias change", "list[int]", ("for", "if"))
def alias_change(over: Var, ctx: Context) -> Written:
    """Change a list through another name, and compare it with a copy."""
    shared = ctx.bind(over.type, "shared", "view", "same")
    copy = ctx.bind(over.type, "copy", "before", "snapshot")
    i, x = ctx.fresh("i", "pos"), ctx.bind(over.type.item, "x", "value", role="item")
    test = condition(x, ctx)
    xs = ctx.read(over)
    change = c.augment(c.index(shared.node, c.name(i)), ctx.pick("+-*"), ctx.number(2, 4))
    ctx.forget([x])
    changed = c.items(
        "generator",
        c.comparison(c.name("a"), "!=", c.name("b")),
        ["a", "b"],
        c.call("zip", xs, copy.node),
    )
    return Written(
        [
            c.assign(shared.name, xs),
            c.assign(copy.name, c.slice_(xs)),
            c.for_([i, x.name], c.call("enumerate", copy.node), [c.if_((test, [change]))]),
        ],
        c.tuple_(xs, c.call("sum", changed)),
        list_of(over.type.item),
    )
