"""Blocks of freehand writing: loops and branches, and what stands in them."""

from __future__ import annotations

from collections.abc import Callable

from synth import cst as c
from synth.accumulators import Accumulator
from synth.bodies.freehand.sheet import Sheet, key_of
from synth.context import Var
from synth.grow import condition
from synth.names import item_names, subject_names
from synth.types import BOOL, INT, STR, Type

__all__ = ["branch", "iterated", "loop", "value_of", "while_loop"]

Lines = list[c.Statement]
_SEQUENCES = frozenset({"list", "str", "tuple"})


def value_of(sheet: Sheet, kind: Type, about: Var | None = None) -> c.Expression:
    """Give a value of a type that depends on a variable, where phrases allow it."""
    return sheet.some(key_of(kind), sheet.ctx.pick((1, 1, 2)), about)


# --- Branches ------------------------------------------------------------------------


def branch(sheet: Sheet, result: Type, *, last: bool = False) -> Lines:
    """Write an ``if``: what is at hand is tested, and something is changed or given back.

    Args:
        sheet: The body.
        result: The type that the function gives back.
        last: Whether nothing follows, so that every way must give something back.

    Returns:
        One statement.
    """
    ctx = sheet.ctx
    test = _test(sheet)
    if last:
        body = [*_maybe(sheet, 0.3), c.return_(value_of(sheet, result))]
        further = []
        if ctx.chance(0.3):
            further.append((_test(sheet), [c.return_(value_of(sheet, result))]))
        other = [*_maybe(sheet, 0.2), c.return_(_end(sheet, result))]
        return [c.if_((test, body), *further, otherwise=other)]
    if ctx.chance(0.5):
        return [c.if_((test, [c.return_(_end(sheet, result))]))]
    body = _changes(sheet)
    others: Lines = _changes(sheet) if ctx.chance(0.4) else []
    if others and ctx.chance(0.25):
        return [c.if_((test, body), (_test(sheet), others))]
    return [c.if_((test, body), otherwise=others)]


def _test(sheet: Sheet, about: Var | None = None) -> c.Expression:
    return sheet.some("bool", 2 if sheet.ctx.chance(0.15) else 1, about)


def _end(sheet: Sheet, result: Type) -> c.Expression:
    """Give something back early: a value, or a word for nothing."""
    ctx = sheet.ctx
    constants: dict[Type, tuple[object, ...]] = {
        INT: (0, -1, 1),
        STR: ("", "none", "no", "error", "x"),
        BOOL: (False, True),
    }
    if result in constants and ctx.chance(0.5):
        return c.literal(ctx.pick(constants[result]))
    same = [v for v in ctx.scope if v.type == result]
    return sheet.read(sheet.choose(same)) if same and ctx.chance(0.7) else value_of(sheet, result)


def _maybe(sheet: Sheet, share: float) -> Lines:
    changeable = sheet.changeable()
    if changeable and sheet.ctx.chance(share):
        return [sheet.change(sheet.ctx.pick(changeable))]
    return []


def _changes(sheet: Sheet) -> Lines:
    """Change what is at hand, in one or two statements."""
    ctx = sheet.ctx
    made: Lines = []
    with sheet.inside(None):
        changeable = sheet.changeable()
        for _ in range(ctx.pick((1, 1, 1, 2))):
            if not changeable:
                break
            variable = ctx.pick(changeable)
            if ctx.chance(0.4) and variable.type in (STR, INT):
                made.append(c.assign(variable.name, value_of(sheet, variable.type, variable)))
            else:
                made.append(sheet.change(variable))
    return made or [c.return_(ctx.read(ctx.pick(ctx.scope)))]


# --- Loops over values ---------------------------------------------------------------


def iterated(
    sheet: Sheet, over: Var | None, value: c.Expression, kind: Type
) -> tuple[list[str] | str, c.Expression, list[Var], Var]:
    """Choose how a ``for`` goes over a value.

    Args:
        sheet: The body.
        over: The variable that holds it, or None.
        value: The value.
        kind: Its type.

    Returns:
        The target, the iterable, the new variables and the one that is worked with.
    """
    ctx = sheet.ctx
    names = [pair[1] for pair in subject_names(kind) if over and pair[0] == over.name]
    names += [pair[1] for pair in subject_names(kind)]
    if kind == INT:
        place = ctx.bind(INT, "i", "j", "k", role="item")
        bounds = [[value], [value], [c.literal(1), value]]
        return place.name, c.call("range", *ctx.pick(bounds)), [place], place
    if kind.name == "dict":
        key = ctx.bind(kind.args[0], "key", "k", "name", role="item")
        if ctx.chance(0.4):
            return key.name, value, [key], key
        held = ctx.bind(kind.args[1], "value", "val", "v", role="item")
        pair = [key.name, held.name]
        return pair, c.method(value, "items"), [key, held], ctx.pick((key, held))
    item_type = kind.item
    if kind.name in _SEQUENCES and over is not None and ctx.chance(0.42):
        place = ctx.bind(INT, "i", "idx", "j", role="index")
        length: c.Expression = c.call("len", value)
        if ctx.chance(0.2):
            length = c.binary(length, "-", c.literal(1))
        return place.name, c.call("range", length), [place], place
    item = ctx.bind(item_type, *names, *item_names(item_type), role="item", char=kind == STR)
    if kind.name in ("set", "frozenset"):
        return item.name, c.call("sorted", value), [item], item
    if kind.name in _SEQUENCES and ctx.chance(0.14):
        place = ctx.bind(INT, "i", "idx", "pos", role="index")
        return [place.name, item.name], c.call("enumerate", value), [place, item], item
    if kind.name in _SEQUENCES and ctx.chance(0.12):
        part = ctx.pick((c.slice_(value, c.literal(1)), c.slice_(value, step=c.literal(-1))))
        return item.name, part, [item], item
    return item.name, value, [item], item


def loop(
    sheet: Sheet,
    over: Var | None,
    value: c.Expression,
    kind: Type,
    state: Accumulator | None,
    result: Type,
) -> Lines:
    """Write a ``for`` that fills an accumulator, or changes what is there."""
    target, source, bound, item = iterated(sheet, over, value, kind)
    with sheet.inside(over):
        body = _inside(sheet, over, item, state, result)
    sheet.ctx.forget(bound)
    return [c.for_(target, source, body)]


def _inside(
    sheet: Sheet, over: Var | None, item: Var, state: Accumulator | None, result: Type
) -> Lines:
    if over is None or item.role != "index":
        return _work(sheet, item, state, result)
    ctx = sheet.ctx
    if ctx.chance(0.3) and state is None and over.type.name == "list":
        return _in_place(sheet, over, item)
    if not ctx.chance(0.45):
        return _on_element(sheet, over, item, lambda at: _work(sheet, at, state, result))
    names = [pair[1] for pair in subject_names(over.type)]
    held = ctx.bind(over.type.item, *names, role="item", char=over.type == STR)
    lines, is_read = _about(sheet, held, lambda: _work(sheet, held, state, result))
    return [c.assign(held.name, c.index(over.node, item.node)), *lines] if is_read else lines


def _about(sheet: Sheet, item: Var, write: Callable[[], Lines]) -> tuple[Lines, bool]:
    """Write lines about an item and forget it; tell whether they read it."""
    sheet.owe(item)
    lines = write()
    sheet.ctx.forget([item])
    is_read = item.name not in sheet.unread
    if not is_read:
        sheet.unread.remove(item.name)
    return lines, is_read


def _on_element(sheet: Sheet, over: Var, place: Var, write: Callable[[Var], Lines]) -> Lines:
    """Write lines in which an element stands for itself, wherever an item would be read."""
    stand_in = sheet.ctx.bind(over.type.item, "_element", role="item", char=over.type == STR)
    lines = write(stand_in)
    sheet.ctx.forget([stand_in])
    element = c.index(over.node, place.node)
    return [c.substituted(line, stand_in.name, element) for line in lines]


def _in_place(sheet: Sheet, over: Var, place: Var) -> Lines:
    """Change a list item by item."""

    def changed(element: Var) -> Lines:
        made = c.assign(element.node, value_of(sheet, element.type, element))
        return [c.if_((_test(sheet, element), [made]))] if sheet.ctx.chance(0.5) else [made]

    lines = _on_element(sheet, over, place, changed)
    sheet.owe(over)
    return lines


def _work(sheet: Sheet, item: Var, state: Accumulator | None, result: Type) -> Lines:
    """Do something with an item: always, or where a test holds."""
    ctx = sheet.ctx
    update = _update(sheet, item, state)
    if ctx.chance(0.1 if state and state.role == "count" else 0.5):
        return [*update, *(_maybe(sheet, 1.0) if ctx.chance(0.15) else [])]
    test = _test(sheet, item) if ctx.chance(0.75) else condition(item, ctx)
    roll = ctx.rng.random()
    if roll < 0.5:
        return [c.if_((test, update))]
    if roll < 0.75:
        other = _update(sheet, item, state)
        if len(other) == len(update) and all(map(c.same, other, update)):
            return [c.if_((test, update))]
        return [c.if_((test, update), otherwise=other)]
    if roll < 0.82:
        return [c.if_((test, [*update, c.jump("break")]))]
    if roll < 0.9:
        return [c.if_((test, [c.return_(_end(sheet, result))])), *update]
    if roll < 0.95:
        other = _update(sheet, item, state)
        return [c.if_((test, update), (_test(sheet, item), other))]
    # In a while, what would be skipped is the step to the next item.
    word = "break" if sheet.counting else "continue"
    return [c.if_((test, [c.jump(word)])), *update]


def _update(sheet: Sheet, item: Var, state: Accumulator | None) -> Lines:
    ctx = sheet.ctx
    if state is None:
        changeable = sheet.changeable()
        if not changeable:
            return [c.return_(ctx.read(item))]
        variable = ctx.pick(changeable)
        mixes = variable.type in (STR, INT) and ctx.chance(0.6)
        sheet.owe(variable)
        if mixes:
            return [c.assign(variable.name, _mixed(sheet, variable, item))]
        return [sheet.change(variable, item)]
    kind = state.var.type
    name = state.var.name
    if kind == STR or (kind == INT and state.role == "total"):
        with sheet.growing(state.var):
            more = (
                value_of(sheet, INT, item)
                if kind == INT
                else sheet.some("str", ctx.pick((0, 1, 1)), item)
            )
        return [c.augment(name, "+", more)]
    if kind.name == "list" and state.role == "collect":
        value = sheet.some(key_of(kind.item), ctx.pick((0, 1, 1, 2)), item)
        return [c.do(c.method(state.var.node, "append", value))]
    return state.update(item, ctx)


def _mixed(sheet: Sheet, variable: Var, item: Var) -> c.Expression:
    """Give a new value for a text or an int, made of it and of an item."""
    ctx = sheet.ctx
    if variable.type == STR and item.type == STR:
        forms: tuple[Callable[[], c.Expression], ...] = (
            lambda: c.method(variable.node, "replace", item.node, c.literal("")),
            lambda: c.method(variable.node, "replace", item.node, sheet.letter()),
            lambda: c.binary(item.node, "+", variable.node),
            lambda: c.method(variable.node, "strip", item.node),
            lambda: c.method(variable.node, "removeprefix", item.node),
        )
        return ctx.pick(forms)()
    return value_of(sheet, variable.type, variable)


# --- While ---------------------------------------------------------------------------


def while_loop(sheet: Sheet, over: Var, state: Accumulator | None, result: Type) -> Lines:
    """Write a ``while`` that comes to an end: it takes away, or it counts up."""
    ctx = sheet.ctx
    if over.type == INT:
        return _halving(sheet, over, state)
    if over.type.name == "list" and ctx.chance(0.45):
        return _emptying(sheet, over, state, result)
    if over.type == STR and state is None:
        return _stripping(sheet, over)
    if over.type.name not in ("list", "str"):
        return _halving(sheet, over, state)
    cursor = ctx.bind(INT, "i", "pos", "index", role="index")
    with sheet.inside(over):
        sheet.counting = True
        sheet.read(over)
        lines = _on_element(sheet, over, cursor, lambda at: _work(sheet, at, state, result))
        sheet.counting = False
    lines.append(c.augment(cursor.name, "+", c.literal(ctx.pick((1, 1, 1, 2)))))
    ctx.forget([cursor])
    test = c.comparison(cursor.node, "<", c.call("len", over.node))
    return [c.assign(cursor.name, c.literal(0)), c.while_(test, lines)]


def _emptying(sheet: Sheet, over: Var, state: Accumulator | None, result: Type) -> Lines:
    ctx = sheet.ctx
    node = sheet.read(over)
    item = ctx.bind(over.type.item, "x", "item", "last", role="item")
    popped = c.method(node, "pop", *ctx.pick(([], [c.literal(0)], [c.literal(-1)])))
    with sheet.inside(over):
        lines, is_read = _about(sheet, item, lambda: _work(sheet, item, state, result))
    taken = c.assign(item.name, popped) if is_read else c.do(popped)
    tests = (node, c.comparison(c.call("len", node), ">", c.literal(ctx.pick((0, 1, 2)))))
    return [c.while_(ctx.pick(tests), [taken, *lines])]


def _stripping(sheet: Sheet, over: Var) -> Lines:
    """Take characters off a text, or fill it up."""
    ctx = sheet.ctx
    node = sheet.read(over)
    sheet.owe(over)
    mark = sheet.letter() if not ctx.chance(0.5) else c.literal(ctx.pick("aeiost x"))
    width = c.literal(ctx.pick((5, 6, 7, 8, 9)))
    length = c.call("len", node)
    first = c.index(node, c.literal(0))
    forms: tuple[tuple[c.Expression, c.Expression], ...] = (
        (c.method(node, "startswith", mark), c.slice_(node, c.literal(1))),
        (c.method(node, "endswith", mark), c.slice_(node, None, c.literal(-1))),
        (c.comparison(length, "<", width), c.binary(mark, "+", node)),
        (c.comparison(length, "<", width), c.binary(node, "+", first)),
        (c.comparison(length, ">", width), c.slice_(node, c.literal(1), c.literal(-1))),
        (
            c.comparison(mark, "in", node),
            c.method(node, "replace", mark, c.literal(ctx.pick(("", "-", "*"))), c.literal(1)),
        ),
    )
    test, value = ctx.pick(forms)
    return [c.while_(test, [c.assign(over.name, value)])]


def _halving(sheet: Sheet, over: Var, state: Accumulator | None) -> Lines:
    ctx = sheet.ctx
    opening: Lines = []
    if over.type != INT:
        number = sheet.bind(INT, "n", "size", "left")
        opening = [c.assign(number.name, sheet.some("int", 1, over))]
        over = number
    node = sheet.read(over)
    with sheet.inside(over):
        lines = _update(sheet, over, state)
    shrink = ctx.pick((("-", 1), ("//", 2), ("-", 2), ("//", 3)))
    step = c.augment(over.name, shrink[0], c.literal(shrink[1]))
    test = c.comparison(node, ">", c.literal(ctx.pick((0, 0, 1))))
    return [*opening, c.while_(test, [*lines, step])]
