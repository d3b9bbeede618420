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
    gap = c.binary(c.name(b), "-", c.name(a))
    values = [gap, c.literal(-1), c.literal(1), c.name(a), c.name(b)]
    values += [c.binary(c.name(a), "+", c.name(b)), c.call("abs", gap)]
    up, down, same = ([c.do(c.method(steps.node, "append", value))] for value in _some(values, ctx))
    tests = [c.comparison(c.name(b), sign, c.name(a)) for sign in (">", "<")]
    if ctx.chance(0.4):
        far = c.literal(ctx.rng.randint(1, 3))
        tests = [c.comparison(gap, ">", far), c.comparison(gap, "<", c.literal(-1))]
    if ctx.chance(0.4):
        tests.reverse()
    return Written(
        [
            c.assign(steps.name, c.list_()),
            c.for_(
                [a, b],
                c.call("zip", xs, c.slice_(xs, c.literal(1))),
                [c.if_((tests[0], up), (tests[1], down), otherwise=same)],
            ),
        ],
        steps.node,
        steps.type,
    )


def _some(values: list[c.Expression], ctx: Context) -> list[c.Expression]:
    """Choose what to note in each of three cases; one of them may be 0."""
    chosen = ctx.rng.sample(values, 3)
    return [*chosen[:2], c.literal(0)] if ctx.chance(0.5) else chosen
