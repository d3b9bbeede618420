"""Two ordered halves, merged."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure, wording
from synth.idioms.base import Written, idiom, item_of
from synth.types import INT, list_of


@idiom("merge ordered", "list[int]|list[str]", ("while", "if"))
def merge_ordered(over: Var, ctx: Context) -> Written:
    """Sort two halves and take the smaller (or the greater) front until one is empty."""
    merged = ctx.bind(list_of(over.type.item), "merged", "out", "combined")
    left, right = ctx.fresh("left", "first"), ctx.fresh("right", "second")
    down = {"reverse": c.literal(True)} if ctx.chance(0.3) else {}
    sorted_parts = [c.call("sorted", part, **down) for part in _parts(ctx.read(over), over, ctx)]
    changed = ctx.chance(0.4)

    def take(side: str) -> c.Statement:
        front: c.Expression = c.method(c.name(side), "pop", c.literal(0))
        if changed and side == left:
            held = Var("front", over.type.item)
            value = measure(held, ctx) if over.type.item == INT else wording(held, ctx)
            front = c.substituted(value, held.name, front)
        return c.do(c.method(merged.node, "append", front))

    fronts = [c.index(c.name(side), c.literal(0)) for side in (left, right)]
    rest = c.binary(c.name(left), "+", c.name(right))
    choice = c.if_(
        (c.comparison(fronts[0], ">" if down else "<", fronts[1]), [take(left)]),
        otherwise=[take(right)],
    )
    return Written(
        [
            c.assign([left, right], c.tuple_(*sorted_parts)),
            c.assign(merged.name, c.list_()),
            c.while_(c.boolean(c.name(left), "and", c.name(right)), [choice]),
        ],
        c.binary(merged.node, "+", rest) if ctx.chance(0.5) else c.tuple_(merged.node, rest),
        merged.type,
    )


def _parts(xs: c.Expression, over: Var, ctx: Context) -> tuple[c.Expression, c.Expression]:
    """Cut in two: at a place, by turns, or by a test."""
    if ctx.chance(0.4):
        item = item_of(over, ctx)
        test = condition(item, ctx)
        one = c.items("list", item.node, item.name, xs, test)
        return one, c.items("list", item.node, item.name, xs, c.negated(test))
    if ctx.chance(0.5):
        half: c.Expression = c.literal(ctx.rng.randint(2, 3))
        if ctx.chance(0.5):
            half = c.binary(c.call("len", xs), "//", c.literal(2))
        return c.slice_(xs, None, half), c.slice_(xs, half)
    two = c.literal(2)
    return c.slice_(xs, None, None, two), c.slice_(xs, c.literal(1), None, two)
