"""The forms of public sets of code problems: one function reads a row of each, by its name.

A test becomes an argument list and a literal, or what is read and what is printed; a test
that is neither is left out.

Source: PRIME-RL/Eurus-2-RL-Data (its code part), google-research-datasets/mbpp,
KodCode/KodCode-V1 as their cards describe them.
"""

from __future__ import annotations

import ast
import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rl.evaluation.benchmarks.reading import Line
from tracing.literals import LiteralError, read, read_arguments
from tracing.units import tree_of

__all__ = ["FORMS", "CodeProblem", "Refused", "form"]

_SCALE = 100
"""Tests may hold far longer values than questions do, as the reward allows."""

Test = tuple[str, str]
"""What goes in, and what must come out."""


class Refused(Exception):
    """A row gives no problem; says why, in words that can be counted."""


@dataclass(frozen=True, slots=True)
class CodeProblem:
    """One problem of a public set.

    Attributes:
        description: What the program must do.
        entry: The function to write, or an empty text for a program on standard input.
        tests: The tests; the first one is shown, the others are kept back.
        solution: A solution that the set gives, or an empty text.
        tier: How hard the set says it is, as one of our tiers, or an empty text.
    """

    description: str
    entry: str
    tests: tuple[Test, ...]
    solution: str = ""
    tier: str = ""


FORMS: dict[str, Callable[[Line], CodeProblem]] = {}
"""The forms of public sets, by name: what reads one row."""


def form(name: str) -> Callable[[Callable[[Line], CodeProblem]], Callable[[Line], CodeProblem]]:
    """Register the reader of a form.

    Args:
        name: The word before the colon.

    Returns:
        A decorator.
    """

    def registered(reader: Callable[[Line], CodeProblem]) -> Callable[[Line], CodeProblem]:
        FORMS[name] = reader
        return reader

    return registered


@form("eurus")
def _eurus(line: Line) -> CodeProblem:
    """Read a row of Eurus-2-RL-Data: tests as JSON, by standard input or by a function."""
    if line.columns.get("ability", "code") != "code":
        raise Refused("no code")
    truth = _mapping(line.of("reward_model")).get("ground_truth")
    told = _mapping(truth)
    given, results = told.get("inputs"), told.get("outputs")
    if not isinstance(given, list) or not isinstance(results, list) or len(given) != len(results):
        raise Refused("no test that can be checked")
    asked = [m for m in line.items("prompt") if isinstance(m, Mapping) and m.get("role") == "user"]
    if not asked or not isinstance(asked[-1].get("content"), str):
        raise Refused("no description")
    entry = told.get("fn_name") or ""
    pairs = list(zip(given, results, strict=True))
    tests = _calls(pairs) if entry else _printed(pairs)
    return CodeProblem(asked[-1]["content"], str(entry), tuple(tests))


@form("mbpp")
def _mbpp(line: Line) -> CodeProblem:
    """Read a row of MBPP: one assertion a test, and a reference solution."""
    description = line.text("text" if "text" in line.columns else "prompt")
    if line.columns.get("test_setup_code") or line.columns.get("test_imports"):
        raise Refused("tests need more than literals")
    asserts = [statement for text in line.items("test_list") for statement in _parsed(str(text))]
    return _by_asserts(description, asserts, line.text("code"))


@form("kodcode")
def _kodcode(line: Line) -> CodeProblem:
    """Read a row of KodCode: tests for pytest, and a reference solution."""
    functions = [
        statement
        for statement in _parsed(line.text("test"))
        if isinstance(statement, ast.FunctionDef)
    ]
    asserts = [statement for function in functions for statement in function.body]
    solution, tier = line.text("solution"), line.columns.get("gpt_difficulty")
    problem = _by_asserts(line.text("question"), asserts, solution)
    known = tier if tier in ("easy", "medium", "hard") else ""
    return CodeProblem(problem.description, problem.entry, problem.tests, solution, known)


def _by_asserts(description: str, statements: Sequence[ast.stmt], solution: str) -> CodeProblem:
    """Take the assertions that compare a call with a literal, about one function."""
    found = [test for statement in statements for test in _test_of(statement)]
    if not found:
        raise Refused("no test that can be checked")
    entry = Counter(name for name, _, _ in found).most_common(1)[0][0]
    tests = tuple((given, result) for name, given, result in found if name == entry)
    return CodeProblem(description, entry, tests, solution)


def _test_of(statement: ast.stmt) -> Iterator[tuple[str, str, str]]:
    """Read ``assert f(1, 2) == 3`` as a function's name, arguments and a result."""
    test = statement.test if isinstance(statement, ast.Assert) else None
    if isinstance(test, ast.Call):
        yield from _checked(test, "True")
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        # `assert not f(x)` holds for every empty value, too: it tells no result.
        return
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = test.left, test.comparators[0]
        if isinstance(test.ops[0], (ast.Eq, ast.Is)) and isinstance(left, ast.Call):
            yield from _checked(left, ast.unparse(right))


def _checked(call: ast.Call, result: str) -> Iterator[tuple[str, str, str]]:
    if not isinstance(call.func, ast.Name):
        return
    given = ", ".join(ast.unparse(part) for part in [*call.args, *call.keywords])
    if _can_be_read(given, result):
        yield call.func.id, given, result


def _can_be_read(given: str, result: str) -> bool:
    try:
        read_arguments(given, scale=_SCALE)
        read(result, scale=_SCALE)
    except LiteralError:
        return False
    return True


def _parsed(text: str) -> list[ast.stmt]:
    try:
        return tree_of(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Refused("tests that are no Python") from None


def _mapping(value: Any) -> Mapping[str, Any]:
    """Read a mapping, also where it is JSON text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if not isinstance(value, Mapping):
        raise Refused("no test that can be checked")
    return value


def _printed(pairs: Sequence[tuple[Any, Any]]) -> Iterator[Test]:
    """Take what is read and printed, each a text or a list of lines."""
    for pair in pairs:
        given, result = map(_lines, pair)
        if given is not None and result is not None:
            yield given, result


def _lines(value: Any) -> str | None:
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return value if isinstance(value, str) else None


def _calls(pairs: Sequence[tuple[Any, Any]]) -> Iterator[Test]:
    """Take arguments and results: both as values, or both as JSON text."""
    known = [call for pair in pairs for call in _call(*pair)]
    # Some sources put what is returned into a list of one.
    wrapped = all(isinstance(result, list) and len(result) == 1 for _, result in known)
    for arguments, result in known:
        test = ", ".join(map(repr, arguments)), repr(result[0] if wrapped else result)
        if _can_be_read(*test):
            yield test


def _call(given: Any, result: Any) -> Iterator[tuple[list[Any], Any]]:
    """Read one test's arguments and result, or give nothing."""
    if isinstance(given, list):
        # A text is a text here, also where it would be JSON of something else.
        yield given, result
    elif isinstance(given, str) and isinstance(result, str):
        # An argument a line.
        with contextlib.suppress(ValueError, RecursionError):
            yield [json.loads(line) for line in given.split("\n")], json.loads(result)
