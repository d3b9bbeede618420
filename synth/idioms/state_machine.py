"""A machine that goes over characters in one of two modes."""

from synth import cst as c
from synth.context import Context, Var
from synth.grow import measure, wording
from synth.idioms.base import Written, idiom, item_of
from synth.types import INT, STR, list_of


@idiom("state machine", "str", ("for", "if-elif"))
def state_machine(over: Var, ctx: Context) -> Written:
    """Gather a token while inside, close it where a mark comes."""
    numbers = ctx.chance(0.3)
    tokens = ctx.bind(list_of(INT if numbers else STR), "tokens", "pieces", "parts")
    token = Var(ctx.fresh("token", "cur", "buf"), STR)
    ch = item_of(over, ctx, "ch", "c", "char")
    whole = measure(token, ctx) if numbers else token.node
    if not numbers and ctx.chance(0.5):
        whole = wording(token, ctx)
    kept = ch.node if ctx.chance(0.2) else c.literal("")
    close = [
        c.do(c.method(tokens.node, "append", whole)),
        c.assign(token.name, kept),
    ]
    closes: c.Expression = token.node
    if ctx.chance(0.3):
        closes = c.comparison(c.call("len", token.node), ">", c.literal(1))
    inside: c.Expression = c.method(ch.node, ctx.pick(("isalpha", "isalnum", "islower")))
    if ctx.chance(0.3):
        inside = c.comparison(ch.node, "not in", c.literal(ctx.pick(("aeiou", " ,;-", "est"))))
    added: c.Expression = ch.node
    if ctx.chance(0.3):
        added = c.method(ch.node, "upper")
    elif ctx.chance(0.3):
        inside = c.method(ch.node, "isdigit")
    gather = [c.augment(token.name, "+", added)]
    return Written(
        [
            c.assign([tokens.name, token.name], c.tuple_(c.list_(), c.literal(""))),
            c.for_(ch.name, ctx.read(over), [c.if_((inside, gather), (closes, close))]),
        ],
        c.tuple_(tokens.node, token.node),
        INT,
    )
