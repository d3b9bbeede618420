"""Steps of number theory that end by themselves."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("digit steps", "int", ("while", "if"))
def digit_steps(over: Var, ctx: Context) -> Written:
    """Halve what is even, take off from what is odd, remember the way."""
    path = ctx.bind(list_of(INT), "path", "trail", "history")
    m = ctx.fresh("m", "cur", "left")
    # Far enough up that usual values go both ways.
    start = c.binary(ctx.read(over), "+", c.literal(ctx.rng.randint(5, 19)))
    even = c.comparison(c.binary(c.name(m), "%", c.literal(2)), "==", c.literal(0))
    return Written(
        [
            c.assign([m, path.name], c.tuple_(start, c.list_())),
            c.while_(
                c.comparison(c.name(m), ">", c.literal(1)),
                [
                    c.do(c.method(path.node, "append", c.name(m))),
                    c.if_(
                        (even, [c.augment(m, "//", c.literal(2))]),
                        otherwise=[c.augment(m, "-", c.literal(ctx.pick((1, 1, 3))))],
                    ),
                ],
            ),
        ],
        path.node,
        path.type,
    )
