"""What a program's tree says: the facts that shapes and features are proved with."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TypeVar

from curricula.shapes.operations import OPERATIONS, names_of
from tracing.units import children, tree_of, walk

__all__ = ["Facts", "read_facts"]

_Node = TypeVar("_Node", bound=ast.AST)


class Facts:
    """What a program's tree says, each node of it listed once.

    Args:
        source: A program that parses.

    Raises:
        SyntaxError: It does not parse.
    """

    def __init__(self, source: str) -> None:
        self.tree = tree_of(source)
        self._inside = {node: walk(node) for node in self.tree.body}
        self._by_kind: dict[type[ast.AST], list[ast.AST]] = {}
        for nodes in self._inside.values():
            for node in nodes:
                self._by_kind.setdefault(node.__class__, []).append(node)

    def of(self, *kinds: type[_Node]) -> list[_Node]:
        """List the nodes of one of some kinds."""
        return [node for kind in kinds for node in self._by_kind.get(kind, ())]  # type: ignore[misc]

    @cached_property
    def paths(self) -> list[tuple[str, ...]]:
        """The nestings of control structures, from the outside in, as they stand in the source."""
        return list(_paths(self.tree.body, ()))

    @cached_property
    def depth(self) -> int:
        """How deep control structures nest."""
        return max(map(len, self.paths), default=0)

    @cached_property
    def helpers(self) -> int:
        """How many functions and classes of the module the entry reaches."""
        parts = {
            node.name: inside
            for node, inside in self._inside.items()
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        }
        uses = {
            name: {m.id for m in inside if isinstance(m, ast.Name)} & parts.keys() - {name}
            for name, inside in parts.items()
        }
        used = set().union(*uses.values())
        entry = [
            node.name
            for node in self.tree.body
            if isinstance(node, ast.FunctionDef) and node.name not in used
        ]
        reached: set[str] = set()
        todo = list(uses[entry[-1]] if entry else ())
        while todo:
            name = todo.pop()
            if name not in reached:
                reached.add(name)
                todo.extend(uses[name])
        return len(reached)

    def call_depth(self, method: str) -> int:
        """How deep calls of a method or function, or an operation, nest in each other."""
        among = self.of(*OPERATIONS.get(method, (ast.Call,)))
        found = [node for node in among if method in names_of(node)]
        # One nests in nothing: most programs need no walk.
        return len(found) if len(found) < 2 else max(_depth(node, method) for node in found)

    def nests(self, wanted: tuple[str, ...]) -> bool:
        """Tell whether control structures nest so from the outside."""
        return not wanted or any(path[: len(wanted)] == wanted for path in self.paths)


@lru_cache(maxsize=64)
def read_facts(source: str) -> Facts:
    """Read a program's facts; those of the last few programs are kept."""
    return Facts(source)


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
    """How deep calls of a method nest from a node down."""
    inside = max((_depth(child, method) for child in children(node)), default=0)
    return inside + (method in names_of(node))
