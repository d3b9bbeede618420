"""A generator that a loop drinks from."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure
from synth.idioms.base import Written, idiom
from synth.names import item_names
from synth.types import INT, list_of


@idiom("generator pipeline", "list[int]|list[str]|str", ("for", "if"))
def generator_pipeline(over: Var, ctx: Context) -> Written:
    """Yield what passes a test, and gather it."""
    title = ctx.fresh("passing", "stream", "chosen", "emit")
    inner = Context(ctx.rng, taken={title})
    items = inner.bind(over.type, "items", "source", "xs")
    name = "ch" if over.type.name == "str" else item_names(over.type.item)[0]
    item = inner.bind(over.type.item, name, role="item")
    test, value = condition(item, inner), measure(item, inner)
    body = c.for_(item.name, items.node, [c.if_((test, [c.yield_(value)]))])
    ctx.helpers.append(c.def_(title, [items.name], [body]))
    made = ctx.bind(list_of(INT), "gathered", "taken", "drawn")
    return Written(
        [c.assign(made.name, c.call("list", c.call(title, ctx.read(over))))], made.node, made.type
    )
