"""What a program is about: its parameters, and the call of the method under test."""

from __future__ import annotations

from synth import cst as c
from synth.context import Context, Var
from synth.names import item_names, subject_names
from synth.plan import Plan
from synth.plant import plant, statement
from synth.program import Domain
from synth.types import INT, STR, Type

__all__ = ["OF_CHARS", "domain_of", "names_of", "planted", "prepared", "second_parameter"]

OF_CHARS = frozenset(
    "isalnum isalpha isdecimal isdigit islower isnumeric isspace isupper swapcase upper lower "
    "isprintable isascii".split()
)
"""Methods of str that people call on the characters of a text."""
_SEPARATED = frozenset("split rsplit partition rpartition".split())


_HELPERS = {
    "str": ("clean", "normalize", "adjust", "rewrite", "label"),
    "bytes": ("encode", "pad", "adjust"),
    "int": ("score", "weigh", "rank", "locate", "measure_one"),
    "bool": ("accepts", "matches", "is_valid", "qualifies"),
    "list": ("pieces", "spread", "expand", "parts_of"),
    "tuple": ("cut", "split_once", "divide"),
}
"""Names of helpers by what they return."""


def names_of(kind: Type, ctx: Context) -> list[str]:
    """Give names for a parameter of a type, in a drawn order."""
    names = [pair[0] for pair in subject_names(kind)]
    ctx.rng.shuffle(names)
    return names


def domain_of(kind: Type, plan: Plan) -> Domain:
    """Choose which values of a type the method under test is shown on."""
    if kind == INT:
        return Domain(low=2, high=60)
    least = 1 if plan.control or "nonempty" in plan.entry.traits else 0
    if plan.entry.method in _SEPARATED:
        return Domain(low=0, high=12, min_size=least, style="csv")
    small = kind.name in ("set", "frozenset") or (kind.args and kind.args[0].name == "set")
    return Domain(low=0, high=9 if small else 20, min_size=least)


def second_parameter(ctx: Context) -> None:
    """Add a bound or a mark, which conditions and steps will read."""
    if ctx.chance(0.75):
        ctx.parameter(INT, Domain(low=1, high=6), ctx.pick(("limit", "k", "bound", "size", "step")))
    else:
        ctx.parameter(
            STR, Domain(min_size=1, max_size=1, style="char"), ctx.pick(("mark", "key", "letter"))
        )


def planted(plan: Plan, receiver: Var, ctx: Context) -> tuple[c.Expression, Type]:
    """Plant the method under test on a variable, in a helper where the plan says so."""
    if not plan.helper:
        return plant(plan.entry, ctx.read(receiver), receiver.type, plan.depth, ctx)
    inner = Context(ctx.rng, taken=set(ctx.taken), imports=ctx.imports)
    argument = inner.bind(receiver.type, *item_names(receiver.type))
    value, result = plant(plan.entry, argument.node, receiver.type, plan.depth, inner)
    names = list(_HELPERS.get(result.name, ("convert", "derive", "prepare")))
    ctx.rng.shuffle(names)
    title = ctx.fresh(*names)
    ctx.helpers.append(c.def_(title, [argument.name], [c.return_(value)]))
    return c.call(title, ctx.read(receiver)), result


def prepared(
    plan: Plan, subject: Var, made_type: Type, each: bool, ctx: Context
) -> tuple[list[c.Statement], Var]:
    """Write what applies the method to the subject, or to each of its items."""
    if plan.entry.mutates:
        made = ctx.bind(subject.type, *item_names(subject.type))
        copied = c.assign(made.name, c.method(ctx.read(subject), "copy"))
        return [copied, statement(plan.entry, made, ctx)], made
    if not each:
        value, _ = planted(plan, subject, ctx)
    else:
        names = [pair[1] for pair in subject_names(subject.type) if pair[0] == subject.name]
        item = ctx.bind(subject.type.item, *names, role="item")
        inner, _ = planted(plan, item, ctx)
        ctx.forget([item])
        value = c.items("list", inner, item.name, ctx.read(subject))
    made = ctx.bind(made_type, *item_names(made_type))
    return [c.assign(made.name, value)], made
