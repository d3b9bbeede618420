"""Brief bodies: one to nine lines, one value back, as CRUXEval's programs are."""

from __future__ import annotations

from dataclasses import replace

from synth import cst as c
from synth.bodies.nested import accumulators, opened
from synth.bodies.subject import domain_of, names_of, planted, second_parameter
from synth.catalogue import CATALOGUE
from synth.context import Context, Var
from synth.grow import condition, measure, wording
from synth.names import item_names
from synth.nest import nest
from synth.plan import Plan
from synth.plant import plant, statement
from synth.types import INT, STR, Type, list_of

__all__ = ["brief_body"]

_FORMS = ("chain", "steps", "steps", "branch", "loop", "loop", "loop", "loop")


def brief_body(plan: Plan, kind: Type, ctx: Context) -> tuple[Plan, list[c.Statement]]:
    """Write a brief body.

    Args:
        plan: The plan; its control structures are chosen anew.
        kind: The receiver's type.
        ctx: The program.

    Returns:
        The plan as it was carried out, and the body.
    """
    form = "steps" if plan.entry.mutates else ctx.pick(_FORMS)
    subject = ctx.parameter(kind, domain_of(kind, plan), *names_of(kind, ctx))
    if ctx.chance(0.55):
        second_parameter(ctx)
    write = {"chain": _chain, "steps": _steps, "branch": _branch, "loop": _loop}[form]
    ctx.idioms.append(f"brief {form}")
    control, body = write(plan, subject, ctx)
    return replace(plan, control=control), body


def _polished(value: c.Expression, kind: Type, ctx: Context) -> c.Expression:
    """Take one more step from a value, or leave it as it is."""
    made = Var("_", kind)
    if ctx.chance(0.2) or kind.name in ("bool", "NoneType", "range"):
        return value
    others = _ENTRIES.get(kind.name, ())
    if others and ctx.chance(0.5):
        return plant(ctx.pick(others), value, kind, 1, ctx)[0]
    if kind.name in ("list", "str") and ctx.chance(0.4):
        return _part(value, ctx)
    node = wording(made, ctx) if kind == STR else measure(made, ctx)
    return c.substituted(node, "_", value)


_ENTRIES = {
    kind: tuple(
        e
        for e in CATALOGUE
        if e.type == kind and not e.mutates and "raises" not in "".join(e.traits)
    )
    for kind in ("str", "dict", "set", "int")
}
"""What may be called on a value besides the method under test."""


def _part(value: c.Expression, ctx: Context) -> c.Expression:
    """Take a slice of a sequence."""
    low, high = ctx.pick(((1, None), (None, -1), (None, 3), (2, None), (1, -1), (None, None)))
    step = c.literal(ctx.pick((-1, 2))) if (low, high) == (None, None) else None
    first = None if low is None else ctx.number(low, low)
    return c.slice_(value, first, None if high is None else c.literal(high), step)


def _chain(plan: Plan, subject: Var, ctx: Context) -> tuple[tuple[str, ...], list[c.Statement]]:
    value, kind = planted(plan, subject, ctx)
    if ctx.waiting and kind in (INT, STR):
        other = next(v for v in ctx.scope if v.name in ctx.waiting)
        if other.type == kind:
            return (), [c.return_(c.binary(value, "+", ctx.read(other)))]
    return (), [c.return_(_polished(value, kind, ctx))]


def _steps(plan: Plan, subject: Var, ctx: Context) -> tuple[tuple[str, ...], list[c.Statement]]:
    if plan.entry.mutates:
        body = [statement(plan.entry, subject, ctx)]
        if ctx.chance(0.4):
            return (), [*body, c.return_(measure(subject, ctx))]
        return (), [*body, c.return_(ctx.read(subject))]
    value, kind = planted(plan, subject, ctx)
    made = ctx.bind(kind, *item_names(kind))
    body = [c.assign(made.name, value)]
    if kind.name == "list" and ctx.chance(0.5):
        word = ctx.pick(("reverse", "sort")) if kind.item in (INT, STR) else "reverse"
        body.append(c.do(c.method(made.node, word)))
        return (), [*body, c.return_(made.node)]
    return (), [*body, c.return_(_polished(made.node, kind, ctx))]


def _branch(plan: Plan, subject: Var, ctx: Context) -> tuple[tuple[str, ...], list[c.Statement]]:
    test = condition(subject, ctx)
    value, kind = planted(plan, subject, ctx)
    other = ctx.read(subject) if kind == subject.type else c.literal(_nothing(kind))
    if ctx.chance(0.5):
        return ("if",), [c.if_((test, [c.return_(value)])), c.return_(other)]
    made = ctx.bind(kind, *item_names(kind))
    body = [c.if_((test, [c.assign(made.name, value)]), otherwise=[c.assign(made.name, other)])]
    return ("if",), [*body, c.return_(made.node)]


def _nothing(kind: Type) -> object:
    empty: dict[str, object] = {"int": -1, "str": "", "bool": False, "float": 0.0, "bytes": b""}
    made = {"list": list, "tuple": tuple, "dict": dict, "set": set, "frozenset": frozenset}
    return made[kind.name]() if kind.name in made else empty.get(kind.name)


def _loop(plan: Plan, subject: Var, ctx: Context) -> tuple[tuple[str, ...], list[c.Statement]]:
    """Fill one accumulator over what the method gave, or over the subject's items."""
    control = ctx.pick((("for",), ("for",), ("for", "if"), ("while",), ("for", "if-elif")))
    value, kind = planted(plan, subject, ctx)
    body: list[c.Statement] = []
    if kind.name in ("list", "str", "tuple", "set", "frozenset") and len(set(kind.args)) < 2:
        over = ctx.bind(kind if kind.name != "tuple" else list_of(kind.args[0]), *item_names(kind))
        body.append(c.assign(over.name, value))
        extra: list[c.Expression] = []
    else:
        over, extra = subject, [value]
    fed = over.type.item if over.type.name in ("list", "str", "set", "frozenset") else INT
    state = accumulators(fed if fed in (STR, INT) else INT, ctx, 1)

    def leaf(at_hand: Var, x: Context) -> list[c.Statement]:
        return state[0].update(at_hand, x)

    loop = nest(control, over, leaf, state, ctx)
    results = [*extra, state[0].result]
    made = c.return_(results[0] if len(results) == 1 else c.tuple_(*results))
    return control, [*body, *opened(state), *loop, made]
