"""Two indices that walk towards each other."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT


@idiom("two pointers", "list[int]|str|list[str]", ("while", "if-elif"))
def two_pointers(over: Var, ctx: Context) -> Written:
    """Compare the ends, move the one that asks for it, count."""
    low, high = ctx.fresh("left", "lo", "i"), ctx.fresh("right", "hi", "j")
    count = ctx.bind(INT, "count", "moves", "pairs", "matched")
    xs = ctx.read(over)
    a, b = c.index(xs, c.name(low)), c.index(xs, c.name(high))
    weight = c.literal(ctx.rng.randint(2, 3))
    return Written(
        [
            c.assign(
                [low, high], c.tuple_(c.literal(0), c.binary(c.call("len", xs), "-", c.literal(1)))
            ),
            c.assign(count.name, c.literal(0)),
            c.while_(
                c.comparison(c.name(low), "<", c.name(high)),
                [
                    c.if_(
                        (
                            c.comparison(a, "==", b),
                            [
                                c.augment(count.name, "+", weight),
                                c.augment(low, "+", c.literal(1)),
                                c.augment(high, "-", c.literal(1)),
                            ],
                        ),
                        (c.comparison(a, "<", b), [c.augment(low, "+", c.literal(1))]),
                        otherwise=[
                            c.augment(high, "-", c.literal(1)),
                            c.augment(count.name, "+", c.literal(1)),
                        ],
                    )
                ],
            ),
        ],
        count.node,
        INT,
    )
