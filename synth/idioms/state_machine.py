"""A machine that goes over characters in one of two modes."""

from synth import cst as c
from synth.context import Context, Var
from synth.idioms.base import Written, idiom
from synth.types import INT, STR, list_of


@idiom("state machine", "str", ("for", "if-elif"))
def state_machine(over: Var, ctx: Context) -> Written:
    """Gather a token while inside, close it where a mark comes."""
    tokens, token = ctx.bind(list_of(STR), "tokens", "pieces"), ctx.fresh("token", "cur", "buf")
    ch = ctx.fresh("ch", "c", "char")
    inside = c.method(c.name(ch), ctx.pick(("isalpha", "isalnum", "isdigit")))
    close = [
        c.do(c.method(tokens.node, "append", c.name(token))),
        c.assign(token, c.literal("")),
    ]
    return Written(
        [
            c.assign([tokens.name, token], c.tuple_(c.list_(), c.literal(""))),
            c.for_(
                ch,
                ctx.read(over),
                [c.if_((inside, [c.augment(token, "+", c.name(ch))]), (c.name(token), close))],
            ),
        ],
        c.tuple_(tokens.node, c.name(token)),
        INT,
    )
