"""The nodes of a program's units: what each evaluates, reads and assigns itself.

Works on the tree alone; the bodies of a unit are other units'.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tracing import Trace
from tracing.units import case_line, lines_of, walk

__all__ = ["Clause", "header", "loaded", "nodes_by_line", "parameters", "simple_kind", "stored"]

Clause = ast.stmt | ast.ExceptHandler | ast.match_case
"""What can be a unit."""

_SIMPLE: tuple[tuple[type[ast.stmt], str], ...] = (
    (ast.Return, "return"),
    (ast.Continue, "continue"),
    (ast.Break, "break"),
    (ast.Pass, "pass"),
    (ast.Raise, "raise"),
    (ast.Expr, "call"),
    (ast.Assign, "assign"),
    (ast.AugAssign, "assign"),
    (ast.AnnAssign, "assign"),
)


def nodes_by_line(trace: Trace) -> Iterator[tuple[int, Clause]]:
    """Give the node of each unit by its line."""
    lines = lines_of(trace.source)
    for node in reversed(trace.units.nodes):
        if isinstance(node, (ast.stmt, ast.ExceptHandler)):
            yield node.lineno, node
        elif isinstance(node, ast.match_case):
            yield case_line(node, lines), node


def simple_kind(node: Clause) -> str:
    """Name what a simple statement is."""
    return next((name for kind, name in _SIMPLE if isinstance(node, kind)), "other")


def header(node: Clause) -> list[ast.expr | None]:
    """List the expressions that a unit evaluates itself, those of its body apart."""
    match node:
        case ast.If() | ast.While():
            return [node.test]
        case ast.For():
            return [node.iter]
        case ast.With():
            return [item.context_expr for item in node.items]
        case ast.Match():
            return [node.subject]
        case ast.match_case():
            return [node.guard]
        case ast.ExceptHandler() | ast.Try() | ast.FunctionDef() | ast.ClassDef():
            return []
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


def _names(node: Clause, kind: type[ast.expr_context]) -> Iterator[str]:
    for part in header(node):
        if part is not None:
            for inner in walk(part):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, kind):
                    yield inner.id


def loaded(node: Clause) -> tuple[str, ...]:
    """List the variables that a unit reads; names that its expressions bind are none."""
    bound: set[str] = set()
    for part in header(node):
        for inner in () if part is None else walk(part):
            if isinstance(inner, ast.comprehension):
                bound.update(n.id for n in walk(inner.target) if isinstance(n, ast.Name))
            elif isinstance(inner, ast.Lambda):
                bound.update(parameters(inner))
    names = [name for name in _names(node, ast.Load) if name not in bound]
    return tuple(dict.fromkeys(names))


def stored(node: Clause) -> frozenset[str]:
    """List the variables that a unit assigns itself."""
    targets = [node.target] if isinstance(node, ast.For) else []
    inside = {n.id for part in targets for n in walk(part) if isinstance(n, ast.Name)}
    return frozenset(inside | set(_names(node, ast.Store)))


def parameters(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    """List the names that a function binds by its parameters."""
    arguments = node.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return {a.arg for a in (*every, arguments.vararg, arguments.kwarg) if a is not None}
