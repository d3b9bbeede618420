"""Items that come again, by a set of what was seen."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.names import item_names
from synth.types import list_of


@idiom("seen before", "list[int]|list[str]|str", ("for", "if"))
def seen_before(over: Var, ctx: Context) -> Written:
    """Keep the first of each item, or what comes again."""
    kept = ctx.bind(list_of(over.type.item), "kept", "repeated", "result", "out")
    seen = ctx.fresh("seen", "known", "visited")
    name = ctx.fresh("ch" if over.type.name == "str" else item_names(over.type.item)[0], "item")
    add = c.do(c.method(c.name(seen), "add", c.name(name)))
    keep = c.do(c.method(kept.node, "append", c.name(name)))
    test = c.comparison(c.name(name), "in", c.name(seen))
    if ctx.chance(0.5):
        body = [c.if_((test, [c.jump("continue")])), add, keep]
    else:
        body = [c.if_((test, [keep]), otherwise=[add])]
    return Written(
        [
            c.assign([seen, kept.name], c.tuple_(c.call("set"), c.list_())),
            c.for_(name, ctx.read(over), body),
        ],
        kept.node,
        kept.type,
    )
