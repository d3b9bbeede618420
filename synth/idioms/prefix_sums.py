"""Sums of beginnings, and where they cross a bound."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("prefix sums", "list[int]", ("for", "if"))
def prefix_sums(over: Var, ctx: Context) -> Written:
    """Carry a sum along, start anew where it grows too large."""
    sums = ctx.bind(list_of(INT), "sums", "prefix", "totals")
    total = ctx.bind(INT, "running", "total", "carry")
    x = ctx.fresh("x", "value", "num")
    bound = ctx.number(9, 20)
    reset = [c.assign(total.name, c.binary(total.node, "%", bound))]
    return Written(
        [
            c.assign([sums.name, total.name], c.tuple_(c.list_(c.literal(0)), c.literal(0))),
            c.for_(
                x,
                ctx.read(over),
                [
                    c.augment(total.name, "+", c.name(x)),
                    c.if_((c.comparison(total.node, ">", bound), reset)),
                    c.do(c.method(sums.node, "append", total.node)),
                ],
            ),
        ],
        sums.node,
        sums.type,
    )
