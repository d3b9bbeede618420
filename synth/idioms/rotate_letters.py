"""Letters that are moved along the alphabet."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import STR


@idiom("rotate letters", "str", ("for", "if"))
def rotate_letters(over: Var, ctx: Context) -> Written:
    """Shift letters round the alphabet, and keep or replace everything else."""
    coded = ctx.bind(STR, "coded", "shifted", "out")
    ch = ctx.fresh("ch", "char", "letter")
    at = c.binary(c.call("ord", c.name(ch)), "-", c.literal(97))
    if ctx.chance(0.25):
        moved = c.binary(c.literal(25), "-", at)
    else:
        moved = c.binary(at, ctx.pick("+-"), ctx.number(1, 9))
    turned = c.call("chr", c.binary(c.binary(moved, "%", c.literal(26)), "+", c.literal(97)))
    small = c.method(c.name(ch), ctx.pick(("islower", "isalpha")))
    front = ctx.chance(0.2)
    other = ctx.pick((c.name(ch), c.method(c.name(ch), "lower"), c.literal("-"), c.literal("_")))

    def put(piece: c.Expression) -> c.Statement:
        if front:
            return c.assign(coded.name, c.binary(piece, "+", coded.node))
        return c.augment(coded.name, "+", piece)

    return Written(
        [
            c.assign(coded.name, c.literal("")),
            c.for_(
                ch,
                ctx.read(over),
                [
                    c.if_(
                        (small, [put(turned)]),
                        otherwise=[put(other)],
                    )
                ],
            ),
        ],
        coded.node,
        STR,
    )
