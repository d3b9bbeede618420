"""A queue from whose front items go to its end or away."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure, wording
from synth.idioms.base import Written, idiom
from synth.types import INT, list_of


@idiom("rotate queue", "list[int]|list[str]", ("while", "if"))
def rotate_queue(over: Var, ctx: Context) -> Written:
    """Count round a ring, and take out each one where the count ends."""
    order = ctx.bind(list_of(over.type.item), "order", "out", "left_first")
    queue, turn = ctx.fresh("queue", "ring", "line"), ctx.fresh("turn", "step", "round_no")
    front = Var(ctx.fresh("front", "head", "first"), over.type.item, "item", high=14)
    # Not 0 or a half of the ring, so that it matters which way the count goes.
    every = c.literal(ctx.rng.randint(3, 5))
    is_deque = ctx.imported("from collections import deque", 0.7)
    ring = c.call("deque" if is_deque else "list", ctx.read(over))
    take = ("popleft",) if is_deque else ("pop", c.literal(0))
    goes: c.Expression = c.comparison(c.binary(c.name(turn), "%", every), "==", c.literal(1))
    if ctx.chance(0.5):
        # Who fits leaves at once; the count sees to it that all do in the end.
        goes = c.boolean(goes, "or", condition(front, ctx))
    left = [c.do(c.method(order.node, "append", _noted(front, ctx)))]
    stays = [c.do(c.method(c.name(queue), "append", front.node))]
    return Written(
        [
            c.assign(
                [queue, order.name, turn],
                c.tuple_(ring, c.list_(), c.literal(0)),
            ),
            c.while_(
                c.name(queue),
                [
                    c.assign(front.name, c.method(c.name(queue), *take)),
                    c.augment(turn, "+", c.literal(1)),
                    c.if_((goes, left), otherwise=stays),
                ],
            ),
        ],
        c.tuple_(order.node, c.name(turn)) if ctx.chance(0.4) else order.node,
        order.type,
    )


def _noted(front: Var, ctx: Context) -> c.Expression:
    if ctx.chance(0.5):
        return front.node
    return measure(front, ctx) if front.type == INT else wording(front, ctx)
