"""Shapes: the constraints that a program is made for, and the proof that it meets them.

A shape is data. :meth:`Shape.check` looks at a program's tree alone, knows nothing of how
it was made, and works on any program, ours or not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tracing.errors import UsageError, shorten
from tracing.units import children, tree_of, walk

__all__ = ["CONTROL", "FEATURES", "Shape", "features_of", "nesting_of"]

CONTROL = ("if", "if-elif", "for", "while")
"""Control structures; a shape nests up to three of them."""

_FUNCTIONS = (ast.FunctionDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Shape:
    """Constraints on a program.

    Attributes:
        type: The built-in type under test, or ``"builtins"`` for a built-in function.
        method: The method or function under test.
        nested_calls: How deep its calls nest, in receivers or arguments; 1 is one call.
        control: Control structures that nest, from the outside in; none nest deeper.
        helpers: Functions of the module that the entry calls, directly or not.
        extra_methods: Further methods that the program calls, in name order.
        features: Keys of :data:`FEATURES`, in name order.

    Raises:
        UsageError: A constraint is none that can be checked.
    """

    type: str
    method: str
    nested_calls: int = 1
    control: tuple[str, ...] = ()
    helpers: int = 0
    extra_methods: tuple[str, ...] = ()
    features: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for kind in self.control:
            if kind not in CONTROL:
                raise UsageError(f"there is no control structure {shorten(kind)}")
        for feature in self.features:
            if feature not in FEATURES:
                raise UsageError(f"there is no feature {shorten(feature)}")

    def check(self, source: str) -> list[str]:
        """Prove that a program meets this shape.

        Args:
            source: Any program.

        Returns:
            What it does not meet, in sentences; empty where it meets all.
        """
        try:
            facts = _facts(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return [f"it does not parse: {error}"]
        depth = facts.call_depth(self.method)
        wrong = []
        if depth < self.nested_calls:
            wrong.append(f"calls of {self.method} nest {depth} deep, not {self.nested_calls}")
        if self.control != facts.control_at(len(self.control), self.control):
            wrong.append(f"no control structures nest as {' > '.join(self.control)}")
        if facts.depth > len(self.control):
            wrong.append(f"control structures nest {facts.depth} deep, not {len(self.control)}")
        if facts.helpers != self.helpers:
            wrong.append(f"the entry calls {facts.helpers} helpers, not {self.helpers}")
        for method in self.extra_methods:
            if not facts.call_depth(method):
                wrong.append(f"{method} is never called")
        for feature in self.features:
            if feature not in facts.features:
                wrong.append(f"there is no {feature}")
        return wrong


class _Facts:
    """What a program's tree says."""

    def __init__(self, source: str) -> None:
        tree = tree_of(source)
        self.nodes = list(walk(tree))
        self.tree = tree
        self.functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
        self.paths = list(_paths(tree.body, ()))
        self.depth = max(map(len, self.paths), default=0)

    @property
    def helpers(self) -> int:
        """Functions and classes of the module that the entry reaches."""
        names = {n.name for n in self.tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        if not self.functions:
            return 0
        uses = {
            n.name: {m.id for m in walk(n) if isinstance(m, ast.Name)} & names - {n.name}
            for n in self.tree.body
            if isinstance(n, (ast.FunctionDef, ast.ClassDef))
        }
        used = set().union(*uses.values())
        entry = [name for name in self.functions if name not in used]
        reached, todo = set(), list(uses[entry[-1]] if entry else ())
        while todo:
            name = todo.pop()
            if name not in reached:
                reached.add(name)
                todo.extend(uses[name])
        return len(reached)

    def call_depth(self, method: str) -> int:
        """How deep calls of a method or function nest in each other."""
        return max((_depth(node, method) for node in self.tree.body), default=0)

    def control_at(self, length: int, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """Give ``wanted`` where control structures nest so from the outside, else another."""
        if not wanted:
            return ()
        return wanted if any(path[:length] == wanted for path in self.paths) else ("none",)

    @property
    def features(self) -> frozenset[str]:
        return frozenset(name for name, found in FEATURES.items() if found(self))


@lru_cache(maxsize=64)
def _facts(source: str) -> _Facts:
    return _Facts(source)


def features_of(source: str) -> tuple[str, ...]:
    """List the features of a program.

    Args:
        source: A program that parses.

    Returns:
        Keys of :data:`FEATURES`, in name order.
    """
    return tuple(sorted(_facts(source).features))


def nesting_of(source: str) -> tuple[str, ...]:
    """Give the deepest nesting of control structures, the first of them in the source.

    Args:
        source: A program that parses.

    Returns:
        Their kinds from the outside in.
    """
    return max(_facts(source).paths, key=len, default=())


def _paths(body: list[ast.stmt], path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the nestings of control structures; a function begins a new one."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield from _paths(node.body, ())
        elif isinstance(node, ast.If):
            yield from _if_paths(node, path)
        elif isinstance(node, (ast.For, ast.While)):
            inner = (*path, "for" if isinstance(node, ast.For) else "while")
            yield inner
            yield from _paths(node.body + node.orelse, inner)
        else:
            for part in ("body", "orelse", "finalbody"):
                yield from _paths(getattr(node, part, []), path)
            for clause in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from _paths(clause.body, path)


def _if_paths(node: ast.If, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    chained = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
    inner = (*path, "if-elif" if chained else "if")
    yield inner
    while True:
        yield from _paths(node.body, inner)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node = node.orelse[0]
        else:
            break
    yield from _paths(node.orelse, inner)


def _depth(node: ast.AST, method: str) -> int:
    """How deep calls of a method nest below a node."""
    inside = max((_depth(child, method) for child in children(node)), default=0)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else None
        if isinstance(node.func, ast.Name):
            name = node.func.id
        return inside + (name == method)
    return inside


def _any(*kinds: type[ast.AST]) -> Callable[[_Facts], bool]:
    return lambda facts: any(isinstance(node, kinds) for node in facts.nodes)


def _early_return(facts: _Facts) -> bool:
    return any(
        isinstance(inner, ast.Return)
        for node in facts.nodes
        if isinstance(node, (ast.If, ast.For, ast.While))
        for inner in walk(node)
    )


def _recursion(facts: _Facts) -> bool:
    return any(
        isinstance(inner, ast.Call)
        and isinstance(inner.func, ast.Name)
        and inner.func.id == node.name
        for node in facts.nodes
        if isinstance(node, ast.FunctionDef)
        for inner in walk(node)
    )


def _closure(facts: _Facts) -> bool:
    for outer in facts.nodes:
        if not isinstance(outer, ast.FunctionDef):
            continue
        for inner in walk(outer):
            if inner is not outer and isinstance(inner, ast.FunctionDef):
                own = _bound(inner)
                used = {n.id for n in walk(inner) if isinstance(n, ast.Name)} - own
                if used & (_bound(outer) - {inner.name}):
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


def _string_building(facts: _Facts) -> bool:
    texts = {
        target.id
        for node in facts.nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.value, (ast.Constant, ast.JoinedStr))
        and (isinstance(node.value, ast.JoinedStr) or isinstance(node.value.value, str))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return any(
        isinstance(inner, ast.AugAssign)
        and isinstance(inner.op, ast.Add)
        and isinstance(inner.target, ast.Name)
        and inner.target.id in texts
        for node in facts.nodes
        if isinstance(node, (ast.For, ast.While))
        for inner in walk(node)
    )


_MUTATORS = frozenset(
    "append extend insert pop remove clear sort reverse add discard update setdefault".split()
)


def _alias_mutation(facts: _Facts) -> bool:
    """Two names of one object, of which one is changed in place."""
    pairs = {
        name
        for node in facts.nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
        for target in node.targets
        if isinstance(target, ast.Name)
        for name in (target.id, node.value.id)
    }
    for node in facts.nodes:
        changed = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changed = node.func.value if node.func.attr in _MUTATORS else None
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            changed = node.value
        if isinstance(changed, ast.Name) and changed.id in pairs:
            return True
    return False


FEATURES: dict[str, Callable[[_Facts], bool]] = {
    "alias_mutation": _alias_mutation,
    "break": _any(ast.Break),
    "class_": _any(ast.ClassDef),
    "closure": _closure,
    "continue": _any(ast.Continue),
    "early_return": _early_return,
    "finally": lambda f: any(isinstance(n, ast.Try) and bool(n.finalbody) for n in f.nodes),
    "for_else": lambda f: any(isinstance(n, ast.For) and bool(n.orelse) for n in f.nodes),
    "generator": _any(ast.Yield, ast.YieldFrom),
    "match": _any(ast.Match),
    "recursion": _recursion,
    "several_helpers": lambda facts: facts.helpers > 1,
    "string_building": _string_building,
    "try_except": lambda f: any(isinstance(n, ast.Try) and bool(n.handlers) for n in f.nodes),
    "while_two_conditions": lambda f: any(
        isinstance(n, ast.While) and isinstance(n.test, ast.BoolOp) for n in f.nodes
    ),
}
"""What else a program can be asked to have, and how that is seen on its tree."""
