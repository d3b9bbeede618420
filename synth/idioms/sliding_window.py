"""The best sum over a window that slides along a list."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import measure
from synth.idioms.base import Written, idiom
from synth.types import INT


@idiom("sliding window", "list[int]", ("for", "if"))
def sliding_window(over: Var, ctx: Context) -> Written:
    """Add what comes in, take off what goes out, keep the best."""
    width = ctx.number(2, 3)
    window, best = ctx.bind(INT, "window", "current"), ctx.bind(INT, "best", "peak", "top")
    i, x = ctx.fresh("i", "pos"), ctx.fresh("x", "value")
    xs = ctx.read(over)
    gone: c.Expression = c.index(xs, c.binary(c.name(i), "-", width))
    word = ctx.pick(("max", "max", "min"))
    item = Var(x, INT, "item")
    weight = measure(item, ctx) if ctx.chance(0.5) else None
    came: c.Expression = c.name(x)
    if weight is not None:
        came, gone = weight, c.substituted(weight, x, gone)
    note = c.assign(best.name, c.call(word, best.node, window.node))
    if ctx.chance(0.4):
        note = c.augment(best.name, "+", c.binary(window.node, "%", ctx.number(3, 6)))
    return Written(
        [
            c.assign([window.name, best.name], c.tuple_(c.literal(0), c.literal(0))),
            c.for_(
                [i, x],
                c.call("enumerate", xs),
                [
                    c.augment(window.name, "+", came),
                    c.if_(
                        (c.comparison(c.name(i), ">=", width), [c.augment(window.name, "-", gone)])
                    ),
                    note,
                ],
            ),
        ],
        c.tuple_(best.node, window.node) if ctx.chance(0.4) else best.node,
        INT,
    )
