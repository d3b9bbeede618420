"""Reads the program and the calls out of a model's reply.

A reply is hostile text: it is parsed and never run here. What it must prove is asked of
it later, as of any program; this says only whether there is something to ask.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from curricula.difficulty.engines import without_address
from curricula.problem import PROPOSED_BY
from curricula.shapes import Shape
from synth.program import Domain, Parameter, Program
from synth.types import Type
from tracing.errors import ProgramError
from tracing.literals import LiteralError, read_arguments
from tracing.units import parse

__all__ = ["Unfit", "program_in", "proposed_by"]

MAX_REPLY = 50_000
"""Characters of a reply that are looked at."""
_FENCED = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a reply gives no program.

    Attributes:
        reason: One of few short texts, to be counted.
    """

    reason: str


def program_in(reply: str, shape: Shape, by: str) -> Program | Unfit:
    r"""Read a program out of a reply and prove that it meets its shape.

    Args:
        reply: Any text.
        shape: What was asked for.
        by: Who replied, for the program's provenance.

    Returns:
        The program, normalised, with parameters typed by its calls; or why there is none.

    Example:
        >>> reply = "```python\ndef f(s):\n    return s.upper()\n\nf('ab')\n```"
        >>> program_in(reply, Shape("str", "upper"), "a model").source
        'def f(s):\n    return s.upper()\n'
        >>> program_in("I cannot.", Shape("str", "upper"), "a model")
        Unfit(reason='the reply does not parse')
    """
    fenced = _FENCED.search(reply[:MAX_REPLY])
    try:
        tree = parse(fenced[1] if fenced else reply[:MAX_REPLY])
    except ProgramError:
        return Unfit("the reply does not parse")
    kept = [n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    functions = [n for n in kept if isinstance(n, ast.FunctionDef)]
    if not functions:
        return Unfit("the reply holds no function")
    entry = functions[-1]
    given = [call for node in tree.body if (call := _call_in(node, entry.name)) is not None]
    if any(not _is_kept_or_call(node) for node in tree.body):
        return Unfit("the reply holds other statements than functions and calls")
    parameters = _parameters(entry, given)
    if parameters is None:
        return Unfit("the calls do not tell the parameters' types")
    try:
        source = _normalised(kept)
    except (ValueError, RecursionError):  # numbers too long to print, nesting too deep
        return Unfit("the reply does not parse")
    if shape.check(source):
        return Unfit("it is not of the shape that was asked for")
    return Program(source, entry.name, parameters, shape, (proposed_by(by),))


def proposed_by(by: str) -> str:
    """Name what a program is composed of that somebody proposed, for its provenance."""
    return f"{PROPOSED_BY}{without_address(by)}"


def _is_kept_or_call(node: ast.stmt) -> bool:
    is_test = isinstance(node, (ast.Expr, ast.Assert))
    return is_test or isinstance(node, (ast.FunctionDef, ast.ClassDef))


def _call_in(node: ast.stmt, entry: str) -> ast.Call | None:
    """Find a call of the entry: alone, printed, or on the left of an assertion."""
    value = (
        node.value
        if isinstance(node, ast.Expr)
        else node.test
        if isinstance(node, ast.Assert)
        else None
    )
    if isinstance(value, ast.Compare):
        value = value.left
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        if value.func.id == "print" and len(value.args) == 1:
            value = value.args[0]
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id == entry
        ):
            return value
    return None


def _parameters(entry: ast.FunctionDef, given: Sequence[ast.Call]) -> tuple[Parameter, ...] | None:
    """Type the parameters by the arguments of the calls, which must agree."""
    names = [argument.arg for argument in entry.args.args]
    others = (entry.args.posonlyargs, entry.args.kwonlyargs, entry.args.vararg, entry.args.kwarg)
    if any(others) or not names or not given:
        return None
    kinds: list[Type | None] = [None] * len(names)
    for call in given:
        values = _values(call)
        if values is None or len(values) != len(names):
            return None
        for place, value in enumerate(values):
            kind = _type_of(value)
            if kind is None or kinds[place] not in (None, kind):
                return None
            kinds[place] = kind
    return tuple(
        Parameter(name, kind, Domain())
        for name, kind in zip(names, kinds, strict=True)
        if kind is not None
    )


def _values(call: ast.Call) -> list[Any] | None:
    text = ", ".join(map(ast.unparse, call.args))
    if call.keywords:
        return None
    try:
        return read_arguments(text)[0]
    except LiteralError:
        return None


def _type_of(value: Any) -> Type | None:
    """Give a value's type; None where its items are of several, or there are none to tell."""
    name = type(value).__name__
    if isinstance(value, tuple):
        items = [_type_of(item) for item in value]
        return None if None in items else Type("tuple", tuple(i for i in items if i))
    if isinstance(value, dict):
        keys, values = _one_type(value), _one_type(value.values())
        return Type("dict", (keys, values)) if keys and values else None
    if isinstance(value, (list, set, frozenset)):
        item = _one_type(value)
        return Type(name, (item,)) if item else None
    return None if name == "complex" else Type(name)


def _one_type(items: Any) -> Type | None:
    kinds = {_type_of(item) for item in items}
    return kinds.pop() if len(kinds) == 1 else None


def _normalised(kept: Sequence[ast.stmt]) -> str:
    """Write functions and classes in one layout, without docstrings and annotations."""
    for node in kept:
        for inner in ast.walk(node):
            if isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                first = inner.body[0]
                if (
                    isinstance(first, ast.Expr)
                    and isinstance(first.value, ast.Constant)
                    and isinstance(first.value.value, str)
                ):
                    inner.body = inner.body[1:] or [ast.Pass()]
            if isinstance(inner, ast.FunctionDef):
                inner.returns = None
            if isinstance(inner, ast.arg):
                inner.annotation = None
    return "\n\n".join(ast.unparse(node) for node in kept) + "\n"
