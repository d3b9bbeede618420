"""Features: what a program can be asked to have besides its nest of control structures."""

from __future__ import annotations

import ast
from collections.abc import Callable

from curricula.shapes.facts import Facts, read_facts
from tracing.units import children, walk

__all__ = ["FEATURES", "features_of"]


def features_of(source: str) -> tuple[str, ...]:
    """List the features of a program.

    Args:
        source: A program that parses.

    Returns:
        Keys of :data:`FEATURES`, in name order.
    """
    facts = read_facts(source)
    return tuple(name for name in sorted(FEATURES) if FEATURES[name](facts))


def _any(*kinds: type[ast.AST]) -> Callable[[Facts], bool]:
    return lambda facts: bool(facts.of(*kinds))


def _early_return(facts: Facts) -> bool:
    own = sum(isinstance(last, ast.Return) for f in facts.of(ast.FunctionDef) for last in f.body)
    # Where each return is a statement of a function's own body, none can be early.
    return own < len(facts.of(ast.Return)) and any(
        isinstance(inner, ast.Return)
        for node in facts.of(ast.If, ast.For, ast.While)
        for inner in walk(node)
    )


def _recursion(facts: Facts) -> bool:
    called = {call.func.id for call in facts.of(ast.Call) if isinstance(call.func, ast.Name)}
    return any(
        isinstance(inner, ast.Call)
        and isinstance(inner.func, ast.Name)
        and inner.func.id == node.name
        for node in facts.of(ast.FunctionDef)
        if node.name in called
        for inner in walk(node)
    )


def _closure(facts: Facts) -> bool:
    functions = facts.of(ast.FunctionDef)
    nested = [node for node in functions if node not in facts.tree.body]
    for inner in nested:
        used = {n.id for n in walk(inner) if isinstance(n, ast.Name)} - _bound(inner)
        around = [f for f in functions if f is not inner and inner in walk(f)]
        if any(used & (_bound(outer) - {inner.name}) for outer in around):
            return True
    return False


def _bound(function: ast.FunctionDef) -> set[str]:
    """Names that a function binds itself, not counting functions inside it."""
    names = {a.arg for a in function.args.args}
    todo: list[ast.AST] = list(function.body)
    free: set[str] = set()
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        if isinstance(node, ast.Nonlocal):
            free.update(node.names)
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        else:
            todo.extend(children(node))
    return names - free


def _string_building(facts: Facts) -> bool:
    texts = {
        target.id
        for node in facts.of(ast.Assign)
        if isinstance(node.value, ast.JoinedStr)
        or (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return bool(texts) and any(
        isinstance(inner, ast.AugAssign)
        and isinstance(inner.op, ast.Add)
        and isinstance(inner.target, ast.Name)
        and inner.target.id in texts
        for node in facts.of(ast.For, ast.While)
        for inner in walk(node)
    )


_MUTATORS = frozenset(
    "append extend insert pop remove clear sort reverse add discard update setdefault".split()
)


def _alias_mutation(facts: Facts) -> bool:
    """Two names of one object, of which one is changed in place."""
    pairs = {
        name
        for node in facts.of(ast.Assign)
        if isinstance(node.value, ast.Name)
        for target in node.targets
        if isinstance(target, ast.Name)
        for name in (target.id, node.value.id)
    }
    changed = [
        call.func.value
        for call in facts.of(ast.Call)
        if isinstance(call.func, ast.Attribute) and call.func.attr in _MUTATORS
    ]
    changed += [
        node.value for node in facts.of(ast.Subscript) if isinstance(node.ctx, (ast.Store, ast.Del))
    ]
    return any(isinstance(node, ast.Name) and node.id in pairs for node in changed)


FEATURES: dict[str, Callable[[Facts], bool]] = {
    "alias_mutation": _alias_mutation,
    "break": _any(ast.Break),
    "class_": _any(ast.ClassDef),
    "closure": _closure,
    "continue": _any(ast.Continue),
    "early_return": _early_return,
    "finally": lambda facts: any(n.finalbody for n in facts.of(ast.Try)),
    "for_else": lambda facts: any(n.orelse for n in facts.of(ast.For)),
    "generator": _any(ast.Yield, ast.YieldFrom),
    "match": _any(ast.Match),
    "recursion": _recursion,
    "several_helpers": lambda facts: facts.helpers > 1,
    "string_building": _string_building,
    "try_except": lambda facts: any(n.handlers for n in facts.of(ast.Try)),
    "while_two_conditions": lambda facts: any(
        isinstance(n.test, ast.BoolOp) for n in facts.of(ast.While)
    ),
}
"""What else a program can be asked to have, and how that is seen on its tree."""
