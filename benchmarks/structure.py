"""The structural features of a program's text, by which benchmarks/realism.py compares.

Counts of what the tree holds and how deep it goes; nothing about names, layout or what
a run does. Every feature is a number, and all programs have the same ones.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Sequence

from tracing.units import bodies, units_of

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_NESTING = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)
_BUILTINS = frozenset(dir(builtins))

# What one node adds to which count.
_COUNTED: dict[str, tuple[type[ast.AST], ...]] = {
    "for": (ast.For,),
    "while": (ast.While,),
    "comprehensions": _COMPREHENSIONS,
    "conditional expressions": (ast.IfExp,),
    "lambdas": (ast.Lambda,),
    "returns": (ast.Return,),
    "break or continue": (ast.Break, ast.Continue),
    "try or raise": (ast.Try, ast.Raise, ast.Assert),
    "assignments": (ast.Assign, ast.AnnAssign),
    "augmented assignments": (ast.AugAssign,),
    "expression statements": (ast.Expr,),
    "calls": (ast.Call,),
    "subscripts": (ast.Subscript,),
    "slices": (ast.Slice,),
    "comparisons": (ast.Compare,),
    "and or or": (ast.BoolOp,),
    "arithmetic": (ast.BinOp,),
    "signs and not": (ast.UnaryOp,),
    "list displays": (ast.List,),
    "tuple displays": (ast.Tuple,),
    "dict and set displays": (ast.Dict, ast.Set),
    "formatted strings": (ast.JoinedStr,),
}


def features(source: str, entry: str) -> dict[str, float]:
    """Measure a program's text: the features that the classifier sees, by name."""
    tree = units_of(source).tree
    nodes = list(ast.walk(tree))
    kinds = Counter(map(type, nodes))
    found = {name: float(sum(kinds[k] for k in some)) for name, some in _COUNTED.items()}
    found |= _sizes(source, tree, entry, len(nodes))
    found |= _branches(nodes)
    found |= _calls(nodes)
    found |= _variables_and_constants(nodes)
    return found


def _sizes(source: str, tree: ast.Module, entry: str, nodes: int) -> dict[str, float]:
    lines = [line for line in source.splitlines() if line.strip()]
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    chosen = next((n for n in functions if n.name == entry), None)
    return {
        "lines": len(lines),
        "statements": len(units_of(source).by_line),
        "nodes": nodes,
        "depth": _depth(tree.body),
        "deepest expression": _expression_depth(tree),
        "functions": len(functions),
        "parameters": len(chosen.args.args) if chosen else 0,
    }


def _depth(body: Iterable[ast.stmt]) -> int:
    """Count how deep control structures nest; an ``elif`` is no deeper than its ``if``."""
    deepest = 0
    for node in body:
        inner = 0
        for part in bodies(node):
            is_elif = isinstance(node, ast.If) and part is node.orelse and _is_elif(node)
            inner = max(inner, _depth(part) - is_elif)
        for clause in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            inner = max(inner, _depth(clause.body))
        deepest = max(deepest, inner + isinstance(node, _NESTING))
    return deepest


def _is_elif(node: ast.If) -> bool:
    """Tell whether the else part of an ``if`` is an ``elif``, which begins in its column."""
    first = node.orelse[0] if node.orelse else None
    return isinstance(first, ast.If) and first.col_offset == node.col_offset


def _expression_depth(node: ast.AST) -> int:
    inner = max(map(_expression_depth, ast.iter_child_nodes(node)), default=0)
    leaf = isinstance(node, (ast.Name, ast.Constant)) or not isinstance(node, ast.expr)
    return inner + (not leaf)


def _branches(nodes: Sequence[ast.AST]) -> dict[str, float]:
    ifs = [node for node in nodes if isinstance(node, ast.If)]
    elifs = sum(map(_is_elif, ifs))
    return {
        "if": len(ifs) - elifs,
        "elif": elifs,
        "else": sum(bool(node.orelse) for node in ifs) - elifs,
    }


def _calls(nodes: Sequence[ast.AST]) -> dict[str, float]:
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    methods = [c.func.attr for c in calls if isinstance(c.func, ast.Attribute)]
    plain = [c.func.id for c in calls if isinstance(c.func, ast.Name)]
    return {
        "method calls": len(methods),
        "distinct methods": len(set(methods)),
        "built-in calls": sum(name in _BUILTINS for name in plain),
    }


def _variables_and_constants(nodes: Sequence[ast.AST]) -> dict[str, float]:
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return {
        "variables": len(stored),
        "numbers": sum(isinstance(v, (int, float)) for v in values),
        "texts": sum(isinstance(v, (str, bytes)) for v in values),
    }
