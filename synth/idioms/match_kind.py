"""A match on the form of a pair."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import measure
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("match kind", "list[int]", ("for",))
def match_kind(over: Var, ctx: Context) -> Written:
    """Sort neighbours into kinds by matching their values."""
    kinds = ctx.bind(list_of(INT), "codes", "kinds", "marks")
    x = ctx.fresh("x", "value")
    base = ctx.rng.randint(3, 4)
    push = [
        [c.do(c.method(kinds.node, "append", value))]
        for value in (
            measure(Var("low", INT), ctx),
            measure(Var("high", INT), ctx),
            ctx.pick((c.binary(c.name(x), ctx.pick("+-"), c.literal(base)), c.literal(0))),
        )
    ]
    subject = c.call("divmod", c.name(x), c.literal(base))
    cases = [
        (c.case_tuple(c.literal(0), "low"), push[0]),
        (c.case_tuple("high", c.literal(0)), push[1]),
        (c.case_rest(), push[2]),
    ]
    return Written(
        [
            c.assign(kinds.name, c.list_()),
            c.for_(x, ctx.read(over), [c.match_(subject, cases)]),
        ],
        kinds.node,
        kinds.type,
    )
