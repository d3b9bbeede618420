"""Text of keys and values, read into a dict."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import STR, dict_of


@idiom("key value text", "list[str]", ("for", "if"))
def key_value_text(over: Var, ctx: Context) -> Written:
    """Part each text at a letter; keep what stands behind it under what stands before."""
    fields = ctx.bind(dict_of(STR, STR), "fields", "settings", "table")
    entry = ctx.fresh("entry", "part", "line")
    key, mark, value = (
        ctx.fresh("key", "left"),
        ctx.fresh("sep", "mark"),
        ctx.fresh("value", "right"),
    )
    cut = ctx.pick(("partition", "partition", "rpartition"))
    kept = ctx.pick(
        (
            c.name(value),
            c.method(c.name(value), "upper"),
            c.binary(c.method(fields.node, "get", c.name(key), c.literal("")), "+", c.name(value)),
        )
    )
    missing = ctx.pick((c.literal("-"), c.literal("?"), c.literal("none")))
    whole = c.name(value if cut == "rpartition" else key)
    return Written(
        [
            c.assign(fields.name, c.dict_([])),
            c.for_(
                entry,
                ctx.read(over),
                [
                    c.assign([key, mark, value], c.method(c.name(entry), cut, ctx.letter())),
                    c.if_(
                        (c.name(mark), [c.assign(c.index(fields.node, c.name(key)), kept)]),
                        otherwise=[c.assign(c.index(fields.node, whole), missing)],
                    ),
                ],
            ),
        ],
        fields.node,
        fields.type,
    )
