"""Grows expressions by type: measures, wordings and tests of a variable.

Each takes a variable of any type and gives an expression of one: an int, a text or a
condition. Constants are such that values of a person's size fall on both sides of them.
"""

from __future__ import annotations

from collections.abc import Callable

from synth import cst as c
from synth.context import Context, Var
from synth.types import FLOAT, INT, STR

__all__ = ["condition", "is_char", "ladder", "measure", "wording"]


def measure(var: Var, ctx: Context) -> c.Expression:
    """Give an int that depends on a variable.

    Args:
        var: Any variable.
        ctx: The program.

    Returns:
        An expression of type int.
    """
    node = ctx.read(var)
    kind = var.type
    if kind == INT:
        return _int_measure(node, ctx)
    if is_char(var):
        return c.call("ord", node)
    if kind.name in ("str", "bytes", "list", "tuple", "set", "frozenset", "dict", "range"):
        return _sized_measure(var, node, ctx)
    if kind == FLOAT:
        return c.call(ctx.pick(("int", "round")), node)
    return c.call("int", node)


_CHARS = frozenset({"ch", "c", "letter", "char"})


def _int_measure(node: c.Expression, ctx: Context) -> c.Expression:
    forms: list[Callable[[], c.Expression]] = [
        lambda: node,
        lambda: node,
        lambda: c.binary(node, "*", ctx.number(2, 4)),
        lambda: c.binary(node, "+", ctx.number(1, 5)),
        lambda: c.binary(node, "-", ctx.number(1, 5)),
        lambda: c.binary(node, "%", c.literal(ctx.rng.randint(3, 7))),
        lambda: c.call("abs", node),
        lambda: c.binary(node, "//", c.literal(2)),
    ]
    return ctx.pick(forms)()


def _sized_measure(var: Var, node: c.Expression, ctx: Context) -> c.Expression:
    name = var.type.name
    forms: list[Callable[[], c.Expression]] = [lambda: c.call("len", node)]
    if name == "str":
        forms.append(lambda: c.method(node, "count", ctx.letter("aeiot")))
    if name == "list" and var.type.item == INT:
        forms.append(lambda: c.call("sum", node))
    if name == "dict" and var.type.args[1] == INT:
        forms.append(lambda: c.call("sum", c.method(node, "values")))
    if name in ("set", "frozenset") and var.type.item == INT:
        forms.append(lambda: c.call("sum", node))
    return ctx.pick(forms)()


def wording(var: Var, ctx: Context) -> c.Expression:
    """Give a text that depends on a variable.

    Args:
        var: Any variable.
        ctx: The program.

    Returns:
        An expression of type str.
    """
    if var.type != STR:
        inner = ctx.read(var) if var.type == INT else measure(var, ctx)
        return c.call("str", inner)
    node = ctx.read(var)
    if is_char(var):
        forms: list[Callable[[], c.Expression]] = [
            lambda: node,
            lambda: c.method(node, "upper"),
            lambda: c.method(node, "swapcase"),
            lambda: c.binary(node, "*", c.literal(2)),
        ]
    else:
        forms = [
            lambda: c.slice_(node, step=c.literal(-1)),
            lambda: c.method(node, "upper"),
            lambda: c.method(node, "title"),
            lambda: c.slice_(node, None, ctx.number(2, 3)),
            lambda: c.slice_(node, c.literal(1)),
            lambda: c.slice_(node, c.literal(-2)),
            lambda: c.binary(node, "+", ctx.letter("-_!")),
            lambda: node,
        ]
    return ctx.pick(forms)()


def condition(var: Var, ctx: Context) -> c.Expression:
    """Give a condition on a variable that is true for some of its usual values.

    Args:
        var: Any variable.
        ctx: The program.

    Returns:
        An expression of type bool.
    """
    kind = var.type
    if kind == STR:
        return _text_condition(var, ctx.read(var), ctx)
    node = ctx.read(var)
    if kind == INT:
        return _int_condition(var, node, ctx)
    if kind == FLOAT:
        return c.comparison(node, ctx.pick((">", "<", ">=")), ctx.number(2, 9))
    if kind.name == "bool":
        return node
    if kind.name in ("list", "set", "frozenset", "range") and kind.item == INT:
        if ctx.chance(0.5):
            return c.comparison(ctx.number(1, 6), "in", node)
        return c.comparison(c.call("len", node), ctx.pick((">", ">=", "<")), c.literal(3))
    if kind.name == "dict":
        return c.comparison(c.call("len", node), ">", ctx.number(1, 2))
    return c.comparison(c.call("len", node), ctx.pick((">", ">=", "<")), ctx.number(2, 4))


def is_char(var: Var) -> bool:
    """Tell whether a variable holds one character of a text."""
    return var.type == STR and (var.char or var.name in _CHARS)


def ladder(var: Var, ctx: Context) -> tuple[c.Expression, c.Expression]:
    """Give two conditions for ``if`` and ``elif``, of which the first leaves room for the second.

    Args:
        var: Any variable.
        ctx: The program.

    Returns:
        Two expressions of type bool.
    """
    node = ctx.read(var)
    if var.type == INT and var.high <= 3:
        first, second = ctx.rng.sample((0, 1, 2) if var.high > 1 else (0, 1), 2)
        pair = (node, "==", c.literal(first)), (node, "==", c.literal(second))
        return c.comparison(*pair[0]), c.comparison(*pair[1])
    if var.type == INT:
        third = (var.high - var.low) // 3
        low, high = var.low + third, var.high - third
        return ctx.pick(_INT_LADDERS)(node, low, high, ctx)
    if is_char(var):
        return ctx.pick(_CHAR_LADDERS)(node, ctx)
    if var.type == STR:
        return ctx.pick(_TEXT_LADDERS)(node, c.call("len", node), ctx)
    if var.type == FLOAT:
        return c.comparison(node, ">", ctx.number(9, 12)), c.comparison(node, ">", ctx.number(2, 5))
    if var.type.name == "bool":
        return node, c.comparison(ctx.number(2, 4), ">", c.literal(3))
    length = c.call("len", node)
    return c.comparison(length, ">", ctx.number(3, 4)), c.comparison(length, ">", ctx.number(1, 2))


# Functions, so that a parameter is read only by the ladder that is chosen.
_Pair = tuple[c.Expression, c.Expression]
_INT_LADDERS: tuple[Callable[[c.Expression, int, int, Context], _Pair], ...] = (
    lambda x, low, high, ctx: (
        c.comparison(x, ">", c.literal(high)),
        c.comparison(x, ">", ctx.number(low, low)),
    ),
    lambda x, low, high, ctx: (
        c.comparison(x, "<", c.literal(low)),
        c.comparison(x, "<", ctx.number(high, high)),
    ),
    lambda x, low, high, ctx: (
        c.comparison(c.binary(x, "%", c.literal(3)), "==", c.literal(0)),
        c.comparison(x, ">", ctx.number(low, low)),
    ),
    lambda x, low, high, ctx: (
        c.comparison(x, ">", ctx.number(low, high)),
        c.comparison(c.binary(x, "%", c.literal(2)), "==", c.literal(1)),
    ),
)
_CHAR_LADDERS: tuple[Callable[[c.Expression, Context], _Pair], ...] = (
    lambda x, ctx: (c.comparison(x, "in", c.literal("aeiou")), c.method(x, "isalpha")),
    lambda x, ctx: (c.method(x, "isdigit"), c.method(x, "islower")),
    lambda x, ctx: (c.method(x, "isupper"), c.comparison(x, ">", c.literal("m"))),
    lambda x, ctx: (c.comparison(x, "==", ctx.letter("aeo")), c.comparison(x, "<", c.literal("k"))),
)
_TEXT_LADDERS: tuple[Callable[[c.Expression, c.Expression, Context], _Pair], ...] = (
    lambda x, length, ctx: (
        c.comparison(length, ">", ctx.number(4, 5)),
        c.comparison(ctx.letter("aeio"), "in", x),
    ),
    lambda x, length, ctx: (
        c.method(x, "startswith", ctx.letter("abcst")),
        c.comparison(length, "<", ctx.number(4, 6)),
    ),
    lambda x, length, ctx: (
        c.comparison(ctx.letter("aeo"), "in", x),
        c.comparison(length, ">=", ctx.number(4, 5)),
    ),
)


def _int_condition(var: Var, node: c.Expression, ctx: Context) -> c.Expression:
    if var.high <= 1:
        return c.comparison(node, "==", c.literal(ctx.rng.randint(0, 1)))
    base = ctx.rng.randint(2, 3)
    forms: list[Callable[[], c.Expression]] = [
        lambda: c.comparison(
            c.binary(node, "%", c.literal(base)), "==", c.literal(ctx.rng.randrange(base))
        ),
        lambda: c.comparison(node, ctx.pick((">", "<", ">=", "<=")), ctx.between(var)),
        lambda: c.comparison(node, ">", ctx.between(var)),
        lambda: c.comparison(c.binary(node, "&", c.literal(1)), "==", c.literal(1)),
    ]
    return ctx.pick(forms)()


def _text_condition(var: Var, node: c.Expression, ctx: Context) -> c.Expression:
    forms: list[Callable[[], c.Expression]]
    if is_char(var):
        vowels = c.literal(ctx.pick(("aeiou", "aeiou", "abcde", "lmnrst")))
        test = ctx.pick(("isalpha", "isupper", "isdigit", "islower", "isalnum"))
        forms = [
            lambda: c.comparison(node, ctx.pick(("in", "not in")), vowels),
            lambda: c.method(node, test),
            lambda: c.comparison(node, "==", ctx.letter("aeo")),
            lambda: c.comparison(node, ctx.pick((">", "<")), c.literal(ctx.pick("fhkm"))),
        ]
    else:
        length = c.call("len", node)
        forms = [
            lambda: c.comparison(length, ctx.pick((">", "<", ">=")), ctx.number(3, 5)),
            lambda: c.comparison(ctx.letter("aeior"), ctx.pick(("in", "in", "not in")), node),
            lambda: c.method(node, "startswith", ctx.letter("abcst")),
            lambda: c.method(node, "endswith", ctx.letter("esnrt")),
            lambda: c.comparison(c.binary(length, "%", c.literal(2)), "==", c.literal(0)),
            lambda: c.method(node, ctx.pick(("islower", "isalpha", "isdigit"))),
        ]
    return ctx.pick(forms)()
