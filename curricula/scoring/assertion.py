"""Reads an assertion about a call without running it.

What counts is its form: ``assert entry(literals) == literal``. Everything else that
Python would let pass, a tautology, an ``or True``, an object that equals all, has
another form and is refused by it. No parser of Python is asked: one comparison outside
of brackets and strings is found, and both of its sides are read as literals.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from curricula.scoring.completion import Unreadable
from tracing import Value
from tracing.errors import NoLiteralError, shorten
from tracing.literals import LiteralError, read_arguments
from tracing.units import tree_of

__all__ = ["Assertion", "assertion_in", "bound"]

MAX_ASSERTION = 60_000
"""The longest assertion that is read, in characters."""
_MOST_BRACKETS = 5
_SCAN = re.compile(
    r"""(?P<string>'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"
        |'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
    |(?P<comment>\#[^\n]*)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<mark>==|,|\n|\bis\b)""",
    re.VERBOSE | re.DOTALL,
)
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
    if len(text) > min(longest or MAX_ASSERTION, MAX_ASSERTION):
        raise Unreadable("the assertion is too long")
    if "????" in text:
        raise Unreadable("the question marks are not filled in")
    text = text.strip().strip("`")
    if "#" in text:
        text = _SCAN.sub(_uncommented, text)
    text = text.strip().rstrip("; ")
    claim = text.removeprefix("assert")
    call, _, tail = claim.rpartition("raises")
    raised = _TYPE_NAME.fullmatch(tail)
    if raised:
        return Assertion(_arguments(call, entry), None, None, raised[1])
    if text != claim:
        claim = _without_message(claim)
    return _compared(_unwrapped(claim), entry)


def _uncommented(token: re.Match[str]) -> str:
    return "" if token["comment"] else token.group()


def _marks(text: str) -> Iterator[re.Match[str]]:
    """Yield what stands outside of all brackets and strings: marks, and closing brackets."""
    depth = 0
    for token in _SCAN.finditer(text):
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
            if depth <= 0:
                yield token
        elif token["mark"] and depth <= 0:
            yield token


def _without_message(claim: str) -> str:
    """Take the message off an assertion; one that is no literal might do anything."""
    comma = next((mark for mark in _marks(claim) if mark["mark"] == ","), None)
    if comma is None:
        return claim
    if Value.parse(claim[comma.end() :].strip().removesuffix(".")) is None:
        raise Unreadable("the assertion's message is not a literal")
    return claim[: comma.start()]


def _unwrapped(text: str) -> str:
    """Take off brackets around the whole of a text."""
    text = text.strip()
    for _ in range(_MOST_BRACKETS):
        if not (text.startswith("(") and text.endswith(")")):
            break
        closing = next((mark for mark in _marks(text) if mark["close"]), None)
        if closing is None or closing.end() != len(text):
            break
        text = text[1:-1].strip()
    return text


def _compared(claim: str, entry: str) -> Assertion:
    marks = [mark for mark in _marks(claim) if mark["mark"]]
    if any(mark["mark"] in (",", "\n") for mark in marks):
        raise Unreadable("the answer is not one assertion")
    if not marks:
        raise Unreadable("the assertion compares nothing: no value is predicted")
    if len(marks) > 1:
        raise Unreadable("the assertion is a chain of comparisons")
    left, right = claim[: marks[0].start()], claim[marks[0].end() :]
    if not _is_call(left, entry) and _is_call(right, entry):
        left, right = right, left
    arguments, claimed = _arguments(left, entry), right.strip()
    # ``== 16.`` is the float 16.0, or an int at the end of a sentence.
    other = Value.parse(claimed[:-1]) if claimed.endswith(".") else None
    value = Value.parse(claimed) or other
    if value is None:
        if re.search(rf"\b{re.escape(entry)}\s*\(", claimed):
            raise Unreadable(f"the right side calls {entry}: no value is predicted")
        raise Unreadable(f"the right side {shorten(claimed)!r} is no literal")
    if marks[0]["mark"] == "is" and value.type not in ("NoneType", "bool"):
        raise Unreadable("the assertion does not compare with ==")
    return Assertion(arguments, value, other, None)


def _is_call(text: str, entry: str) -> bool:
    return re.match(rf"\s*\(*\s*{re.escape(entry)}\s*\(", text) is not None


def _arguments(call: str, entry: str) -> str:
    """Take the argument list of a call's text; what is in it is read by :func:`bound`."""
    text = _unwrapped(call)
    rest = text.removeprefix(entry).lstrip()
    closing = next((mark for mark in _marks(rest) if mark["close"]), None)
    is_call = text.startswith(entry) and rest.startswith("(")
    if not is_call or closing is None or closing.end() != len(rest):
        raise Unreadable(f"{shorten(text)!r} is not a call of {entry}")
    return rest[1:-1]


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


@lru_cache(maxsize=4096)
def _signature(source: str, entry: str) -> inspect.Signature | None:
    """Read the signature of the last function of that name, without running the program."""
    try:
        tree = tree_of(source)
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
