"""Pairs of neighbours, compared."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("neighbours", "list[int]", ("for", "if-elif"))
def neighbours(over: Var, ctx: Context) -> Written:
    """Note whether each step goes up, down or stays."""
    steps = ctx.bind(list_of(INT), "steps", "deltas", "moves")
    a, b = ctx.fresh("a", "prev"), ctx.fresh("b", "cur")
    xs = ctx.read(over)
    up, down = c.binary(c.name(b), "-", c.name(a)), c.literal(-1)
    return Written(
        [
            c.assign(steps.name, c.list_()),
            c.for_(
                [a, b],
                c.call("zip", xs, c.slice_(xs, c.literal(1))),
                [
                    c.if_(
                        (
                            c.comparison(c.name(b), ">", c.name(a)),
                            [c.do(c.method(steps.node, "append", up))],
                        ),
                        (
                            c.comparison(c.name(b), "<", c.name(a)),
                            [c.do(c.method(steps.node, "append", down))],
                        ),
                        otherwise=[c.do(c.method(steps.node, "append", c.literal(0)))],
                    )
                ],
            ),
        ],
        steps.node,
        steps.type,
    )
