"""Sums of beginnings, and where they cross a bound."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("prefix sums", "list[int]", ("for", "if"))
def prefix_sums(over: Var, ctx: Context) -> Written:
    """Carry a sum along, start anew where it grows too large."""
    sums = ctx.bind(list_of(INT), "sums", "prefix", "totals")
    total = ctx.bind(INT, "running", "total", "carry")
    x = ctx.fresh("x", "value", "num")
    bound = ctx.number(9, 20)
    item = Var(x, INT, "item")
    step = c.name(x) if ctx.chance(0.4) else measure(item, ctx)
    form = ctx.rng.randrange(3)
    test: c.Expression = c.comparison(total.node, ">", bound)
    if form == 0:
        reset = [c.assign(total.name, c.binary(total.node, "%", bound))]
    elif form == 1:
        reset = [c.augment(total.name, "-", bound)]
    else:
        test, reset = condition(item, ctx), [c.assign(total.name, c.name(x))]
    noted = total.node if ctx.chance(0.6) else c.binary(total.node, ctx.pick("-*+"), c.name(x))
    return Written(
        [
            c.assign([sums.name, total.name], c.tuple_(c.list_(c.literal(0)), c.literal(0))),
            c.for_(
                x,
                ctx.read(over),
                [
                    c.augment(total.name, "+", step),
                    c.if_((test, reset)),
                    c.do(c.method(sums.node, "append", noted)),
                ],
            ),
        ],
        sums.node,
        sums.type,
    )
