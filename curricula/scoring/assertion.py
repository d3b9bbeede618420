"""Reads an assertion about a call without running it.

What counts is its form: ``assert entry(literals) == literal``. Everything else that
Python would let pass, a tautology, an ``or True``, an object that equals all, has
another form and is refused by it.
"""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from curricula.scoring.completion import Unreadable
from tracing import Value
from tracing.errors import NoLiteralError, shorten
from tracing.literals import LiteralError, read_arguments

__all__ = ["Assertion", "assertion_in", "bound"]

MAX_ASSERTION = 60_000
"""The longest assertion that is read, in characters."""
_TYPE_NAME = re.compile(r"\s+`?([A-Za-z_]\w*)`?\s*\.?")
_NO_DEFAULT = object()


@dataclass(frozen=True, slots=True)
class Assertion:
    """What an assertion claims.

    Attributes:
        arguments: The argument list, as text.
        value: The value that the call is said to return, or None.
        other: Another reading of that value, where a period ends the line, or None.
        exception: Type name of the exception that it is said to raise, or None.
    """

    arguments: str
    value: Value | None
    other: Value | None
    exception: str | None


def assertion_in(text: str, entry: str, longest: int | None = None) -> Assertion:
    """Read one assertion.

    Args:
        text: The assertion, perhaps over several lines.
        entry: Name of the function that it must call.
        longest: The most characters that are read, where less than :data:`MAX_ASSERTION` do.

    Returns:
        What it claims.

    Raises:
        Unreadable: It has another form; says which.

    Example:
        >>> assertion_in("assert f([1], k=2) == 'a'", "f").value
        Value(type='str', literal="'a'")
    """
    text = text.strip().strip("`").strip()
    if len(text) > min(longest or MAX_ASSERTION, MAX_ASSERTION):
        raise Unreadable("the assertion is too long")
    if "????" in text:
        raise Unreadable("the question marks are not filled in")
    call, _, tail = text.rpartition("raises")
    raised = _TYPE_NAME.fullmatch(tail)
    if raised:
        return Assertion(_arguments(call.removeprefix("assert"), entry), None, None, raised[1])
    tree = _parsed(text) or _parsed(text.removesuffix("."))
    if tree is None:
        raise Unreadable(f"{shorten(text)!r} is not an assertion")
    return _compared(tree.body, text, entry)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text, feature_version=(3, 11))
    except SyntaxError:
        return None
    except (ValueError, MemoryError, RecursionError, OverflowError):
        raise Unreadable("the assertion cannot be parsed") from None


def _compared(body: list[ast.stmt], text: str, entry: str) -> Assertion:
    if len(body) != 1 or not isinstance(body[0], (ast.Assert, ast.Expr)):
        raise Unreadable("the answer is not one assertion")
    test = body[0].test if isinstance(body[0], ast.Assert) else body[0].value
    if isinstance(body[0], ast.Assert) and not isinstance(body[0].msg, (ast.Constant, type(None))):
        raise Unreadable("the assertion's message is not a literal")
    if not isinstance(test, ast.Compare):
        raise Unreadable("the assertion compares nothing: no value is predicted")
    if len(test.ops) != 1:
        raise Unreadable("the assertion is a chain of comparisons")
    left, right = test.left, test.comparators[0]
    if _is_call(right, entry) and not _is_call(left, entry):
        left, right = right, left
    if not _is_call(left, entry):
        raise Unreadable(f"the assertion does not compare a call of {entry}")
    if _calls(right, entry):
        raise Unreadable(f"the right side calls {entry}: no value is predicted")
    claimed = _segment(text, right)
    value = Value.parse(claimed)
    if value is None:
        raise Unreadable(f"the right side {shorten(claimed)!r} is no literal")
    is_singleton = isinstance(test.ops[0], ast.Is) and value.type in ("NoneType", "bool")
    if not isinstance(test.ops[0], ast.Eq) and not is_singleton:
        raise Unreadable("the assertion does not compare with ==")
    # ``== 16.`` is the float 16.0 or an int at the end of a sentence.
    other = Value.parse(claimed[:-1]) if value.type == "float" and claimed.endswith(".") else None
    return Assertion(_arguments(_segment(text, left), entry), value, other, None)


def _segment(text: str, node: ast.expr) -> str:
    """Cut a node's text out: ``ast.get_source_segment`` walks over every character."""
    lines = text.encode().split(b"\n")
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    inner = lines[first : last + 1]
    inner[-1] = inner[-1][: node.end_col_offset]
    inner[0] = inner[0][node.col_offset :]
    return b"\n".join(inner).decode()


def _is_call(node: ast.expr, entry: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == entry


def _calls(node: ast.expr, entry: str) -> bool:
    return any(isinstance(inner, ast.expr) and _is_call(inner, entry) for inner in ast.walk(node))


def _arguments(call: str, entry: str) -> str:
    """Take the argument list of a call's text; what is in it is read by :func:`bound`."""
    text = call.strip()
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    name, _, rest = text.partition("(")
    if name.strip() != entry or not rest.endswith(")"):
        raise Unreadable(f"{shorten(call)!r} is not a call of {entry}")
    return rest[:-1]


def bound(source: str, entry: str, arguments: str) -> dict[str, Value]:
    """Bind an argument list to the parameters of the entry function.

    Args:
        source: The program; where it does not hold the function, names and places are kept.
        entry: The function's name.
        arguments: An argument list of literals.

    Returns:
        The value of each parameter, defaults included; equal for calls that are the same.

    Raises:
        Unreadable: An argument is no literal, or the function takes no such arguments.
    """
    try:
        values, keywords = read_arguments(arguments)
    except LiteralError as error:
        raise Unreadable(f"the call's arguments are not literals: {error}") from None
    signature = _signature(source, entry)
    try:
        if signature is None:
            plain = {str(place): value for place, value in enumerate(values)} | keywords
        else:
            given = signature.bind(*values, **keywords)
            given.apply_defaults()
            plain = {k: v for k, v in given.arguments.items() if v is not _NO_DEFAULT}
        return {name: Value.of(value) for name, value in plain.items()}
    except TypeError as error:
        raise Unreadable(f"{entry} does not take these arguments: {error}") from None
    except NoLiteralError as error:
        raise Unreadable(f"an argument cannot be compared: {error}") from None


@lru_cache(maxsize=512)
def _signature(source: str, entry: str) -> inspect.Signature | None:
    """Read the signature of the last function of that name, without running the program."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == entry]
    return _signature_of(found[-1].args) if found else None


def _signature_of(given: ast.arguments) -> inspect.Signature:
    kinds = inspect.Parameter
    plain: list[tuple[ast.arg, Any]] = [(a, kinds.POSITIONAL_ONLY) for a in given.posonlyargs]
    plain += [(a, kinds.POSITIONAL_OR_KEYWORD) for a in given.args]
    missing: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults))
    made = [
        kinds(argument.arg, kind, default=_default(node))
        for (argument, kind), node in zip(plain, [*missing, *given.defaults], strict=True)
    ]
    if given.vararg:
        made.append(kinds(given.vararg.arg, kinds.VAR_POSITIONAL))
    for argument, node in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        made.append(kinds(argument.arg, kinds.KEYWORD_ONLY, default=_default(node)))
    if given.kwarg:
        made.append(kinds(given.kwarg.arg, kinds.VAR_KEYWORD))
    return inspect.Signature(made)


def _default(node: ast.expr | None) -> Any:
    if node is None:
        return inspect.Parameter.empty
    value = Value.parse(ast.unparse(node))
    return _NO_DEFAULT if value is None else value.object()
