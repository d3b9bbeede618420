"""Numbers among words, by trying to read them."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import measure, wording
from synth.idioms.base import Written, idiom
from synth.types import INT, STR, list_of, tuple_of


@idiom("parse numbers", "list[str]|str", ("for",))
def parse_numbers(over: Var, ctx: Context) -> Written:
    """Add what reads as a number, keep what does not."""
    total, other = ctx.bind(INT, "total", "acc"), ctx.bind(list_of(STR), "other", "skipped", "bad")
    name = ctx.fresh("ch" if over.type == STR else "token", "piece", "part")
    step: c.Expression = c.call("int", c.name(name))
    if ctx.chance(0.6):
        held = Var("step", INT)
        step = c.substituted(measure(held, ctx), held.name, step)
    item = Var(name, STR, "item", char=over.type == STR)
    bad = [c.do(c.method(other.node, "append", wording(item, ctx)))]
    if ctx.chance(0.4):
        bad.append(c.augment(total.name, ctx.pick("+-"), measure(item, ctx)))
    attempt = c.try_([c.augment(total.name, ctx.pick("++-"), step)], [(["ValueError"], bad)])
    return Written(
        [
            c.assign([total.name, other.name], c.tuple_(c.literal(0), c.list_())),
            c.for_(name, ctx.read(over), [attempt]),
        ],
        c.tuple_(total.node, other.node),
        tuple_of(INT, list_of(STR)),
    )
