"""Numbers among words, by trying to read them."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, STR, list_of, tuple_of


@idiom("parse numbers", "list[str]|str", ("for",))
def parse_numbers(over: Var, ctx: Context) -> Written:
    """Add what reads as a number, keep what does not."""
    total, other = ctx.bind(INT, "total", "acc"), ctx.bind(list_of(STR), "other", "skipped", "bad")
    name = ctx.fresh("ch" if over.type == STR else "token", "piece", "part")
    step: c.Expression = c.call("int", c.name(name))
    if ctx.chance(0.4):
        step = c.binary(step, "*", ctx.number(2, 3))
    attempt = c.try_(
        [c.augment(total.name, "+", step)],
        [(["ValueError"], [c.do(c.method(other.node, "append", c.name(name)))])],
    )
    return Written(
        [
            c.assign([total.name, other.name], c.tuple_(c.literal(0), c.list_())),
            c.for_(name, ctx.read(over), [attempt]),
        ],
        c.tuple_(total.node, other.node),
        tuple_of(INT, list_of(STR)),
    )
