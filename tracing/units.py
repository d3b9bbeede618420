"""The units of a program: what can be a step, and where.

Works on the ``ast`` alone, so one program has the same units on every CPython.
Whether a program may be traced at all is :mod:`tracing.support`'s to say; this
module assumes that it may (every unit begins on a line of its own).

Source: docs/semantics.md, sections 1 and 2.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal

from tracing.errors import ProgramError

__all__ = [
    "Kind",
    "Scope",
    "Unit",
    "Units",
    "bodies",
    "case_line",
    "children",
    "is_stepless",
    "lines_of",
    "parse",
    "tree_of",
    "units_in",
    "units_of",
    "walk",
]

Kind = Literal[
    "simple", "if", "while", "for", "with", "try", "except", "match", "case", "def", "class"
]

MAX_SOURCE = 100_000
"""The longest program that is read, in characters."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing whose start is a step.

    Attributes:
        line: The line it begins on (of the keyword, for a decorated ``def``); no two share one.
        kind: What it is.
        text: That line, stripped.
        scope: Number of the scope it runs in.
        withs: Lines of the ``with`` statements of the same scope whose body holds it.
    """

    line: int
    kind: Kind
    text: str
    scope: int
    withs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """A ``def``, or a ``class`` body inside one: what frames are activations of.

    Attributes:
        number: Its place in :attr:`Units.scopes`.
        name: Its name in the source.
        line: The line of its ``def`` or ``class`` keyword.
        kind: ``"function"`` or ``"class"``.
        is_generator: Whether the function yields.
    """

    number: int
    name: str
    line: int
    kind: Literal["function", "class"]
    is_generator: bool


@dataclass(frozen=True)
class Units:
    """All units and scopes of a program.

    Attributes:
        tree: The parsed program.
        by_line: The units by line, in source order.
        scopes: The scopes in source order.
    """

    tree: ast.Module
    by_line: dict[int, Unit]
    scopes: tuple[Scope, ...]
    _texts: dict[str, int] = field(repr=False, default_factory=dict)

    def unique_text(self, line: int) -> str | None:
        """Give the text of a unit where no other unit has the same.

        Args:
            line: A line number, from 1.

        Returns:
            The stripped header line, or None.
        """
        unit = self.by_line.get(line)
        return unit.text if unit is not None and self._texts[unit.text] == 1 else None

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the tree but contexts and operators, parents first."""
        return tuple(walk(self.tree))

    @cached_property
    def below(self) -> dict[int, int]:
        """For each unit's line, the line of the unit that stands next in the source."""
        lines = sorted(self.by_line)
        return dict(pairwise(lines))

    @cached_property
    def conditional(self) -> tuple[int, ...]:
        """Lines of the units that stand in a branch, a handler or a case."""
        return self._inside((ast.If, ast.ExceptHandler, ast.match_case))

    @cached_property
    def inside_loops(self) -> tuple[int, ...]:
        """Lines of the units that stand in a loop of their function."""
        return self._inside((ast.For, ast.While))

    def _inside(self, kinds: tuple[type[ast.AST], ...]) -> tuple[int, ...]:
        found: set[int] = set()
        for node in self.nodes:
            if isinstance(node, kinds):
                for body in bodies(node):
                    last = max(inner.end_lineno or inner.lineno for inner in body)
                    found.update(range(body[0].lineno, last + 1))
        return tuple(line for line in self.by_line if line in found)


_TRIES = 50


def parse(source: str) -> ast.Module:
    """Parse a program of the syntax of Python 3.11.

    Args:
        source: The program's text.

    Returns:
        Its tree.

    Raises:
        ProgramError: It does not parse.
    """
    if len(source) > MAX_SOURCE:
        raise ProgramError(
            f"the program has {len(source)} characters; at most {MAX_SOURCE} are read"
        )
    try:
        return tree_of(source)
    except SyntaxError as error:
        raise ProgramError(f"line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise ProgramError(f"the program cannot be parsed: {type(error).__name__}") from None


def tree_of(source: str) -> ast.Module:
    """Parse a text, whatever other threads are parsing at the time.

    CPython before 3.11.8 counts the depth of its trees in one place for all threads, and
    sometimes reports a ``SystemError`` for a text that is in order (cpython issue 106905).

    Args:
        source: The text.

    Returns:
        Its tree.

    Raises:
        SyntaxError: It does not parse; and what else :func:`ast.parse` raises.
    """
    for _ in range(_TRIES):
        try:
            return ast.parse(source, feature_version=(3, 11))
        except SystemError:
            continue
    return ast.parse(source, feature_version=(3, 11))


@lru_cache(maxsize=256)
def units_of(source: str) -> Units:
    """Find the units of a program.

    Args:
        source: The program's text.

    Returns:
        Its units and scopes.

    Raises:
        ProgramError: It does not parse.

    Example:
        >>> list(units_of("def f(n):\\n    return n\\n").by_line)
        [2]
    """
    return units_in(parse(source), source)


def units_in(tree: ast.Module, source: str) -> Units:
    """Find the units of a parsed program; see :func:`units_of`.

    Args:
        tree: What :func:`parse` gave.
        source: The program's text.

    Returns:
        Its units and scopes.
    """
    finder = _Finder(source)
    finder.module(tree.body)
    counts: dict[str, int] = {}
    for unit in finder.units.values():
        counts[unit.text] = counts.get(unit.text, 0) + 1
    return Units(tree, finder.units, tuple(finder.scopes), counts)


def walk(tree: ast.AST) -> list[ast.AST]:
    """List a node and all nodes inside it, like ``ast.walk`` and three times as fast.

    Args:
        tree: Any node.

    Returns:
        The nodes, parents before children; contexts and operators are left out.
    """
    found = [tree]
    for node in found:  # grows while it is walked
        found += children(node)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """List the nodes right inside a node in the order of its fields, but contexts and operators.

    Args:
        node: Any node.

    Returns:
        Its children, as ``ast.iter_child_nodes`` gives them, and faster.
    """
    kind = node.__class__
    names = _CHILDREN.get(kind)
    if names is None:
        names = _CHILDREN[kind] = _child_fields(kind)
    found: list[ast.AST] = []
    for name in names:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


# Fields that never hold a node that is worth a visit.
_LEAVES = frozenset(
    "ctx op ops id attr arg name rest module level kind type_comment type_ignores conversion "
    "is_async simple lineno".split()
)
_CHILDREN: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: ()}


def _child_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    return tuple(name for name in kind._fields if name not in _LEAVES)


def lines_of(source: str) -> list[str]:
    """Split a program into lines as the parser counts them.

    Args:
        source: The program's text.

    Returns:
        The lines without their ends.
    """
    return re.split("\r\n|\r|\n", source) if "\r" in source else source.split("\n")


def is_stepless(node: ast.stmt, *, first: bool) -> bool:
    """Tell whether a statement makes no step.

    Args:
        node: The statement.
        first: Whether it is the first of a function or class body (a docstring then).

    Returns:
        True for docstrings, ``global``, ``nonlocal`` and bare annotations of a name.

    Source: docs/semantics.md, 1.5.
    """
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return True
    if isinstance(node, ast.AnnAssign):
        return node.value is None and isinstance(node.target, ast.Name)
    return (
        first
        and isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def case_line(case: ast.match_case, lines: list[str]) -> int:
    """Find the line of a ``case`` keyword, which the ast does not keep.

    Args:
        case: The case.
        lines: The lines of the program.

    Returns:
        A line number, from 1.
    """
    line = case.pattern.lineno
    while line > 1 and not re.match(r"\s*case\b", lines[line - 1]):
        line -= 1
    return line


def bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the statement lists that a compound statement holds in its own scope.

    Args:
        node: A statement, an ``except`` handler or a ``case``.

    Yields:
        Its bodies in source order, those of handlers and cases not among them.
    """
    for name in ("body", "orelse", "finalbody"):
        part = getattr(node, name, None)
        if isinstance(part, list) and part and isinstance(part[0], ast.stmt):
            yield part


_KINDS: dict[type[ast.stmt], Kind] = {
    ast.If: "if",
    ast.While: "while",
    ast.For: "for",
    ast.With: "with",
    ast.Try: "try",
    ast.Match: "match",
    ast.FunctionDef: "def",
    ast.ClassDef: "class",
}


class _Finder:
    """Walks the statements once, in source order."""

    def __init__(self, source: str) -> None:
        self.lines = lines_of(source)
        self.may_yield = "yield" in source
        self.units: dict[int, Unit] = {}
        self.scopes: list[Scope] = []

    def module(self, body: list[ast.stmt]) -> None:
        """Walk statements that run before the call and are no steps; look for functions."""
        for node in body:
            if isinstance(node, ast.FunctionDef):
                self.function(node)
            elif isinstance(node, ast.ClassDef):
                self.module(node.body)
            else:
                for part in _parts(node):
                    self.module(part)

    def function(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        is_function = isinstance(node, ast.FunctionDef)
        scope = Scope(
            number=len(self.scopes),
            name=node.name,
            line=node.lineno,
            kind="function" if is_function else "class",
            is_generator=self.may_yield and is_function and _yields(node.body),
        )
        self.scopes.append(scope)
        self.statements(node.body, scope.number, (), body_of_scope=True)

    def statements(
        self, body: list[ast.stmt], scope: int, withs: tuple[int, ...], *, body_of_scope: bool
    ) -> None:
        for place, node in enumerate(body):
            if is_stepless(node, first=body_of_scope and place == 0):
                continue
            self.add(node.lineno, _KINDS.get(type(node), "simple"), scope, withs)
            self.inside(node, scope, withs)

    def inside(self, node: ast.stmt, scope: int, withs: tuple[int, ...]) -> None:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.function(node)
            return
        inner = (*withs, node.lineno) if isinstance(node, ast.With) else withs
        clauses: list[tuple[int, Kind, list[ast.stmt]]] = []
        if isinstance(node, ast.Try):
            clauses = [(h.lineno, "except", h.body) for h in node.handlers]
        elif isinstance(node, ast.Match):
            clauses = [(case_line(c, self.lines), "case", c.body) for c in node.cases]
        own = list(bodies(node))
        for part in own[:1]:
            self.statements(part, scope, inner, body_of_scope=False)
        for line, kind, body in clauses:
            self.add(line, kind, scope, withs)
            self.statements(body, scope, withs, body_of_scope=False)
        for part in own[1:]:
            self.statements(part, scope, withs, body_of_scope=False)

    def add(self, line: int, kind: Kind, scope: int, withs: tuple[int, ...]) -> None:
        self.units[line] = Unit(line, kind, self.lines[line - 1].strip(), scope, withs)


def _parts(node: ast.AST) -> Iterator[list[ast.stmt]]:
    yield from bodies(node)
    for clause in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield clause.body


def _yields(body: list[ast.stmt]) -> bool:
    """Tell whether these statements yield, not counting functions inside them."""
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))
    return False
