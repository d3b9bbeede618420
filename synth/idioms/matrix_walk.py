"""A walk over rows and columns."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("matrix walk", "list[list[int]]", ("for", "for", "if"))
def matrix_walk(over: Var, ctx: Context) -> Written:
    """Sum what lies on one side of a diagonal, row by row."""
    sums = ctx.bind(list_of(INT), "sums", "totals", "row_sums")
    r, row = ctx.fresh("r", "i"), ctx.fresh("row", "line")
    col, cell = ctx.fresh("col", "j"), ctx.fresh("cell", "value")
    total = ctx.fresh("total", "acc")
    operator = ctx.pick(("<=", ">=", "==", "!="))
    test = c.comparison(c.name(col), operator, c.name(r))
    return Written(
        [
            c.assign(sums.name, c.list_()),
            c.for_(
                [r, row],
                c.call("enumerate", ctx.read(over)),
                [
                    c.assign(total, c.literal(0)),
                    c.for_(
                        [col, cell],
                        c.call("enumerate", c.name(row)),
                        [c.if_((test, [c.augment(total, "+", c.name(cell))]))],
                    ),
                    c.do(c.method(sums.node, "append", c.name(total))),
                ],
            ),
        ],
        sums.node,
        sums.type,
    )
