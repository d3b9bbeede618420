"""Steps of number theory that end by themselves."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("digit steps", "int", ("while", "if"))
def digit_steps(over: Var, ctx: Context) -> Written:
    """Go down to one by steps that a test chooses, and remember the way."""
    path = ctx.bind(list_of(INT), "path", "trail", "history")
    m = Var(ctx.fresh("m", "cur", "left"), INT, high=20)
    # Far enough up that usual values go both ways.
    start = c.binary(ctx.read(over), "+", c.literal(ctx.rng.randint(5, 19)))
    test = _even(m) if ctx.chance(0.3) else condition(m, ctx)
    # Each makes a number over 1 smaller, so that the loop ends whatever the test.
    down = [c.augment(m.name, op, c.literal(by)) for op, by in ctx.rng.sample(_DOWN, 2)]
    note = c.do(c.method(path.node, "append", m.node if ctx.chance(0.5) else measure(m, ctx)))
    choice = c.if_((test, [down[0]]), otherwise=[down[1]])
    body = [note, choice] if ctx.chance(0.6) else [choice, note]
    if ctx.chance(0.3):
        body = [c.if_((test, [note, down[0]]), otherwise=[down[1]])]
    result = path.node if ctx.chance(0.6) else c.tuple_(m.node, path.node)
    return Written(
        [
            c.assign([m.name, path.name], c.tuple_(start, c.list_())),
            c.while_(c.comparison(m.node, ">", c.literal(1)), body),
        ],
        result,
        path.type,
    )


_DOWN = (("//", 2), ("//", 2), ("//", 3), ("-", 1), ("-", 2), ("-", 3), ("-", 4))


def _even(m: Var) -> c.Expression:
    return c.comparison(c.binary(m.node, "%", c.literal(2)), "==", c.literal(0))
