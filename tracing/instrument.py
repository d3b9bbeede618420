"""The first tracer: rewrites the program so that it tells of its own steps.

Before each unit, in each header and around each body stands a call of a hook;
so the steps follow from the source alone and are the same on every CPython. The
rewritten tree is compiled, never printed. What the program itself computes does
not change: hooks return what was there, ``try`` blocks raise on what they catch.

Source: docs/semantics.md, sections 2, 7 and 9.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, TypeVar

from tracing.recorder import Recorder, closing_calls
from tracing.units import case_line, is_stepless, parse

__all__ = ["IDLE", "compile_program", "hooks"]

# Names that both begin and end with underscores are not mangled inside a class.
_STEP, _LOOP, _CLAUSE = "__xv_step__", "__xv_loop__", "__xv_clause__"
_Node = TypeVar("_Node", bound=ast.AST)
_RAISED, _CLOSE, _LEAVE = "__xv_raised__", "__xv_close__", "__xv_leave__"


def compile_program(source: str) -> tuple[CodeType, frozenset[Any]]:
    """Compile a program with hooks in it.

    Args:
        source: A program that :func:`tracing.support.check` lets pass.

    Returns:
        The module's code, to be run in a namespace that holds :func:`hooks`, and the places
        of its ``close`` calls.

    Raises:
        ProgramError: It does not parse.
    """
    tree = parse(source)
    lines = source.split("\n")
    closing = closing_calls(tree)
    _Rewriter(lines).module(tree.body)
    return compile(tree, "<program>", "exec", dont_inherit=True), closing


def hooks(recorder: Recorder) -> dict[str, Callable[..., Any]]:
    """Make the functions that a rewritten program calls.

    Args:
        recorder: Where the steps go.

    Returns:
        The functions by the names that the program knows them by.
    """
    frame_of = sys._getframe

    def step(scope: int, line: int) -> None:
        recorder.step(frame_of(1), scope, line)

    def loop(scope: int, line: int, _begun: None, iterable: Any) -> Iterator[Any]:
        # The first step was begun before the iterable was evaluated.
        for item in iterable:
            yield item
            recorder.step(frame_of(1), scope, line)

    def clause(scope: int, line: int, first: bool) -> None:
        frame = frame_of(1)
        exception = sys.exc_info()[1]
        if exception is not None:
            if first:
                recorder.charge(frame, exception)
            recorder.step(frame, scope, line)
            recorder.passing(frame, exception)

    def raised() -> None:
        exception = sys.exc_info()[1]
        if exception is not None:
            recorder.charge(frame_of(1), exception)

    def close() -> None:
        recorder.close(frame_of(1))

    def leave() -> None:
        recorder.leave(frame_of(1))

    return {
        _STEP: step,
        _LOOP: loop,
        _CLAUSE: clause,
        _RAISED: raised,
        _CLOSE: close,
        _LEAVE: leave,
    }


def _nothing(*arguments: Any) -> None:
    return None


IDLE: dict[str, Callable[..., Any]] = {
    **dict.fromkeys((_STEP, _CLAUSE, _RAISED, _CLOSE, _LEAVE), _nothing),
    _LOOP: lambda scope, line, begun, iterable: iterable,
}
"""Hooks that record nothing, for the statements that run before the call."""


class _Rewriter:
    """Puts the hooks in; changes the tree in place."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.scope = 0

    def module(self, body: list[ast.stmt]) -> None:
        """Rewrite the functions among statements that are no steps themselves."""
        for node in body:
            if isinstance(node, ast.FunctionDef):
                self.function(node)
            elif isinstance(node, ast.ClassDef):
                self.module(node.body)
            else:
                for part in ("body", "orelse", "finalbody"):
                    self.module(getattr(node, part, []))
                for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                    self.module(inner.body)

    def function(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        """Rewrite a scope: hooks before its units, and around all of them."""
        outer, self.scope = self.scope, node.lineno
        body = node.body
        kept = 1 if is_stepless(body[0], first=True) and isinstance(body[0], ast.Expr) else 0
        inner = self.statements(body[kept:])
        if inner:
            guarded = _located(
                ast.Try(
                    body=inner,
                    handlers=[_on_exception(node)],
                    orelse=[],
                    finalbody=[_statement(_call(_LEAVE), node)],
                ),
                node,
            )
            node.body = [*body[:kept], guarded]
        self.scope = outer

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for node in body:
            if is_stepless(node, first=False):
                made.append(node)
                continue
            if not isinstance(node, (ast.If, ast.While, ast.For)):
                made.append(_statement(self.step(node.lineno), node))
            made.append(self.inside(node))
        return made

    def step(self, line: int) -> ast.Call:
        return _call(_STEP, self.scope, line)

    def inside(self, node: ast.stmt) -> ast.stmt:
        """Rewrite what a statement holds; give what stands in its place."""
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.function(node)
        elif isinstance(node, (ast.If, ast.While)):
            node.test = self.header(node.lineno, node.test)
            node.body = self.statements(node.body)
            node.orelse = self.statements(node.orelse)
        elif isinstance(node, ast.For):
            begun = self.step(node.lineno)
            node.iter = _located(_call(_LOOP, self.scope, node.lineno, begun, node.iter), node.iter)
            node.body = self.statements(node.body)
            node.orelse = self.statements(node.orelse)
        elif isinstance(node, ast.With):
            # Marked before __exit__ runs, which may swallow the exception.
            guarded = ast.Try(
                body=self.statements(node.body),
                handlers=[_on_exception(node)],
                orelse=[],
                finalbody=[],
            )
            node.body = [_located(guarded, node)]
        elif isinstance(node, ast.Try):
            return self.try_statement(node)
        elif isinstance(node, ast.Match):
            node.cases = [made for case in node.cases for made in self.case(case)]
        return node

    def header(self, line: int, test: ast.expr) -> ast.expr:
        """Make ``step() or test``; the hook gives None, so the test's value is the header's."""
        return _located(ast.BoolOp(op=ast.Or(), values=[self.step(line), test]), test)

    def case(self, case: ast.match_case) -> Iterator[ast.match_case]:
        """Yield a case that never fits, whose guard is the step, and the case itself."""
        line = case_line(case, self.lines)
        told = ast.match_case(
            pattern=_located(ast.MatchAs(), case.pattern),
            guard=_located(self.step(line), case.pattern),
            body=[_located(ast.Pass(), case.pattern)],
        )
        case.body = self.statements(case.body)
        yield told
        yield case

    def try_statement(self, node: ast.Try) -> ast.stmt:
        node.body = self.statements(node.body)
        for place, handler in enumerate(node.handlers):
            told = _call(_CLAUSE, self.scope, handler.lineno, place == 0)
            caught = handler.type or ast.Name(id="BaseException", ctx=ast.Load())
            handler.type = _located(ast.BoolOp(op=ast.Or(), values=[told, caught]), handler)
            handler.body = self.statements(handler.body)
        node.orelse = self.statements(node.orelse)
        if not node.finalbody:
            return node
        final = self.statements(node.finalbody)
        inner: list[ast.stmt] = list(node.body)
        if node.handlers:
            inner = [_located(ast.Try(node.body, node.handlers, node.orelse, []), node)]
        # The inner try marks the step that raised before the first of ``finally`` begins.
        guarded = _located(ast.Try(inner, [_on_exception(node)], [], []), node)
        final.append(_statement(_call(_CLOSE), node))
        return _located(ast.Try([guarded], [], [], final), node)


def _call(name: str, *arguments: int | ast.expr) -> ast.Call:
    return ast.Call(
        func=ast.Name(id=name, ctx=ast.Load()),
        args=[a if isinstance(a, ast.expr) else ast.Constant(value=a) for a in arguments],
        keywords=[],
    )


def _statement(call: ast.Call, place: ast.AST) -> ast.stmt:
    return _located(ast.Expr(value=call), place)


def _on_exception(place: ast.AST) -> ast.ExceptHandler:
    """Make ``except BaseException: raised(); raise``."""
    handler = ast.ExceptHandler(
        type=ast.Name(id="BaseException", ctx=ast.Load()),
        name=None,
        body=[ast.Expr(value=_call(_RAISED)), ast.Raise()],
    )
    return _located(handler, place)


def _located(node: _Node, place: ast.AST) -> _Node:
    """Give a new node, and new ones inside it, the place of an old one."""
    where = {
        name: getattr(place, name)
        for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")
    }
    todo: list[ast.AST] = [node]
    while todo:
        made = todo.pop()
        if not hasattr(made, "lineno"):
            if "lineno" in made._attributes:
                made.__dict__.update(where)
            todo.extend(ast.iter_child_nodes(made))
    return node
