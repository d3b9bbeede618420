"""A queue from whose front items go to its end or away."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import list_of


@idiom("rotate queue", "list[int]|list[str]", ("while", "if"))
def rotate_queue(over: Var, ctx: Context) -> Written:
    """Count round a ring, and take out each one where the count ends."""
    order = ctx.bind(list_of(over.type.item), "order", "out", "left_first")
    queue, turn = ctx.fresh("queue", "ring", "line"), ctx.fresh("turn", "step", "round_no")
    front = ctx.fresh("front", "head", "first")
    # Not 0 or a half of the ring, so that it matters which way the count goes.
    every = c.literal(ctx.rng.randint(3, 5))
    is_deque = ctx.imported("from collections import deque", 0.7)
    ring = c.call("deque" if is_deque else "list", ctx.read(over))
    take = ("popleft",) if is_deque else ("pop", c.literal(0))
    goes = c.comparison(c.binary(c.name(turn), "%", every), "==", c.literal(1))
    return Written(
        [
            c.assign(
                [queue, order.name, turn],
                c.tuple_(ring, c.list_(), c.literal(0)),
            ),
            c.while_(
                c.name(queue),
                [
                    c.assign(front, c.method(c.name(queue), *take)),
                    c.augment(turn, "+", c.literal(1)),
                    c.if_(
                        (
                            goes,
                            [c.do(c.method(order.node, "append", c.name(front)))],
                        ),
                        otherwise=[c.do(c.method(c.name(queue), "append", c.name(front)))],
                    ),
                ],
            ),
        ],
        order.node,
        order.type,
    )
