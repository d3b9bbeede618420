"""Pairs of items that have a sum in common."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("pair sum", "list[int]", ("for", "if"))
def pair_sum(over: Var, ctx: Context) -> Written:
    """Collect each item whose partner came before it, and remember the others."""
    pairs = ctx.bind(list_of(INT), "matched", "pairs", "hits")
    before = ctx.fresh("before", "waiting", "earlier")
    x = ctx.fresh("x", "num", "value")
    partner = ctx.fresh("need", "partner", "rest")
    target = ctx.number(5, 12)
    found = ctx.pick(
        (
            c.name(x),
            c.binary(c.name(x), "*", c.name(partner)),
            c.call("max", c.name(x), c.name(partner)),
        )
    )
    taken = [c.do(c.method(pairs.node, "append", found))]
    if ctx.chance(0.5):
        taken.append(c.do(c.method(c.name(before), "remove", c.name(partner))))
    return Written(
        [
            c.assign([pairs.name, before], c.tuple_(c.list_(), c.list_())),
            c.for_(
                x,
                ctx.read(over),
                [
                    c.assign(partner, c.binary(target, "-", c.name(x))),
                    c.if_(
                        (c.comparison(c.name(partner), "in", c.name(before)), taken),
                        otherwise=[c.do(c.method(c.name(before), "append", c.name(x)))],
                    ),
                ],
            ),
        ],
        pairs.node if ctx.chance(0.3) else c.tuple_(pairs.node, c.name(before)),
        pairs.type,
    )
