"""A small class that keeps a score."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure
from synth.idioms.base import Written, idiom
from synth.names import item_names
from synth.types import INT


@idiom("running class", "list[int]|list[str]", ("for",))
def running_class(over: Var, ctx: Context) -> Written:
    """Feed items to an object, read its score at the end."""
    title = ctx.fresh("Meter", "Counter", "Ledger", "Tracker")
    inner = Context(ctx.rng)
    item = inner.bind(over.type.item, *item_names(over.type.item), role="item")
    loss = c.literal(-1) if ctx.chance(0.4) else measure(item, inner)
    if ctx.chance(0.4):
        loss = c.literal(ctx.pick((0, 1, 2)))
    gain = c.conditional(condition(item, inner), measure(item, inner), loss)
    points, hits = c.attribute(c.name("self"), "points"), c.attribute(c.name("self"), "hits")
    if ctx.chance(0.4):
        second = c.augment(hits, "+", c.literal(1))
    elif ctx.chance(0.5):
        second = c.assign(hits, c.call(ctx.pick(("max", "min")), hits, points))
    else:
        second = c.augment(hits, "+", c.binary(points, "%", c.literal(ctx.rng.randint(2, 5))))
    order = [c.augment(points, ctx.pick("++-"), gain), second]
    ctx.helpers.append(
        c.class_(
            title,
            [
                c.def_(
                    "__init__",
                    ["self", "points"],
                    [c.assign(points, c.name("points")), c.assign(hits, c.literal(0))],
                ),
                c.def_(
                    "feed",
                    ["self", item.name],
                    order,
                ),
            ],
        )
    )
    meter, name = ctx.fresh("meter", "tracker", "book"), ctx.fresh("entry", "item", "unit")
    return Written(
        [
            c.assign(meter, c.call(title, ctx.number(0, 5))),
            c.for_(name, ctx.read(over), [c.do(c.method(c.name(meter), "feed", c.name(name)))]),
        ],
        c.tuple_(c.attribute(c.name(meter), "points"), c.attribute(c.name(meter), "hits")),
        INT,
    )
