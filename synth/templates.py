"""Templates of code with typed holes, read once and filled with libcst nodes.

``<str>.count(<char>)`` is a template with two holes. What a hole's text means is up to who
fills it; the same text twice is two holes, unless it begins with ``!`` or ``@`` or is
``new``, which stand for one thing throughout a template. Parentheses are added where
precedence asks.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import libcst as cst

from synth import cst as c

__all__ = ["Template", "expression", "statement"]

_HOLE = re.compile(r"<([!@]?[A-Za-z][\w\[\],]*)>")
_Builder = Callable[[Sequence[cst.BaseExpression]], cst.CSTNode]


@dataclass(frozen=True, slots=True)
class Template:
    """A piece of code with holes.

    Attributes:
        text: Its text.
        holes: What stands in each hole, in order of first appearance.
        build: Makes a node of an expression for each hole.
    """

    text: str
    holes: tuple[str, ...]
    build: _Builder


def expression(text: str) -> Template:
    """Read the template of an expression.

    Args:
        text: Python with holes, like ``"<str>.count(<char>)"``.

    Returns:
        The template.

    Example:
        >>> made = expression("<int> * len(<str>)")
        >>> made.holes
        ('int', 'str')
        >>> from synth import cst as c
        >>> tree = made.build([c.binary(c.name("a"), "+", c.literal(1)), c.name("s")])
        >>> cst.Module([]).code_for_node(tree)
        '(a + 1) * len(s)'
    """
    return _read(text, cst.parse_expression)


def statement(text: str) -> Template:
    """Read the template of a simple statement; see :func:`expression`."""
    return _read(text, cst.parse_statement)


def _read(text: str, parse: Callable[[str], cst.CSTNode]) -> Template:
    holes: list[str] = []

    def named(found: re.Match[str]) -> str:
        hole = found[1]
        if not (hole in holes and (hole[0] in "!@" or hole == "new")):
            holes.append(hole)
            return f"hole_{len(holes) - 1}"
        return f"hole_{holes.index(hole)}"

    tree = parse(_HOLE.sub(named, text))
    places = {f"hole_{place}": place for place in range(len(holes))}
    build = _builder(tree, None, places)
    return Template(text, tuple(holes), build or (lambda values: tree))


# Where an expression stands by itself, whatever its precedence.
_ALONE = (
    cst.Arg,
    cst.Index,
    cst.Slice,
    cst.Element,
    cst.FormattedStringExpression,
    cst.Assign,
    cst.AugAssign,
    cst.Expr,
    cst.DictElement,
)
_ARITHMETIC = (cst.BinaryOperation, cst.UnaryOperation)


def _builder(
    node: cst.CSTNode, parent: cst.CSTNode | None, places: dict[str, int]
) -> _Builder | None:
    """Compile a node to a function of the holes' values; None where there is no hole in it."""
    if isinstance(node, cst.Name) and node.value in places:
        return _hole(places[node.value], parent)
    parts: dict[str, Callable[[Sequence[cst.BaseExpression]], object]] = {}
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, cst.CSTNode):
            inner = _builder(value, node, places)
            if inner is not None:
                parts[field.name] = inner
        elif isinstance(value, (list, tuple)):
            many = _sequence(value, node, places)
            if many is not None:
                parts[field.name] = many
    if not parts:
        return None
    return lambda values: node.with_changes(**{n: make(values) for n, make in parts.items()})


def _sequence(
    value: Sequence[object], parent: cst.CSTNode, places: dict[str, int]
) -> Callable[[Sequence[cst.BaseExpression]], list[object]] | None:
    made = [_builder(v, parent, places) if isinstance(v, cst.CSTNode) else None for v in value]
    if not any(made):
        return None
    pairs = list(zip(value, made, strict=True))
    return lambda values: [plain if make is None else make(values) for plain, make in pairs]


def _hole(place: int, parent: cst.CSTNode | None) -> _Builder:
    if parent is None or isinstance(parent, _ALONE):
        return lambda values: values[place]
    if isinstance(parent, (cst.Comparison, cst.ComparisonTarget)):
        return lambda values: (
            values[place] if isinstance(values[place], _ARITHMETIC) else c.tight(values[place])
        )
    if isinstance(parent, (cst.Attribute, cst.Subscript, cst.Call)):
        return lambda values: c.receiver(values[place])
    return lambda values: c.tight(values[place])
