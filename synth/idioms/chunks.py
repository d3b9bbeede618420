"""Pieces of equal size, each summed up."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import wording
from synth.idioms.base import Written, idiom
from synth.types import INT, STR, list_of


@idiom("chunks", "str|list[int]", ("for", "if"))
def chunks(over: Var, ctx: Context) -> Written:
    """Cut into pieces; what is left at the end is treated apart."""
    texts = over.type == STR
    made = ctx.bind(list_of(STR if texts else INT), "chunks", "pieces", "blocks")
    i, piece = ctx.fresh("i", "start"), ctx.fresh("piece", "chunk", "block")
    size = ctx.rng.randint(2, 3)
    xs = ctx.read(over)
    part, fill = c.name(piece), c.literal(ctx.pick(".-*"))
    whole: c.Expression
    rest: c.Expression
    if texts:
        whole = ctx.pick((c.slice_(part, None, None, c.literal(-1)), wording(Var(piece, STR), ctx)))
        padded = c.method(part, ctx.pick(("ljust", "rjust", "center")), c.literal(size + 1), fill)
        rest = ctx.pick((padded, c.binary(part, "*", c.literal(2)), c.binary(part, "+", fill)))
    else:
        first, last = (c.index(part, c.literal(place)) for place in (0, -1))
        whole = c.call(ctx.pick(("sum", "max", "min")), part)
        if ctx.chance(0.5):
            whole = c.binary(first, ctx.pick("*-+"), last)
        rest = c.binary(first, ctx.pick("*-+"), ctx.pick((c.literal(size), c.name(i))))
    full = c.comparison(c.call("len", part), "==", c.literal(size))
    return Written(
        [
            c.assign(made.name, c.list_()),
            c.for_(
                i,
                c.call("range", c.literal(0), c.call("len", xs), c.literal(size)),
                [
                    c.assign(
                        piece, c.slice_(xs, c.name(i), c.binary(c.name(i), "+", c.literal(size)))
                    ),
                    c.if_(
                        (full, [c.do(c.method(made.node, "append", whole))]),
                        otherwise=[c.do(c.method(made.node, "append", rest))],
                    ),
                ],
            ),
        ],
        made.node,
        made.type,
    )
