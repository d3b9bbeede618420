"""Two ordered halves, merged."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import list_of


@idiom("merge ordered", "list[int]|list[str]", ("while", "if"))
def merge_ordered(over: Var, ctx: Context) -> Written:
    """Sort two halves and take the smaller (or the greater) front until one is empty."""
    merged = ctx.bind(list_of(over.type.item), "merged", "out", "combined")
    left, right = ctx.fresh("left", "first"), ctx.fresh("right", "second")
    xs = ctx.read(over)
    if ctx.chance(0.5):
        half = c.literal(ctx.rng.randint(2, 3))
        parts = c.slice_(xs, None, half), c.slice_(xs, half)
    else:
        two = c.literal(2)
        parts = c.slice_(xs, None, None, two), c.slice_(xs, c.literal(1), None, two)
    down = {"reverse": c.literal(True)} if ctx.chance(0.3) else {}
    sorted_parts = [c.call("sorted", part, **down) for part in parts]

    def take(side: str) -> c.Statement:
        front = c.method(c.name(side), "pop", c.literal(0))
        return c.do(c.method(merged.node, "append", front))

    fronts = [c.index(c.name(side), c.literal(0)) for side in (left, right)]
    rest = c.binary(c.name(left), "+", c.name(right))
    return Written(
        [
            c.assign([left, right], c.tuple_(*sorted_parts)),
            c.assign(merged.name, c.list_()),
            c.while_(
                c.boolean(c.name(left), "and", c.name(right)),
                [
                    c.if_(
                        (c.comparison(fronts[0], ">" if down else "<", fronts[1]), [take(left)]),
                        otherwise=[take(right)],
                    )
                ],
            ),
        ],
        c.binary(merged.node, "+", rest) if ctx.chance(0.5) else c.tuple_(merged.node, rest),
        merged.type,
    )
