"""A search that ends at the first hit, or at the loop's else."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition
from synth.idioms.base import Written, idiom
from synth.names import item_names
from synth.types import INT


@idiom("first match", "list[int]|list[str]|str", ("for", "if"))
def first_match(over: Var, ctx: Context) -> Written:
    """Find the place of the first item that fits; -1 where none does."""
    where = ctx.bind(INT, "where", "found", "place", "first")
    i = ctx.fresh("i", "idx", "pos")
    name = "ch" if over.type.name == "str" else item_names(over.type.item)[0]
    item = ctx.bind(over.type.item, name, role="item", high=14)
    test = condition(item, ctx)
    ctx.forget([item])
    hit = [c.assign(where.name, c.name(i)), c.jump("break")]
    loop = c.for_(
        [i, item.name],
        c.call("enumerate", ctx.read(over)),
        [c.if_((test, hit))],
        otherwise=[c.assign(where.name, c.literal(-1))],
    )
    return Written([loop], where.node, INT)
