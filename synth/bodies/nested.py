"""Bodies whose control structures nest as the shape plans, filled by accumulators."""

from __future__ import annotations

from synth import cst as c
from synth.accumulators import Accumulator, open_accumulator, roles_for
from synth.bodies.subject import OF_CHARS, planted
from synth.context import Context, Var
from synth.grow import is_char, measure, wording
from synth.names import item_names
from synth.nest import nest
from synth.plan import Plan
from synth.plant import statement
from synth.types import INT, STR, Type

__all__ = ["EACH_ITEM", "GO_OVER", "accumulators", "direct_body", "item_body", "opened"]

EACH_ITEM = "for each item"
"""Name of the body that applies the method inside the loops."""
GO_OVER = "transform, then go over"
"""Name of the body that applies it before them."""


def accumulators(fed: Type, ctx: Context, count: int) -> list[Accumulator]:
    """Open accumulators of different roles for what they will be fed."""
    roles = list(roles_for(fed))
    chosen: list[str] = []
    while len(chosen) < count:
        role = ctx.pick(roles)
        if role not in chosen:
            chosen.append(role)
    return [open_accumulator(role, fed, ctx) for role in chosen]


def opened(state: list[Accumulator]) -> list[c.Statement]:
    """Write their initial values."""
    return [c.assign(s.var.name, s.initial) for s in state]


def _result(state: list[Accumulator], extra: list[c.Expression], ctx: Context) -> c.Statement:
    values = [*extra, *(s.result for s in state)]
    return c.return_(values[0] if len(values) == 1 else c.tuple_(*values))


def item_body(plan: Plan, subject: Var, ctx: Context) -> list[c.Statement]:
    """Apply the method to each item, inside the loops."""
    ctx.idioms.append(EACH_ITEM)
    fed = plan.entry.result_type(subject.type.item) or subject.type.item
    state = accumulators(fed if fed in (STR, INT) else INT, ctx, ctx.pick((1, 1, 2)))
    used: set[str] = set()

    def leaf(at_hand: Var, x: Context) -> list[c.Statement]:
        receivers = [v for v in x.of_type(subject.type.item) if v.role == "item"]
        if plan.entry.method not in OF_CHARS:
            receivers = [v for v in receivers if not is_char(v)] or receivers
        receiver = receivers[0] if receivers else at_hand
        if receiver.type != subject.type.item:
            return [s for one in state for s in one.update(at_hand, x)]
        value, result = planted(plan, receiver, x)
        made = x.bind(result, *item_names(result))
        statements = [c.assign(made.name, value)]
        for one in state:
            used.add(one.role)
            statements += one.update(made, x)
        x.forget([made])
        return statements

    body = nest(plan.control, subject, leaf, state, ctx)
    return [*opened(state), *body, _result(state, [], ctx)]


def direct_body(plan: Plan, subject: Var, ctx: Context) -> list[c.Statement]:
    """Apply the method to the subject, then go over what came of it."""
    ctx.idioms.append(GO_OVER)
    kind = subject.type
    statements: list[c.Statement] = []
    extra: list[c.Expression] = []
    if plan.entry.mutates:
        made = ctx.bind(kind, *item_names(kind))
        statements.append(c.assign(made.name, c.method(ctx.read(subject), "copy")))
        statements.append(statement(plan.entry, made, ctx))
    else:
        value, result = planted(plan, subject, ctx)
        made = ctx.bind(result, *item_names(result))
        statements.append(c.assign(made.name, value))
    mixed = made.type.name == "tuple" and len(set(made.type.args)) > 1
    if mixed or made.type.name in ("bool", "NoneType") or ctx.chance(0.3):
        extra.append(made.node)
        over = subject
    else:
        over = made
    if not plan.control:
        return [*statements, _result([], [*extra, _rest(over, ctx)], ctx)]
    fed = over.type.item if over.type.name in ("list", "str", "set", "frozenset") else INT
    state = accumulators(fed if fed in (STR, INT) else INT, ctx, ctx.pick((1, 1, 2)))

    def leaf(at_hand: Var, x: Context) -> list[c.Statement]:
        return [s for one in state for s in one.update(at_hand, x)]

    body = nest(plan.control, over, leaf, state, ctx)
    return [*statements, *opened(state), *body, _result(state, extra, ctx)]


def _rest(over: Var, ctx: Context) -> c.Expression:
    return wording(over, ctx) if over.type == STR else measure(over, ctx)
