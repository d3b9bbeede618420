"""A dict turned round: values to the keys that have them."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure, wording
from synth.idioms.base import Written, idiom
from synth.types import BOOL, INT, STR, Type, dict_of, list_of


@idiom("invert dict", "dict[str, int]|dict[int, int]", ("for", "if"))
def invert_dict(over: Var, ctx: Context) -> Written:
    """Collect or count keys under their value, or under a class of it."""
    key_type, value_type = over.type.args
    key = Var(ctx.fresh("key", "name"), key_type, "item")
    value = Var(ctx.fresh("value", "amount"), value_type, "item", high=20)
    slot = ctx.fresh("slot", "kind", "group")
    by_test = ctx.chance(0.3)
    group = condition(value, ctx) if by_test else measure(value, ctx)
    counted = ctx.chance(0.35)
    held = INT if counted else list_of(key_type)
    made = ctx.bind(
        dict_of(BOOL if by_test else value_type, held), "inverted", "by_value", "holders", "groups"
    )
    place = c.index(made.node, c.name(slot))
    if counted:
        first = measure(value, ctx) if ctx.chance(0.5) else c.literal(1)
        more = [c.augment(place, "+", first)]
    else:
        first = _member(key, ctx)
        more = [c.do(c.method(place, "append", first))]
    known = c.comparison(c.name(slot), "in", made.node)
    start = c.assign(place, first if counted else c.list_(first))
    return Written(
        [
            c.assign(made.name, c.dict_([])),
            c.for_(
                [key.name, value.name],
                c.method(ctx.read(over), "items"),
                [c.assign(slot, group), *_put(known, start, more, counted, place, ctx)],
            ),
        ],
        made.node,
        Type("dict", made.type.args),
    )


def _member(key: Var, ctx: Context) -> c.Expression:
    if ctx.chance(0.5):
        return key.node
    return wording(key, ctx) if key.type == STR else measure(key, ctx)


def _put(
    known: c.Expression,
    start: c.Statement,
    more: list[c.Statement],
    counted: bool,
    place: c.Expression,
    ctx: Context,
) -> list[c.Statement]:
    """Start a group or add to it, in the order that people choose."""
    if ctx.chance(0.4):
        return [c.if_((known, more), otherwise=[start])]
    if ctx.chance(0.5):
        return [c.if_((c.negated(known), [start]), otherwise=more)]
    empty = c.assign(place, c.literal(0) if counted else c.list_())
    return [c.if_((c.negated(known), [empty])), *more]
