"""Runs of equal neighbours, with their lengths."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import condition, measure
from synth.idioms.base import Written, idiom, item_of
from synth.types import INT, STR, Type, list_of, tuple_of


@idiom("run length", "str|list[int]|list[str]", ("for", "if"))
def run_length(over: Var, ctx: Context) -> Written:
    """Count neighbours that are equal, or alike, in pairs that grow."""
    item = item_of(over, ctx)
    key = condition(item, ctx) if ctx.chance(0.5) else measure(item, ctx)
    alike = ctx.chance(0.6) and not key.deep_equals(item.node)
    kind = INT if alike else over.type.item
    runs = ctx.bind(list_of(tuple_of(kind, INT)), "runs", "blocks", "spans")
    slot = ctx.fresh("kind", "mark", "sort") if alike else item.name
    last = c.index(runs.node, c.literal(-1))
    same = c.boolean(
        runs.node, "and", c.comparison(c.index(last, c.literal(0)), "==", c.name(slot))
    )
    by = measure(item, ctx) if ctx.chance(0.25) else c.literal(1)
    grown = c.tuple_(c.name(slot), c.binary(c.index(last, c.literal(1)), "+", by))
    begun = [c.do(c.method(runs.node, "append", c.tuple_(c.name(slot), by)))]
    if ctx.chance(0.5):
        body = c.if_((same, [c.assign(last, grown)]), otherwise=begun)
    else:
        body = c.if_((c.negated(same), begun), otherwise=[c.assign(last, grown)])
    statements = [
        c.assign(runs.name, c.list_()),
        c.for_(item.name, ctx.read(over), [*([c.assign(slot, key)] if alike else []), body]),
    ]
    return _finished(runs, statements, over.type == STR and not alike, ctx)


def _finished(runs: Var, statements: list[c.Statement], texts: bool, ctx: Context) -> Written:
    """Return the runs, or what they come to."""
    one, n = ctx.fresh("part", "one", "sign"), ctx.fresh("n", "size", "times")
    if texts and ctx.chance(0.6):
        shown = ctx.pick(
            (
                c.formatted(c.name(one), c.name(n)),
                c.formatted(c.name(n), c.name(one)),
                c.binary(c.name(one), "*", c.binary(c.name(n), "%", c.literal(3))),
            )
        )
        parts = c.items("generator", shown, [one, n], runs.node)
        return Written(statements, c.method(c.literal(""), "join", parts), Type("str"))
    if ctx.chance(0.4):
        long = c.comparison(c.name(n), ctx.pick((">", "==")), c.literal(1))
        parts = c.items("list", c.name(one), [one, n], runs.node, long)
        return Written(statements, c.tuple_(c.call("len", runs.node), parts), INT)
    return Written(statements, runs.node, runs.type)
