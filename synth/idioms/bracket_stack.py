"""A stack of brackets that are open."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom, item_of
from synth.types import INT, STR, list_of


@idiom("bracket stack", "str", ("for", "if-elif"))
def bracket_stack(over: Var, ctx: Context) -> Written:
    """Push what opens, pop what closes, note how deep it went or what was taken off."""
    stack = ctx.bind(list_of(STR), "stack", "opened")
    ch = item_of(over, ctx, "ch", "c", "char")
    push, pop = c.do(c.method(stack.node, "append", ch.node)), c.method(stack.node, "pop")
    depth = c.call("len", stack.node)
    if ctx.chance(0.5):
        noted, first = ctx.bind(INT, "deepest", "depth"), c.literal(0)
        if ctx.chance(0.6):
            note = c.assign(noted.name, c.call("max", noted.node, depth))
        else:
            note = c.augment(noted.name, "+", depth)
        opened, closed = [push, note], [c.do(pop)]
        if ctx.chance(0.3):
            opened, closed = [push], [c.do(pop), c.augment(noted.name, "+", c.literal(1))]
    else:
        noted, first = ctx.bind(list_of(STR), "pairs", "closed", "met"), c.list_()
        met = ctx.pick((pop, c.binary(pop, "+", ch.node), c.binary(ch.node, "+", pop)))
        opened, closed = [push], [c.do(c.method(noted.node, "append", met))]
    opens, closes = _tests(ch, ctx)
    return Written(
        [
            c.assign(stack.name, c.list_()),
            c.assign(noted.name, first),
            c.for_(
                ch.name,
                ctx.read(over),
                [c.if_((opens, opened), (c.boolean(closes, "and", stack.node), closed))],
            ),
        ],
        c.tuple_(noted.node, depth if ctx.chance(0.5) else stack.node),
        INT,
    )


def _tests(ch: Var, ctx: Context) -> tuple[c.Expression, c.Expression]:
    """What opens and what closes: marks, or letters of two kinds."""
    if ctx.chance(0.7):
        pairs = (("([{", ")]}"), ("(<", ")>"), ("aeiou", "nrst"), ("abc", "xyz"))
        opening, closing = ctx.pick(pairs)
        inside = [c.comparison(ch.node, "in", c.literal(some)) for some in (opening, closing)]
        return inside[0], inside[1]
    kinds = (("isalpha", "isdigit"), ("isupper", "islower"), ("islower", "isspace"))
    one, other = ctx.pick(kinds)
    return c.method(ch.node, one), c.method(ch.node, other)
