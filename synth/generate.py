"""Generates programs: number i of a seed is the same program wherever it is made.

A cell (type, method) and a plan are drawn for each number, the program is built, rendered
once, parsed back and proved to meet its shape; what does not is dropped.
"""

from __future__ import annotations

import ast
import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from synth import cst as c
from synth.accumulators import Accumulator, open_accumulator, roles_for
from synth.catalogue import CATALOGUE, Entry
from synth.context import Context, Var
from synth.grow import is_char, measure, wording
from synth.idioms import IDIOMS, Idiom
from synth.names import ENTRIES, item_names, subject_names
from synth.nest import nest
from synth.plant import plant, receiver_type, statement
from synth.program import Domain, Program
from synth.shapes import Shape, features_of
from synth.types import INT, STR, Type, list_of

__all__ = ["programs"]

_CONTROLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "easy": ((), ("if",), ("for",), ("for", "if"), ("while",)),
    "medium": (
        ("for",),
        ("for", "if"),
        ("for", "if-elif"),
        ("while", "if"),
        ("for", "for"),
        ("if", "for"),
    ),
    "hard": (
        ("for", "if"),
        ("for", "if-elif"),
        ("for", "for", "if"),
        ("for", "if", "for"),
        ("while", "if-elif"),
        ("for", "while", "if"),
        ("while", "for", "if"),
        ("for", "for", "if-elif"),
        ("if", "for", "if"),
        ("for", "while"),
        ("for", "for"),
    ),
}


_IDIOMS = {"easy": (0, 1, 1), "medium": (0, 1, 1), "hard": (0, 1, 2, 2)}
"""By level: how many idioms a program is made of; 0 stands for a nest of structures."""
_RARE = {"bytes": 0.7, "float": 0.3, "bool": 0.5, "range": 0.3, "frozenset": 0.5, "set": 0.2}
"""By type: the share of its turns that go to a common entry instead."""
_COMMON = tuple(e for e in CATALOGUE if e.type in ("str", "list", "dict", "builtins"))


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is decided before a program is written."""

    entry: Entry
    depth: int
    control: tuple[str, ...]
    helper: bool
    idioms: int


def programs(
    seed: int, start: int, *, tier: str = "hard", like: str | None = None
) -> Iterator[Program]:
    """Generate programs without end.

    Args:
        seed: Another seed gives other programs.
        start: Number of the first; program number i does not depend on it.
        tier: ``"easy"``, ``"medium"``, ``"hard"`` or ``"all"``.
        like: ``"cruxeval"`` to imitate its statistics, or None.

    Yields:
        Programs that were proved to meet their shapes.

    Example:
        >>> first = next(programs(0, 0))
        >>> first.shape.check(first.source)
        []
    """
    number = start
    while True:
        made = _program(seed, number, tier, like)
        number += 1
        if made is not None:
            yield made


def _rng(*parts: object) -> random.Random:
    text = "\0".join(map(str, parts))
    return random.Random(int(hashlib.sha256(text.encode()).hexdigest(), 16))


def _program(seed: int, number: int, tier: str, like: str | None) -> Program | None:
    rng = _rng(seed, number, tier, like)
    plan = _plan(seed, number, tier, like, rng)
    ctx = Context(rng)
    plan, body, title = _write(plan, ctx)
    if ctx.waiting:
        return None
    parameters = [p.name for p in ctx.parameters]
    source = c.module([*ctx.helpers, c.def_(title, parameters, body)])
    return _proved(source, title, plan, ctx)


def _proved(source: str, title: str, plan: _Plan, ctx: Context) -> Program | None:
    """Parse a program back and prove that it meets what was planned for it."""
    try:
        ast.parse(source)
    except SyntaxError:
        return None
    shape = Shape(
        type=plan.entry.type,
        method=plan.entry.method,
        nested_calls=plan.depth,
        control=plan.control,
        helpers=len(ctx.helpers),
    )
    if shape.check(source):
        return None
    shape = replace(shape, features=features_of(source))
    return Program(source, title, tuple(ctx.parameters), shape, tuple(ctx.idioms))


def _plan(seed: int, number: int, tier: str, like: str | None, rng: random.Random) -> _Plan:
    # A permutation of the catalogue for each round, so that every entry comes equally often.
    turn, place = divmod(number, len(CATALOGUE))
    order = list(CATALOGUE)
    _rng(seed, "round", turn).shuffle(order)
    entry = order[place]
    if rng.random() < _RARE.get(entry.type, 0.0):
        # What people seldom write comes less often, but in every few rounds.
        entry = rng.choice(_COMMON)
    level = "easy" if like else tier if tier != "all" else rng.choice(("easy", "medium", "hard"))
    depth = 1
    if entry.nests and not entry.mutates:
        depth = rng.choice((1, 2) if level == "easy" else (2, 2, 2, 3))
    return _Plan(
        entry=entry,
        depth=depth,
        control=rng.choice(_CONTROLS[level]),
        helper=level != "easy" and not entry.mutates and rng.random() < 0.3,
        idioms=rng.choice(_IDIOMS[level]),
    )


def _write(plan: _Plan, ctx: Context) -> tuple[_Plan, list[c.Statement], str]:
    """Write the entry's body; give the plan as it was carried out, the body, the entry's name."""
    kind = receiver_type(plan.entry, ctx)
    title = ctx.fresh(ctx.pick(ENTRIES))
    if plan.idioms:
        state = ctx.rng.getstate()
        written = _idiom_body(plan, kind, ctx)
        if written is not None:
            return (*written, title)
        ctx.rng.setstate(state)
    loops = plan.control[:1] in (("for",), ("while",)) and not plan.entry.mutates
    of_chars = loops and plan.entry.type == "str" and plan.entry.method in _OF_CHARS
    in_loop = of_chars or (
        loops and kind.name != "dict" and (kind.name not in ("list", "str") or ctx.chance(0.5))
    )
    subject_type = kind if of_chars or not in_loop else list_of(kind)
    subject = ctx.parameter(subject_type, _domain(subject_type, plan), *_names(subject_type, ctx))
    if ctx.chance(0.5):
        _second_parameter(ctx)
    write = _item_body if in_loop else _direct_body
    return plan, write(plan, subject, ctx), title


def _idiom_body(plan: _Plan, kind: Type, ctx: Context) -> tuple[_Plan, list[c.Statement]] | None:
    """Apply the method, then an idiom to what comes of it, then perhaps another one."""
    each = not plan.entry.mutates and kind.name in ("str", "int", "float") and ctx.chance(0.5)
    subject_type = list_of(kind) if each else kind
    result = kind if plan.entry.mutates else plan.entry.result_type(kind) or kind
    made_type = list_of(result) if each else result
    fitting = _idioms_for(made_type) or _idioms_for(subject_type)
    if not fitting:
        return None
    subject = ctx.parameter(subject_type, _domain(subject_type, plan), *_names(subject_type, ctx))
    if ctx.chance(0.35):
        _second_parameter(ctx)
    statements, made = _prepared(plan, subject, made_type, each, ctx)
    first = made if _idioms_for(made.type) else subject
    chosen = ctx.pick(fitting)
    written = [chosen.write(first, ctx)]
    used = [chosen]
    if plan.idioms > 1:
        at_hand = [v for v in ctx.scope if v.name != first.name and _idioms_for(v.type)] or [first]
        over = ctx.pick(at_hand)
        others = [i for i in _idioms_for(over.type) if i is not chosen]
        if others:
            used.append(ctx.pick(others))
            written.append(used[-1].write(over, ctx))
    for one in written:
        statements += one.statements
    results = [one.result for one in written]
    if first is subject:
        results.insert(0, made.node)
    ctx.idioms.extend(i.name for i in used)
    statements.append(c.return_(results[0] if len(results) == 1 else c.tuple_(*results)))
    control = max((i.control for i in used), key=len)
    return replace(plan, control=control), statements


def _prepared(
    plan: _Plan, subject: Var, made_type: Type, each: bool, ctx: Context
) -> tuple[list[c.Statement], Var]:
    """Write what applies the method to the subject, or to each of its items."""
    if plan.entry.mutates:
        made = ctx.bind(subject.type, *item_names(subject.type))
        copied = c.assign(made.name, c.method(ctx.read(subject), "copy"))
        return [copied, statement(plan.entry, made, ctx)], made
    if not each:
        value, _ = _planted(plan, subject, ctx)
    else:
        names = [pair[1] for pair in subject_names(subject.type) if pair[0] == subject.name]
        item = ctx.bind(subject.type.item, *names, role="item")
        inner, _ = _planted(plan, item, ctx)
        ctx.forget([item])
        value = c.items("list", inner, item.name, ctx.read(subject))
    made = ctx.bind(made_type, *item_names(made_type))
    return [c.assign(made.name, value)], made


def _idioms_for(kind: Type) -> list[Idiom]:
    return [i for i in IDIOMS.values() if str(kind) in i.takes]


_OF_CHARS = frozenset(
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


def _names(kind: Type, ctx: Context) -> list[str]:
    names = [pair[0] for pair in subject_names(kind)]
    ctx.rng.shuffle(names)
    return names


def _domain(kind: Type, plan: _Plan) -> Domain:
    if kind == INT:
        return Domain(low=2, high=60)
    least = 1 if plan.control or "nonempty" in plan.entry.traits else 0
    if plan.entry.method in _SEPARATED:
        return Domain(low=0, high=12, min_size=least, style="csv")
    small = kind.name in ("set", "frozenset") or (kind.args and kind.args[0].name == "set")
    return Domain(low=0, high=9 if small else 20, min_size=least)


def _second_parameter(ctx: Context) -> None:
    if ctx.chance(0.75):
        ctx.parameter(INT, Domain(low=1, high=6), ctx.pick(("limit", "k", "bound", "size", "step")))
    else:
        ctx.parameter(
            STR, Domain(min_size=1, max_size=1, style="char"), ctx.pick(("mark", "key", "letter"))
        )


def _planted(plan: _Plan, receiver: Var, ctx: Context) -> tuple[c.Expression, Type]:
    """Plant the method under test on a variable, in a helper where the plan says so."""
    if not plan.helper:
        return plant(plan.entry, ctx.read(receiver), receiver.type, plan.depth, ctx)
    inner = Context(ctx.rng, taken=set(ctx.taken))
    argument = inner.bind(receiver.type, *item_names(receiver.type))
    value, result = plant(plan.entry, argument.node, receiver.type, plan.depth, inner)
    names = list(_HELPERS.get(result.name, ("convert", "derive", "prepare")))
    ctx.rng.shuffle(names)
    title = ctx.fresh(*names)
    ctx.helpers.append(c.def_(title, [argument.name], [c.return_(value)]))
    return c.call(title, ctx.read(receiver)), result


def _accumulators(fed: Type, ctx: Context, count: int) -> list[Accumulator]:
    roles = list(roles_for(fed))
    chosen: list[str] = []
    while len(chosen) < count:
        role = ctx.pick(roles)
        if role not in chosen:
            chosen.append(role)
    return [open_accumulator(role, fed, ctx) for role in chosen]


def _opened(state: list[Accumulator]) -> list[c.Statement]:
    return [c.assign(s.var.name, s.initial) for s in state]


def _result(state: list[Accumulator], extra: list[c.Expression], ctx: Context) -> c.Statement:
    values = [*extra, *(s.result for s in state)]
    return c.return_(values[0] if len(values) == 1 else c.tuple_(*values))


def _item_body(plan: _Plan, subject: Var, ctx: Context) -> list[c.Statement]:
    """Apply the method to each item, inside the loops."""
    ctx.idioms.append("for each item")
    fed = plan.entry.result_type(subject.type.item) or subject.type.item
    state = _accumulators(fed if fed in (STR, INT) else INT, ctx, ctx.pick((1, 1, 2)))
    used: set[str] = set()

    def leaf(at_hand: Var, x: Context) -> list[c.Statement]:
        receivers = [v for v in x.of_type(subject.type.item) if v.role == "item"]
        if plan.entry.method not in _OF_CHARS:
            receivers = [v for v in receivers if not is_char(v)] or receivers
        receiver = receivers[0] if receivers else at_hand
        if receiver.type != subject.type.item:
            return [s for one in state for s in one.update(at_hand, x)]
        value, result = _planted(plan, receiver, x)
        made = x.bind(result, *item_names(result))
        statements = [c.assign(made.name, value)]
        for one in state:
            used.add(one.role)
            statements += one.update(made, x)
        x.forget([made])
        return statements

    body = nest(plan.control, subject, leaf, state, ctx)
    return [*_opened(state), *body, _result(state, [], ctx)]


def _direct_body(plan: _Plan, subject: Var, ctx: Context) -> list[c.Statement]:
    """Apply the method to the subject, then go over what came of it."""
    ctx.idioms.append("transform, then go over")
    kind = subject.type
    statements: list[c.Statement] = []
    extra: list[c.Expression] = []
    if plan.entry.mutates:
        made = ctx.bind(kind, *item_names(kind))
        statements.append(c.assign(made.name, c.method(ctx.read(subject), "copy")))
        statements.append(statement(plan.entry, made, ctx))
    else:
        value, result = _planted(plan, subject, ctx)
        made = ctx.bind(result, *item_names(result))
        statements.append(c.assign(made.name, value))
    if made.type.name in ("bool", "NoneType") or ctx.chance(0.3):
        extra.append(made.node)
        over = subject
    else:
        over = made
    if not plan.control:
        return [*statements, c.return_(c.tuple_(*extra, _rest(over, ctx)))]
    fed = over.type.item if over.type.name in ("list", "str", "set", "frozenset") else INT
    state = _accumulators(fed if fed in (STR, INT) else INT, ctx, ctx.pick((1, 1, 2)))

    def leaf(at_hand: Var, x: Context) -> list[c.Statement]:
        return [s for one in state for s in one.update(at_hand, x)]

    body = nest(plan.control, over, leaf, state, ctx)
    return [*statements, *_opened(state), *body, _result(state, extra, ctx)]


def _rest(over: Var, ctx: Context) -> c.Expression:
    return wording(over, ctx) if over.type == STR else measure(over, ctx)
