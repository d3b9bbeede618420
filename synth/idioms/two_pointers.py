"""Two indices that walk towards each other."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, STR, list_of


@idiom("two pointers", "list[int]|str|list[str]", ("while", "if-elif"))
def two_pointers(over: Var, ctx: Context) -> Written:
    """Compare the ends, move the one that asks for it, count or collect."""
    low, high = ctx.fresh("left", "lo", "i"), ctx.fresh("right", "hi", "j")
    xs = ctx.read(over)
    a, b = c.index(xs, c.name(low)), c.index(xs, c.name(high))
    up, down = c.augment(low, "+", c.literal(1)), c.augment(high, "-", c.literal(1))
    ends = c.tuple_(c.literal(0), c.binary(c.call("len", xs), "-", c.literal(1)))
    tests = _tests(over, a, b, ctx)
    state, first, notes = _notes(over, a, b, low, high, ctx)
    both = [up, down] if ctx.chance(0.7) else [down, up]
    branches = [[notes[0], *both], [up], [down]]
    branches[ctx.pick((1, 2))].append(notes[1])
    return Written(
        [
            c.assign([low, high], ends),
            c.assign(state.name, first),
            c.while_(
                c.comparison(c.name(low), "<", c.name(high)),
                [
                    c.if_(
                        (tests[0], branches[0]),
                        (tests[1], branches[1]),
                        otherwise=branches[2],
                    )
                ],
            ),
        ],
        state.node,
        state.type,
    )


def _tests(
    over: Var, a: c.Expression, b: c.Expression, ctx: Context
) -> tuple[c.Expression, c.Expression]:
    """When both ends move, and when the left one does."""
    if over.type == list_of(INT) and ctx.chance(0.5):
        total, aim = c.binary(a, "+", b), ctx.number(5, 12)
        if ctx.chance(0.5):
            return c.comparison(total, "==", aim), c.comparison(total, "<", aim)
        even = c.comparison(c.binary(total, "%", c.literal(2)), "==", c.literal(0))
        return even, c.comparison(a, ctx.pick("<>"), b)
    if over.type == list_of(STR) and ctx.chance(0.5):
        one, other = c.call("len", a), c.call("len", b)
        return c.comparison(one, "==", other), c.comparison(one, ctx.pick("<>"), other)
    return c.comparison(a, "==", b), c.comparison(a, ctx.pick("<<>"), b)


def _notes(
    over: Var, a: c.Expression, b: c.Expression, low: str, high: str, ctx: Context
) -> tuple[Var, c.Expression, list[c.Statement]]:
    """What is kept, how it begins, and what is noted of a match and of a miss."""
    if ctx.chance(0.4):
        count = ctx.bind(INT, "count", "moves", "pairs", "matched")
        gap = c.binary(c.name(high), "-", c.name(low))
        weight = gap if ctx.chance(0.4) else c.literal(ctx.rng.randint(2, 3))
        miss = ctx.pick((c.literal(1), c.name(low)))
        notes = [c.augment(count.name, "+", weight), c.augment(count.name, ctx.pick("+-"), miss)]
        return count, c.literal(0), notes
    kept = ctx.bind(list_of(over.type.item), "kept", "ends", "found")
    joined = [b, c.binary(a, "+", b)]
    if over.type == list_of(INT):
        joined += [c.binary(a, "-", b), c.binary(a, "*", b), c.call("max", a, b)]
    pair = (a, ctx.pick(joined)) if ctx.chance(0.5) else (ctx.pick(joined), a)
    notes = [c.do(c.method(kept.node, "append", one)) for one in pair]
    return kept, c.list_(), notes
