"""Plants calls of the method under test, nested as deep as the shape asks.

A call's result is made a receiver again by an adaptor (``text.split(',')[0].split('=')``),
or stands in an argument of the next one (``text.find('b', text.find('a') + 1)``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from synth import cst as c
from synth import templates
from synth.catalogue import Entry
from synth.context import Context, Var
from synth.types import BYTES, INT, STR, Type

__all__ = ["Planted", "plant", "receiver_type", "statement"]

Planted = tuple[c.Expression, Type]
"""An expression and its type."""

_SEPARATORS = (",", ",", "=", "-", ":", " ")
_AFFIXES = ("a", "s", "t", "b", "e", "x")
_TABLES = ("abc", "aei", "eio")
_TRANSFORMS: dict[str, tuple[str, ...]] = {"str": ("len", "ord"), "int": ("abs",), "list": ("len",)}


def receiver_type(entry: Entry, ctx: Context) -> Type:
    """Choose a concrete type for an entry's receiver.

    Args:
        entry: The entry.
        ctx: The program; decides.

    Returns:
        The type, its letters filled in.
    """
    text = entry.receiver
    for letter, choices in (("T", ("int", "str")), ("K", ("str", "int")), ("V", ("int",))):
        made = ctx.pick(choices)
        text = text.replace(f"[{letter}", f"[{made}").replace(f", {letter}", f", {made}")
    return Type.parse(text)


def plant(entry: Entry, receiver: c.Expression, kind: Type, depth: int, ctx: Context) -> Planted:
    """Call the method under test on a receiver, nested.

    Args:
        entry: The method or function.
        receiver: An expression of type ``kind``.
        kind: The receiver's type.
        depth: How deep the calls nest, at least 1.
        ctx: The program.

    Returns:
        The outermost call and its type.
    """
    value = _call(entry, receiver, kind, ctx, None)
    result = entry.result_type(kind) or kind
    for _ in range(depth - 1):
        if "argument" in entry.traits:
            value = _call(entry, receiver, kind, ctx, value)
        else:
            adapted = _adapt(value, result, kind, ctx)
            value = _call(entry, adapted, kind, ctx, None)
    return value, result


def _adapt(value: c.Expression, result: Type, wanted: Type, ctx: Context) -> c.Expression:
    """Make a receiver of a result."""
    if result == wanted:
        return value
    if result.name == "list" and result.args[0] == wanted:
        return c.index(value, c.literal(ctx.pick((0, -1))))
    if result.name == "tuple":
        places = [i for i, item in enumerate(result.args) if item == wanted]
        return c.index(value, c.literal(ctx.pick((places[0], places[-1]))))
    return value


def _call(
    entry: Entry, receiver: c.Expression, kind: Type, ctx: Context, inner: c.Expression | None
) -> c.Expression:
    if entry.code:
        return _by_code(entry, receiver, kind, ctx)
    if entry.type == "builtins":
        return _function(entry, receiver, kind, ctx, inner)
    given = _SPECIAL.get((entry.type, entry.method))
    if given is not None:
        return given(entry, receiver, kind, ctx, inner)
    arguments = [hole_value(hole, kind, ctx) for hole in entry.arguments]
    if inner is not None and entry.method in ("find", "rfind", "index", "rindex"):
        # rfind takes the end of the span behind its start.
        if entry.method.startswith("r"):
            arguments += [c.literal(0), c.call("max", inner, c.literal(0))]
        else:
            arguments.append(c.binary(inner, "+", c.literal(1)))
    elif inner is not None and arguments:
        arguments[-1] = inner
    return c.method(receiver, entry.method, *arguments)


def _by_code(entry: Entry, receiver: c.Expression, kind: Type, ctx: Context) -> c.Expression:
    """Write a call or an operation as one of its templates says, what it needs imported."""
    if entry.needs:
        ctx.need(entry.needs)
    made = _filled(_expression(ctx.pick(entry.code)), receiver, kind, ctx)
    return made  # type: ignore[return-value]


def _filled(
    template: templates.Template, receiver: c.Expression, kind: Type, ctx: Context
) -> object:
    values = [receiver if hole == "it" else hole_value(hole, kind, ctx) for hole in template.holes]
    return template.build(values)


_expression = lru_cache(maxsize=None)(templates.expression)
_statement = lru_cache(maxsize=None)(templates.statement)


def hole_value(hole: str, kind: Type, ctx: Context) -> c.Expression:
    """Fill an argument's hole with a constant or a parameter that waits.

    Args:
        hole: A kind of constant or a type, as the catalogue writes them.
        kind: The receiver's type.
        ctx: The program.

    Returns:
        An expression.
    """
    if hole in _CONSTANTS:
        text = _CONSTANTS[hole](ctx)
        if kind == BYTES and isinstance(text, str):
            return c.literal(text.encode())
        if kind == STR and hole == "char":
            return ctx.letter()
        return c.literal(text)
    if hole in ("item", "key"):
        return _item(kind.item if kind.name != "dict" else kind.args[0], ctx)
    if hole == "default":
        return _item(kind.args[1] if kind.name == "dict" else kind.args[0], ctx)
    if hole == "SELF":
        return c.literal(_few(kind, ctx))
    letters = dict(zip("T" if len(kind.args) < 2 else "KV", kind.args, strict=False))
    for letter, made in letters.items():
        hole = hole.replace(f"[{letter}", f"[{made}").replace(f", {letter}", f", {made}")
    return c.literal(_few(Type.parse(hole), ctx))


_CONSTANTS: dict[str, Callable[[Context], object]] = {
    "char": lambda ctx: ctx.pick("aeioxst"),
    "newchar": lambda ctx: ctx.pick("*-_#."),
    "sep": lambda ctx: ctx.pick(_SEPARATORS),
    "affix": lambda ctx: ctx.pick(_AFFIXES),
    "chars": lambda ctx: ctx.pick(("ab", "aeiou", "st", "xyz", " -", "abc")),
    "width": lambda ctx: ctx.rng.randint(6, 9),
    "count": lambda ctx: ctx.rng.randint(1, 2),
    "base": lambda ctx: ctx.rng.randint(3, 9),
    "digits": lambda ctx: ctx.rng.randint(1, 3),
    "index": lambda ctx: ctx.rng.randint(0, 2),
}


def _item(kind: Type, ctx: Context) -> c.Expression:
    if kind == INT:
        return ctx.number(0, 6)
    if kind == STR:
        return ctx.letter("abcxy")
    return c.literal(_few(kind, ctx))


def _few(kind: Type, ctx: Context) -> object:
    """Make a small constant of a type."""
    if kind == INT:
        return ctx.rng.randint(0, 8)
    if kind == STR:
        return ctx.pick("abcx")
    if kind == BYTES:
        return ctx.pick("abxy").encode()
    if not kind.args:
        return {"float": 1.5, "bool": True}.get(kind.name)
    if kind.name == "dict":
        return {_few(kind.args[0], ctx): _few(kind.args[1], ctx) for _ in range(2)}
    several = sorted({_few(kind.args[0], ctx) for _ in range(5)})  # type: ignore[type-var]
    made = {"list": list, "set": set, "frozenset": frozenset, "tuple": tuple}
    return made[kind.name](several) if kind.name in made else kind.name


def _translate(
    entry: Entry, receiver: c.Expression, kind: Type, ctx: Context, inner: c.Expression | None
) -> c.Expression:
    old = ctx.pick(_TABLES)
    table = c.method(
        c.name("str"), "maketrans", c.literal(old), c.literal(ctx.pick(("xyz", "123", "*-+")))
    )
    return c.method(receiver, "translate", table)


def _join(
    entry: Entry, receiver: c.Expression, kind: Type, ctx: Context, inner: c.Expression | None
) -> c.Expression:
    return c.method(c.literal(ctx.pick("-+,_.")), "join", receiver)


def _format(
    entry: Entry, receiver: c.Expression, kind: Type, ctx: Context, inner: c.Expression | None
) -> c.Expression:
    return c.method(c.literal(ctx.pick(("<{}>", "{}!", "({})", "[{}]"))), "format", receiver)


def _fromkeys(
    entry: Entry, receiver: c.Expression, kind: Type, ctx: Context, inner: c.Expression | None
) -> c.Expression:
    return c.method(c.name("dict"), "fromkeys", receiver, ctx.number(0, 3))


def _views(
    entry: Entry, receiver: c.Expression, kind: Type, ctx: Context, inner: c.Expression | None
) -> c.Expression:
    return c.call("list", c.method(receiver, entry.method))


_Special = Callable[[Entry, c.Expression, Type, Context, "c.Expression | None"], c.Expression]
_SPECIAL: dict[tuple[str, str], _Special] = {
    ("str", "translate"): _translate,
    ("str", "join"): _join,
    ("str", "format"): _format,
    ("dict", "fromkeys"): _fromkeys,
    ("dict", "keys"): _views,
    ("dict", "values"): _views,
    ("dict", "items"): _views,
}


def _function(
    entry: Entry, value: c.Expression, kind: Type, ctx: Context, inner: c.Expression | None
) -> c.Expression:
    """Call a built-in function on a value; what gives an iterator is made a list."""
    title = entry.method
    if title in ("any", "all"):
        item = "x"
        test = c.comparison(c.name(item), ctx.pick((">", "<")), ctx.number(3, 9))
        return c.call(title, c.items("generator", test, item, value))
    if title == "sum":
        return c.call("sum", value)
    if title in ("max", "min"):
        if inner is not None:
            return c.call(title, inner, ctx.number(2, 8))
        return c.call(title, value)
    if title == "sorted":
        options = [{"reverse": c.literal(True)}, {}]
        if kind.item == STR:
            options.append({"key": c.name("len")})
        return c.call("sorted", value, **ctx.pick(options))
    if title in ("reversed", "enumerate"):
        return c.call("list", c.call(title, value))
    if title == "zip":
        return c.call("list", c.call("zip", value, c.slice_(value, c.literal(1))))
    if title in ("map", "filter"):
        return c.call("list", c.call(title, _small_function(title, kind.item, ctx), value))
    if title == "dict":
        pairs = c.call("zip", value, c.call("range", c.call("len", value)))
        return c.call("dict", pairs)
    if title == "divmod":
        return c.call("divmod", value, c.literal(ctx.rng.randint(3, 9)))
    if title == "pow":
        return c.call("pow", value, c.literal(2), c.literal(ctx.rng.randint(11, 29)))
    if title == "round":
        return c.call("round", value, c.literal(ctx.rng.randint(0, 1)))
    if title == "format":
        return c.call("format", value, c.literal(ctx.pick((">6", "^7", "*<6"))))
    if title == "isinstance":
        return c.call("isinstance", value, c.name("int"))
    if title == "chr":
        letter = c.binary(c.literal(97), "+", c.binary(value, "%", c.literal(26)))
        return c.call("chr", letter)
    if title == "ord":
        return c.call("ord", c.index(value, c.literal(0)))
    if title == "int":
        return c.call("int", value)
    return c.call(title, value)


def _small_function(title: str, item: Type, ctx: Context) -> c.Expression:
    x = c.name("x")
    if title == "filter":
        if item == STR:
            return c.lambda_("x", c.comparison(c.call("len", x), ">", ctx.number(2, 4)))
        return c.lambda_(
            "x",
            c.comparison(c.binary(x, "%", c.literal(ctx.rng.randint(2, 3))), "==", c.literal(0)),
        )
    if item == STR:
        return c.name("len")
    return c.lambda_("x", c.binary(x, ctx.pick("*+-"), ctx.number(2, 5)))


def statement(entry: Entry, receiver: Var, ctx: Context) -> c.Statement:
    """Write a call or an operation that changes its receiver.

    Args:
        entry: A method that mutates.
        receiver: A variable that holds a list, dict or set.
        ctx: The program.

    Returns:
        The statement.
    """
    if entry.code:
        made = _filled(_statement(ctx.pick(entry.code)), receiver.node, receiver.type, ctx)
        return made  # type: ignore[return-value]
    if entry.method == "sort":
        options: list[dict[str, c.Expression]] = [{}, {"reverse": c.literal(True)}]
        if receiver.type.item == STR:
            options.append({"key": c.name("len")})
        return c.do(c.method(receiver.node, "sort", **ctx.pick(options)))
    arguments = [hole_value(hole, receiver.type, ctx) for hole in entry.arguments]
    return c.do(c.method(receiver.node, entry.method, *arguments))
