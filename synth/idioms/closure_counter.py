"""An inner function that changes a variable of the outer one."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure
from synth.idioms.base import Written, idiom
from synth.names import item_names
from synth.types import INT, list_of


@idiom("closure counter", "list[int]|list[str]|str", ("for",))
def closure_counter(over: Var, ctx: Context) -> Written:
    """Call a counter for each item; it remembers what it has had."""
    state = ctx.bind(INT, "total", "level", "state")
    title = ctx.fresh("bump", "record", "note", "tick")
    name = ctx.fresh("ch" if over.type.name == "str" else item_names(over.type.item)[0], "item")
    item = Var(name, over.type.item, "item")
    by = ctx.fresh("by", "amount")
    levels = ctx.bind(list_of(INT), "levels", "readings", "log")
    shown: c.Expression = c.binary(state.node, "%", ctx.number(5, 9))
    if ctx.chance(0.5):
        shown = ctx.pick((state.node, c.binary(state.node, ctx.pick("+-*"), c.name(by))))
    body = [
        c.nonlocal_(state.name),
        c.augment(state.name, "+", c.name(by)),
        c.return_(shown),
    ]
    otherwise = measure(item, ctx) if ctx.chance(0.4) else c.literal(ctx.pick((1, 1, 2, 0)))
    step = c.conditional(condition(item, ctx), measure(item, ctx), otherwise)
    return Written(
        [
            c.assign(state.name, c.literal(0)),
            c.def_(title, [by], body),
            c.assign(levels.name, c.list_()),
            c.for_(
                name,
                ctx.read(over),
                [c.do(c.method(levels.node, "append", c.call(title, step)))],
            ),
        ],
        c.tuple_(state.node, levels.node),
        INT,
    )
