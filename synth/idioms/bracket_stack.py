"""A stack of brackets that are open."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, STR, list_of


@idiom("bracket stack", "str", ("for", "if-elif"))
def bracket_stack(over: Var, ctx: Context) -> Written:
    """Push what opens, pop what closes, note how deep it went."""
    stack, deepest = ctx.bind(list_of(STR), "stack", "opened"), ctx.bind(INT, "deepest", "depth")
    ch = ctx.fresh("ch", "c", "char")
    opening, closing = ctx.pick((("([{", ")]}"), ("(<", ")>"), ("aeiou", "nrst")))
    return Written(
        [
            c.assign(stack.name, c.list_()),
            c.assign(deepest.name, c.literal(0)),
            c.for_(
                ch,
                ctx.read(over),
                [
                    c.if_(
                        (
                            c.comparison(c.name(ch), "in", c.literal(opening)),
                            [
                                c.do(c.method(stack.node, "append", c.name(ch))),
                                c.assign(
                                    deepest.name,
                                    c.call("max", deepest.node, c.call("len", stack.node)),
                                ),
                            ],
                        ),
                        (
                            c.boolean(
                                c.comparison(c.name(ch), "in", c.literal(closing)),
                                "and",
                                stack.node,
                            ),
                            [c.do(c.method(stack.node, "pop"))],
                        ),
                    )
                ],
            ),
        ],
        c.tuple_(deepest.node, c.call("len", stack.node)),
        INT,
    )
