"""Items that come again, by a set of what was seen."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import measure, wording
from synth.idioms.base import Written, idiom, item_of
from synth.types import INT, list_of


@idiom("seen before", "list[int]|list[str]|str", ("for", "if"))
def seen_before(over: Var, ctx: Context) -> Written:
    """Keep the first of each item, or of each kind of item, or what comes again."""
    kept = ctx.bind(list_of(over.type.item), "kept", "repeated", "result", "out")
    seen = ctx.fresh("seen", "known", "visited")
    item = item_of(over, ctx)
    key: c.Expression = item.node
    named: list[c.Statement] = []
    value = wording(item, ctx) if item.type != INT and ctx.chance(0.5) else measure(item, ctx)
    if ctx.chance(0.7) and not value.deep_equals(key):
        key = c.name(ctx.fresh("key", "mark", "kind"))
        named = [c.assign(key, value)]
    add = c.do(c.method(c.name(seen), "add", key))
    keep = c.do(c.method(kept.node, "append", item.node))
    test = c.comparison(key, "in", c.name(seen))
    form = ctx.rng.randrange(3)
    if form == 0:
        body = [c.if_((test, [c.jump("continue")])), add, keep]
    elif form == 1:
        body = [c.if_((test, [keep]), otherwise=[add])]
    else:
        body = [c.if_((c.negated(test), [add, keep]))]
    return Written(
        [
            c.assign([seen, kept.name], c.tuple_(c.call("set"), c.list_())),
            c.for_(item.name, ctx.read(over), [*named, *body]),
        ],
        c.tuple_(kept.node, c.call("len", c.name(seen))) if ctx.chance(0.3) else kept.node,
        kept.type,
    )
