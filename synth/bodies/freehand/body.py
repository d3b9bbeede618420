"""Writes a freehand body along a skeleton: the sequence of its outermost statements.

The skeletons and their weights are those of short functions that language models wrote
to be asked about (counted on CRUXEval's 800, arXiv 2401.03065).
"""

from __future__ import annotations

from synth import cst as c
from synth.accumulators import Accumulator, open_accumulator
from synth.bodies.freehand.blocks import branch, loop, value_of, while_loop
from synth.bodies.freehand.sheet import Sheet, key_of
from synth.bodies.subject import domain_of, names_of, planted
from synth.context import Context, Var
from synth.grow import is_char
from synth.plan import Plan
from synth.plant import statement
from synth.program import Domain
from synth.types import BOOL, INT, STR, Type, dict_of, list_of

__all__ = ["FREEHAND", "freehand_body", "said_of"]

FREEHAND = "freehand"
"""What such a body is called in a row's provenance."""

Lines = list[c.Statement]

_SKELETONS: tuple[tuple[int, str], ...] = (
    (159, "fill for return"),
    (98, "return"),
    (61, "make return"),
    (53, "for return"),
    (50, "make fill for return"),
    (49, "if return"),
    (30, "make if return"),
    (26, "choose"),
    (26, "fill while return"),
    (21, "make while return"),
    (12, "make fill while return"),
    (20, "do return"),
    (20, "make do return"),
    (12, "while return"),
    (14, "make make return"),
    (9, "if if return"),
    (7, "make make fill for return"),
    (8, "make do do return"),
    (6, "make make if return"),
    (6, "fill for do return"),
    (6, "make choose"),
    (5, "make make make return"),
    (5, "make for return"),
    (5, "if make return"),
    (4, "if make make return"),
    (4, "if fill for return"),
    (3, "if do return"),
    (3, "fill for if return"),
)
_LONG: tuple[tuple[int, str], ...] = (
    (6, "make fill for return"),
    (4, "if make fill for return"),
    (4, "fill for if return"),
    (4, "fill for do return"),
    (4, "fill for fill for return"),
    (3, "make fill for make return"),
    (3, "make do fill for return"),
    (3, "if fill while return"),
    (3, "make fill while do return"),
    (2, "make make if do return"),
    (2, "for fill for return"),
    (2, "make if fill for return"),
)
"""For the harder tiers: loops that feed each other."""
_RESULTS = (INT, INT, STR, STR, STR, BOOL, list_of(INT), list_of(STR), dict_of(STR, INT))
_SECOND: tuple[tuple[int, Type, Domain, tuple[str, ...]], ...] = (
    (9, INT, Domain(low=1, high=6), ("n", "k", "limit", "size", "count", "num")),
    (
        8,
        STR,
        Domain(min_size=1, max_size=1, style="char"),
        ("char", "sep", "letter", "mark", "old", "sub"),
    ),
    (3, STR, Domain(min_size=1, style="word"), ("prefix", "suffix", "other", "word", "target")),
    (3, list_of(INT), Domain(low=0, high=12, min_size=1), ("other", "extra", "nums")),
    (3, list_of(STR), Domain(min_size=1, style="word"), ("others", "words", "items")),
    (2, dict_of(STR, INT), Domain(low=0, high=12, min_size=1), ("mapping", "lookup", "d")),
    (2, INT, Domain(low=-5, high=20), ("start", "value", "x")),
)
"""Further parameters: weight, type, values and names."""


def freehand_body(plan: Plan, kind: Type, ctx: Context) -> Lines | None:
    """Write a body.

    Args:
        plan: The plan; its control structures are whatever comes.
        kind: The receiver's type.
        ctx: The program.

    Returns:
        The body, or None where a value stayed unread.
    """
    sheet = Sheet(ctx)
    subject = ctx.parameter(kind, domain_of(kind, plan), *names_of(kind, ctx))
    for _ in range(ctx.pick((0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2))):
        _further_parameter(ctx)
    table = _SKELETONS if plan.brief else _LONG
    skeleton = ctx.rng.choices([s for _, s in table], [w for w, _ in table])[0].split()
    ctx.idioms.append(FREEHAND)
    lines = _written(plan, subject, skeleton, sheet)
    return None if sheet.unread or ctx.waiting else lines


def said_of(variable: Var, ctx: Context) -> c.Expression:
    """Write an expression that depends on a variable, or the variable where nothing does.

    Args:
        variable: The variable.
        ctx: The program; what else is in scope may be read, too.

    Returns:
        The expression.
    """
    return _around(Sheet(ctx), variable, ctx.pick(_RESULTS))


def _further_parameter(ctx: Context) -> None:
    _, kind, domain, names = ctx.rng.choices(_SECOND, [row[0] for row in _SECOND])[0]
    ctx.parameter(kind, domain, *ctx.rng.sample(names, len(names)))


def _written(plan: Plan, subject: Var, skeleton: list[str], sheet: Sheet) -> Lines:
    """Write the statements of a skeleton; the method under test comes where there is room."""
    ctx = sheet.ctx
    result = ctx.pick(_RESULTS)
    lines: Lines = []
    over: tuple[Var | None, c.Expression, Type] | None = None
    state: Accumulator | None = None
    method: tuple[c.Expression, Type] | None = None
    if plan.entry.mutates:
        line = statement(plan.entry, subject, ctx)
        if plan.entry.method == "clear" or ctx.chance(0.15):
            # What is always emptied shows nothing of what was in it.
            line = c.if_((sheet.some("bool", 1, subject), [line]))
        lines.append(line)
        if "do" in skeleton:
            skeleton.remove("do")
        _unread(sheet, subject)
    else:
        method = planted(plan, subject, ctx)
    for place, word in enumerate(skeleton):
        if word == "make":
            lines += _make(sheet, subject, method)
            method = None
        elif word == "fill":
            fed, over, method, opening = _iterable(sheet, method, "make" in skeleton[place:])
            lines += opening
            state = open_accumulator(_role(fed, ctx), fed, ctx)
            lines.append(c.assign(state.var.name, state.initial))
        elif word in ("for", "while"):
            if over is None:
                _, over, method, opening = _iterable(sheet, method, False)
                lines += opening
            lines += _loop(word, sheet, over, state, result)
            if state is not None:
                sheet.owe(state.var)
            over = state = None
        elif word == "do":
            lines += _do(sheet)
        elif word == "if":
            lines += branch(sheet, result)
        elif word == "choose":
            if method is not None:
                lines += _make(sheet, subject, method)
            lines += branch(sheet, result, last=True)
            return lines
        else:
            lines.append(c.return_(_returned(sheet, method, result)))
    return lines


def _unread(sheet: Sheet, variable: Var) -> None:
    if variable.name in sheet.ctx.waiting:
        sheet.ctx.waiting.remove(variable.name)
    sheet.owe(variable)


def _make(sheet: Sheet, subject: Var, method: tuple[c.Expression, Type] | None) -> Lines:
    """Name a new value, or give a name a new one: that of the method first."""
    ctx = sheet.ctx
    if method is not None:
        value, kind = method
    else:
        about = sheet.choose(ctx.scope)
        kind = about.type if ctx.chance(0.5) and key_of(about.type) in _MADE else INT
        if kind == INT:
            kind = ctx.pick([k for k in _MAKES if sheet.can(key_of(k))] or [INT])
        value = value_of(sheet, kind, about)
    same = [v for v in ctx.scope if v.type == kind and v.role != "item"]
    if same and ctx.chance(0.45):
        variable = subject if subject in same else ctx.pick(same)
        if variable.name not in ctx.waiting:
            _unread(sheet, variable)
            return [c.assign(variable.name, value)]
    made = sheet.bind(kind)
    return [c.assign(made.name, value)]


_MAKES = (INT, INT, STR, STR, list_of(STR), list_of(INT), list_of(STR), dict_of(STR, INT))
_MADE = frozenset(map(key_of, _MAKES))


def _iterable(
    sheet: Sheet, method: tuple[c.Expression, Type] | None, later: bool
) -> tuple[
    Type,
    tuple[Var | None, c.Expression, Type],
    tuple[c.Expression, Type] | None,
    Lines,
]:
    """Choose what the next loop goes over, and say of what type its items are."""
    ctx = sheet.ctx
    opening: Lines = []
    if method is not None and not later:
        value, kind = method
        if _loops(kind) and ctx.chance(0.5):
            return _fed(kind), (None, value, kind), None, []
        made = sheet.bind(kind)
        opening = [c.assign(made.name, value)]
        method = None
    among = [v for v in ctx.scope if _loops(v.type) and v.role != "item" and not is_char(v)]
    if not among:
        ints = [v for v in ctx.scope if v.type == INT]
        node = sheet.read(sheet.choose(ints)) if ints else c.literal(ctx.pick((2, 3, 4)))
        return INT, (None, node, INT), method, opening
    over = sheet.choose(among)
    return _fed(over.type), (over, sheet.read(over), over.type), method, opening


def _loops(kind: Type) -> bool:
    if kind.name == "tuple":
        return len(set(kind.args)) == 1
    return kind.name in ("str", "bytes", "list", "dict", "set", "frozenset", "range")


def _fed(kind: Type) -> Type:
    if kind == INT:
        return INT
    item = kind.args[0] if kind.name in ("dict", "tuple") else kind.item
    return item if item in (STR, INT) else INT


def _role(fed: Type, ctx: Context) -> str:
    roles = ["collect", "collect", "collect", "collect", "total", "count", "count", "tally"]
    if fed == STR:
        roles += ["buffer", "buffer", "buffer"]
    return ctx.pick((*roles, "unique", "best", "group"))


def _loop(
    word: str,
    sheet: Sheet,
    over: tuple[Var | None, c.Expression, Type],
    state: Accumulator | None,
    result: Type,
) -> Lines:
    variable, value, kind = over
    if word == "for":
        return loop(sheet, variable, value, kind, state, result)
    opening: Lines = []
    if variable is None:
        variable = sheet.bind(kind)
        opening = [c.assign(variable.name, value)]
    return [*opening, *while_loop(sheet, variable, state, result)]


def _do(sheet: Sheet) -> Lines:
    changeable = sheet.changeable()
    if not changeable:
        return []
    return [sheet.change(sheet.choose(changeable))]


def _returned(sheet: Sheet, method: tuple[c.Expression, Type] | None, result: Type) -> c.Expression:
    """Give back what nothing has read yet, in one expression."""
    ctx = sheet.ctx
    if method is not None:
        value, kind = method
        made = Var("_method", kind)
        ctx.scope.append(made)
        wrapped = made.node if ctx.chance(0.35) else _around(sheet, made, result)
        ctx.forget([made])
        first = c.substituted(wrapped, "_method", value)
    else:
        first = None
    waiting = [v for v in ctx.scope if v.name in sheet.unread or v.name in ctx.waiting]
    if not waiting:
        return first or value_of(sheet, result)
    if first is None:
        newest = waiting[-1]
        waiting = waiting[:-1]
        sheet.read(newest)
        plain = newest.type.name in ("list", "dict", "str", "int", "bool", "set")
        first = newest.node if plain and ctx.chance(0.6) else _around(sheet, newest, result)
    left = [v for v in waiting if v.name in sheet.unread or v.name in ctx.waiting]
    if len(left) == 1 and isinstance(first, c.Name):
        held = next((v for v in ctx.scope if v.name == first.value), None)
        joined = _joined(held, left[0], ctx) if held else None
        if joined is not None:
            sheet.read(left[0])
            return joined
    if left and ctx.chance(0.12):
        return c.tuple_(first, *(sheet.read(v) for v in left))
    return first


def _joined(one: Var, other: Var, ctx: Context) -> c.Expression | None:
    """Make one value of two, or give None where nothing natural does."""
    text, number = one.node, other.node
    if one.type == other.type:
        if one.type in (INT, STR) or one.type.name == "list":
            return c.binary(one.node, ctx.pick("++-") if one.type == INT else "+", other.node)
        return None
    if one.type == INT:
        text, number, one, other = number, text, other, one
    if other.type == INT and one.type == STR:
        forms: tuple[c.Expression, ...] = (
            c.binary(text, "+", c.call("str", number)),
            c.slice_(text, number),
            c.slice_(text, None, number),
            c.binary(text, "*", number),
            c.formatted(text, ":", number),
            c.method(text, "zfill", number),
        )
        return ctx.pick(forms)
    if other.type == INT and one.type.name == "list":
        forms = (
            c.slice_(text, number),
            c.slice_(text, None, number),
            c.binary(text, "*", number),
            c.index(text, c.binary(number, "%", c.call("len", text))),
        )
        return ctx.pick(forms)
    if one.type == list_of(STR) and other.type == STR:
        return ctx.pick((c.method(number, "join", text), c.binary(text, "+", c.list_(number))))
    if one.type == STR and other.type == list_of(STR):
        return c.method(text, "join", number)
    return None


def _around(sheet: Sheet, variable: Var, result: Type) -> c.Expression:
    """Give an expression of a variable that reads what else waits, where it can."""
    for kind in (result, variable.type, INT):
        if (kind == BOOL or key_of(kind) in _MADE) and sheet.can(key_of(kind), variable):
            return value_of(sheet, kind, variable)
    return variable.node
