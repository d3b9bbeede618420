"""Runs of equal neighbours, with their lengths."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, Type, list_of, tuple_of


@idiom("run length", "str|list[int]|list[str]", ("for", "if"))
def run_length(over: Var, ctx: Context) -> Written:
    """Count neighbours that are equal, in pairs that grow."""
    runs = ctx.bind(list_of(tuple_of(over.type.item, INT)), "runs", "blocks", "spans")
    item = ctx.fresh("ch" if over.type.name == "str" else "x", "cur", "item")
    last = c.index(runs.node, c.literal(-1))
    same = c.boolean(
        runs.node, "and", c.comparison(c.index(last, c.literal(0)), "==", c.name(item))
    )
    grown = c.tuple_(c.name(item), c.binary(c.index(last, c.literal(1)), "+", c.literal(1)))
    body = c.if_(
        (same, [c.assign(last, grown)]),
        otherwise=[c.do(c.method(runs.node, "append", c.tuple_(c.name(item), c.literal(1))))],
    )
    statements = [
        c.assign(runs.name, c.list_()),
        c.for_(item, ctx.read(over), [body]),
    ]
    if over.type == Type("str") and ctx.chance(0.6):
        parts = c.items("generator", c.formatted(c.name("ch"), c.name("n")), ["ch", "n"], runs.node)
        return Written(statements, c.method(c.literal(""), "join", parts), Type("str"))
    return Written(statements, runs.node, runs.type)
