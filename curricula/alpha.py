"""Rewrites a program so that only its structure is left: names, constants, comments gone.

Two programs that differ in how things are called, in the values of constants, in
annotations, docstrings or layout become one tree. Names are resolved by Python's
scoping rules, so two uses get one name exactly where they mean one variable. Names that
the program does not bind (built-in functions, modules) and attributes that it does not
define (methods of built-in types) stay.

It does not run, judge or print anything; :mod:`synth.dedup` compares the trees.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tracing.units import children, parse, walk

__all__ = ["normalise"]

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def normalise(source: str) -> ast.Module:
    r"""Parse a program and rename it canonically.

    Args:
        source: A program.

    Returns:
        A tree in which every name that the program binds is ``v0``, ``v1``, ... in the
        order of first sight and every constant its type's name, without docstrings and
        annotations. It holds no text but names, so its dump can be cut by patterns.

    Raises:
        ProgramError: The source does not parse.

    Example:
        >>> ast.unparse(normalise("def f(xs):\n    return len(xs) + 1\n"))
        "def v0(v1):\n    return len(v1) + 'int'"
    """
    tree = parse(source)
    _Renamer(_own_attributes(tree)).module(tree)
    return tree


class _Scope:
    """The names that one module, function, class or comprehension binds."""

    def __init__(self, parent: _Scope | None, names: Iterable[str], *, is_class: bool) -> None:
        self.parent = parent
        self.names: dict[str, str | None] = dict.fromkeys(names)
        self.is_class = is_class

    def owner(self, name: str) -> _Scope | None:
        """Find the scope whose name this is, by the rules of closures."""
        scope: _Scope | None = self
        while scope is not None and (
            name not in scope.names or (scope.is_class and scope is not self)
        ):
            scope = scope.parent
        return scope


class _Renamer:
    """Walks a tree once in source order and renames in place."""

    def __init__(self, attributes: frozenset[str]) -> None:
        self.attributes = attributes
        self.count = 0
        self.attribute_names: dict[str, str] = {}

    def fresh(self) -> str:
        name = f"v{self.count}"
        self.count += 1
        return name

    def name(self, name: str, scope: _Scope) -> str:
        owner = scope.owner(name)
        if owner is None:
            return name
        known = owner.names[name]
        if known is None:
            # The names of a class body are attributes as well, and are called the same there.
            shared = owner.is_class and name in self.attributes
            known = self.attribute(name) if shared else self.fresh()
            owner.names[name] = known
        return known

    def attribute(self, name: str) -> str:
        if name not in self.attributes:
            return name
        if name not in self.attribute_names:
            self.attribute_names[name] = self.fresh()
        return self.attribute_names[name]

    def module(self, tree: ast.Module) -> None:
        tree.body = _undocumented(tree.body)
        scope = _Scope(None, _bound(tree.body), is_class=False)
        for node in tree.body:
            self.visit(node, scope)

    def visit(self, node: ast.AST, scope: _Scope) -> None:
        kind = type(node)
        if kind in _FUNCTIONS:
            self.function(node, scope)  # type: ignore[arg-type]
        elif kind is ast.ClassDef:
            self.class_body(node, scope)  # type: ignore[arg-type]
        elif kind in _COMPREHENSIONS:
            self.comprehension(node, scope)  # type: ignore[arg-type]
        else:
            self.plain(node, scope)

    def plain(self, node: ast.AST, scope: _Scope) -> None:
        """Rename what a node itself holds, then visit its children."""
        match node:
            case ast.Name():
                node.id = self.name(node.id, scope)
            case ast.Constant():
                node.kind = None
                node.value = type(node.value).__name__
            case ast.JoinedStr():
                node.values = _joined(node.values)
            case ast.Attribute():
                node.attr = self.attribute(node.attr)
            case ast.Global() | ast.Nonlocal():
                node.names = [self.name(name, scope) for name in node.names]
            case ast.alias():
                bound = (node.asname or node.name).partition(".")[0]
                node.asname = self.name(bound, scope)
            case ast.AnnAssign():
                node.annotation = ast.Constant("type")
            case ast.Call(func=ast.Name(id=callee)) if scope.owner(callee) is not None:
                # Parameters of the program's own functions have no names of their own any more.
                for keyword in node.keywords:
                    keyword.arg = keyword.arg and "own"
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name is not None:
                node.name = self.name(node.name, scope)
            case ast.MatchMapping() if node.rest is not None:
                node.rest = self.name(node.rest, scope)
            case ast.MatchClass():
                node.kwd_attrs = [self.attribute(name) for name in node.kwd_attrs]
        for child in children(node):
            self.visit(child, scope)

    def function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: _Scope
    ) -> None:
        body: list[ast.AST]
        if isinstance(node, ast.Lambda):
            body = [node.body]
        else:
            for decorator in node.decorator_list:
                self.visit(decorator, scope)
            node.name = self.name(node.name, scope)
            node.returns = None
            node.body = _undocumented(node.body)
            body = [*node.body]
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default, scope)
        parameters = _parameters(node.args)
        inner = _Scope(scope, [p.arg for p in parameters] + _bound(body), is_class=False)
        for parameter in parameters:
            parameter.arg = self.name(parameter.arg, inner)
            parameter.annotation = None
        for part in body:
            self.visit(part, inner)

    def class_body(self, node: ast.ClassDef, scope: _Scope) -> None:
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(part, scope)
        node.name = self.name(node.name, scope)
        node.body = _undocumented(node.body)
        inner = _Scope(scope, _bound(node.body), is_class=True)
        for statement in node.body:
            self.visit(statement, inner)

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: _Scope
    ) -> None:
        targets = [generator.target for generator in node.generators]
        inner = _Scope(scope, _bound(targets), is_class=False)
        for place, generator in enumerate(node.generators):
            # The first iterable is evaluated outside; the rest sees the targets.
            self.visit(generator.iter, scope if place == 0 else inner)
            self.visit(generator.target, inner)
            for condition in generator.ifs:
                self.visit(condition, inner)
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for result in results:
            self.visit(result, inner)


def _undocumented(body: list[ast.stmt]) -> list[ast.stmt]:
    """Drop a docstring, and statements that are nothing but an annotation."""
    kept = [
        node
        for place, node in enumerate(body)
        if not (isinstance(node, ast.AnnAssign) and node.value is None)
        and not (
            place == 0
            and isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        )
    ]
    return kept or [ast.Pass()]


def _joined(values: list[ast.expr]) -> list[ast.expr]:
    """Keep one text between two fields; 3.12.0 to 3.12.1 add empty ones and split others."""
    kept: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.Constant) and (value.value == "" or _ends_in_text(kept)):
            continue
        kept.append(value)
    return kept


def _ends_in_text(values: list[ast.expr]) -> bool:
    return bool(values) and isinstance(values[-1], ast.Constant)


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    extra = [arguments.vararg, arguments.kwarg]
    return [
        *arguments.posonlyargs,
        *arguments.args,
        *(p for p in extra[:1] if p is not None),
        *arguments.kwonlyargs,
        *(p for p in extra[1:] if p is not None),
    ]


def _bound(body: Iterable[ast.AST]) -> list[str]:
    """List the names that these nodes bind in their own scope, in source order."""
    names: list[str] = []
    outer: set[str] = set()
    for node in _own_nodes(body):
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del()):
                names.append(node.id)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.append(node.name)
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name is not None:
                names.append(node.name)
            case ast.MatchMapping() if node.rest is not None:
                names.append(node.rest)
            case ast.alias():
                names.append((node.asname or node.name).partition(".")[0])
            case ast.Global() | ast.Nonlocal():
                outer.update(node.names)
    return [name for name in dict.fromkeys(names) if name not in outer]


def _own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Walk nodes in source order without entering scopes of their own.

    A walrus inside a comprehension binds outside it, so that is looked for there too.
    """
    for node in body:
        yield node
        if isinstance(node, _COMPREHENSIONS):
            for inner in walk(node):
                if isinstance(inner, ast.NamedExpr):
                    yield inner.target
        elif isinstance(node, _FUNCTIONS):
            yield from _own_nodes((*node.args.defaults, *filter(None, node.args.kw_defaults)))
        elif isinstance(node, ast.ClassDef):
            yield from _own_nodes((*node.decorator_list, *node.bases))
        else:
            yield from _own_nodes(children(node))


def _own_attributes(tree: ast.Module) -> frozenset[str]:
    """Find the attributes that the program itself defines, special methods not among them."""
    names: set[str] = set()
    for node in walk(tree):
        if isinstance(node, ast.ClassDef):
            names.update(_bound(node.body))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return frozenset(name for name in names if not name.startswith("__"))
