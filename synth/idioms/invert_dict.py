"""A dict turned round: values to the keys that have them."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import Type, dict_of, list_of


@idiom("invert dict", "dict[str, int]|dict[int, int]", ("for", "if"))
def invert_dict(over: Var, ctx: Context) -> Written:
    """Collect keys under their value, or under a class of it."""
    key_type, value_type = over.type.args
    made = ctx.bind(dict_of(value_type, list_of(key_type)), "inverted", "by_value", "holders")
    key, value = ctx.fresh("key", "name"), ctx.fresh("value", "amount")
    group = c.name(value) if ctx.chance(0.5) else c.binary(c.name(value), "%", ctx.number(2, 4))
    slot = ctx.fresh("slot", "kind", "group")
    return Written(
        [
            c.assign(made.name, c.dict_([])),
            c.for_(
                [key, value],
                c.method(ctx.read(over), "items"),
                [
                    c.assign(slot, group),
                    c.if_(
                        (
                            c.comparison(c.name(slot), "not in", made.node),
                            [c.assign(c.index(made.node, c.name(slot)), c.list_())],
                        )
                    ),
                    c.do(c.method(c.index(made.node, c.name(slot)), "append", c.name(key))),
                ],
            ),
        ],
        made.node,
        Type("dict", made.type.args),
    )
