"""A walk over rows and columns."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("matrix walk", "list[list[int]]", ("for", "for", "if"))
def matrix_walk(over: Var, ctx: Context) -> Written:
    """Add up what lies on one side of a diagonal or passes a test, row by row."""
    sums = ctx.bind(list_of(INT), "sums", "totals", "row_sums")
    r, row = Var(ctx.fresh("r", "i"), INT, "index", high=3), ctx.fresh("row", "line")
    col, cell = Var(ctx.fresh("col", "j"), INT, "index", high=4), ctx.fresh("cell", "value")
    total = Var(ctx.fresh("total", "acc"), INT, high=20)
    held = Var(cell, INT, "item")
    test: c.Expression
    if ctx.chance(0.6):
        test = c.comparison(col.node, ctx.pick(("<=", ">=", "==", "!=", "<")), r.node)
    elif ctx.chance(0.6):
        test = condition(held, ctx)
    else:
        even = c.binary(c.binary(r.node, "+", col.node), "%", c.literal(2))
        test = c.comparison(even, "==", c.literal(ctx.pick((0, 1))))
    weighed = c.binary(held.node, "*", c.binary(col.node, "+", c.literal(1)))
    moved = c.binary(held.node, ctx.pick("+-"), r.node)
    value = ctx.pick((held.node, measure(held, ctx), weighed, moved))
    change = c.augment(total.name, ctx.pick("++-"), value)
    if ctx.chance(0.3):
        change = c.assign(total.name, c.call(ctx.pick(("max", "max", "min")), total.node, value))
    end = total.node if ctx.chance(0.5) else measure(total, ctx)
    return Written(
        [
            c.assign(sums.name, c.list_()),
            c.for_(
                [r.name, row],
                c.call("enumerate", ctx.read(over)),
                [
                    c.assign(total.name, c.literal(0)),
                    c.for_(
                        [col.name, cell],
                        c.call("enumerate", c.name(row)),
                        [c.if_((test, [change]))],
                    ),
                    c.do(c.method(sums.node, "append", end)),
                ],
            ),
        ],
        sums.node,
        sums.type,
    )
