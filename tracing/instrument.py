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
from collections.abc import Iterator
from types import CodeType
from typing import Any

from tracing.recorder import Recorder, closing_calls
from tracing.units import case_line, is_stepless, lines_of, parse

__all__ = ["compile_program", "hooks"]

# Names that both begin and end with underscores are not mangled inside a class.
_STEP, _LOOP, _CLAUSE = "__xv_step__", "__xv_loop__", "__xv_clause__"
_RAISED, _CLOSE, _LEAVE = "__xv_raised__", "__xv_close__", "__xv_leave__"
_BASE = "__xv_base__"


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
    lines = lines_of(source)
    closing = closing_calls(tree, source)
    _Rewriter(lines).module(tree.body)
    return compile(tree, "<program>", "exec", dont_inherit=True), closing


def hooks(recorder: Recorder) -> dict[str, Any]:
    """Make the functions that a rewritten program calls.

    Args:
        recorder: Where the steps go.

    Returns:
        The functions by the names that the program knows them by. They serve the module's
        statements too: a generator that is begun there may go on in the run.
    """
    frame_of = sys._getframe

    def step(scope: int, line: int) -> None:
        recorder.step(frame_of(1), scope, line)

    def loop(scope: int, line: int, _begun: None, iterable: Any) -> Iterator[Any]:
        # Here and not in the generator, which would turn a StopIteration into another error.
        return items(scope, line, iter(iterable))

    def items(scope: int, line: int, iterator: Iterator[Any]) -> Iterator[Any]:
        # The first step was begun before the iterable was evaluated. Another ``for`` would
        # call iter() on the iterator, which may be the program's own and have steps.
        while True:
            try:
                yield next(iterator)
            except StopIteration:
                return
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
        _BASE: BaseException,
    }


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
            guarded = _Try(inner, [_on_exception()], [], [_Expr(_call(_LEAVE))])
            node.body = [*body[:kept], guarded]
        self.scope = outer

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for node in body:
            if is_stepless(node, first=False):
                made.append(node)
                continue
            if not isinstance(node, (ast.If, ast.While, ast.For)):
                made.append(_Expr(self.step(node.lineno)))
            made.append(self.inside(node))
        return made

    def step(self, line: int) -> ast.Call:
        return _call(_STEP, self.scope, line)

    def inside(self, node: ast.stmt) -> ast.stmt:
        """Rewrite what a statement holds; give what stands in its place."""
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.function(node)
        elif isinstance(node, (ast.If, ast.While)):
            # The hook gives None, so the value of ``step() or test`` is the test's.
            node.test = _BoolOp(ast.Or(), [self.step(node.lineno), node.test])
            node.body = self.statements(node.body)
            node.orelse = self.statements(node.orelse)
        elif isinstance(node, ast.For):
            begun = self.step(node.lineno)
            node.iter = _call(_LOOP, self.scope, node.lineno, begun, node.iter)
            node.body = self.statements(node.body)
            node.orelse = self.statements(node.orelse)
        elif isinstance(node, ast.With):
            self.with_statement(node)
        elif isinstance(node, ast.Try):
            return self.try_statement(node)
        elif isinstance(node, ast.Match):
            node.cases = [made for case in node.cases for made in self.case(case)]
        return node

    def with_statement(self, node: ast.With) -> None:
        """Mark what raises before an ``__exit__`` runs, which may swallow the exception."""
        body = self.statements(node.body)
        # One ``with`` in another for each item: entering a later item may raise as well.
        for item in node.items[:0:-1]:
            body = [_With([item], [_Try(body, [_on_exception()], [], [])])]
        node.items = node.items[:1]
        node.body = [_Try(body, [_on_exception()], [], [])]

    def case(self, case: ast.match_case) -> Iterator[ast.match_case]:
        """Yield a case that never fits, whose guard is the step, and the case itself."""
        told = self.step(case_line(case, self.lines))
        case.body = self.statements(case.body)
        yield ast.match_case(pattern=_MatchAs(), guard=told, body=[_Pass()])
        yield case

    def try_statement(self, node: ast.Try) -> ast.stmt:
        node.body = self.statements(node.body)
        for place, handler in enumerate(node.handlers):
            told = _call(_CLAUSE, self.scope, handler.lineno, place == 0)
            handler.type = _BoolOp(ast.Or(), [told, handler.type or _BASE_EXCEPTION])
            handler.body = self.statements(handler.body)
        node.orelse = self.statements(node.orelse)
        if not node.finalbody:
            return node
        final = self.statements(node.finalbody)
        inner: list[ast.stmt] = list(node.body)
        if node.handlers:
            inner = [_Try(node.body, node.handlers, node.orelse, [])]
        # The inner try marks the step that raised before the first of ``finally`` begins.
        guarded = _Try(inner, [_on_exception()], [], [])
        return _Try([guarded], [], [], [*final, _Expr(_call(_CLOSE))])


# The compiler wants a place for every node. New ones stand nowhere in the source, so all
# have the same, from their class: setting it on each costs more than all the rest.


class _Placed:
    lineno: int = 1
    col_offset: int = 0
    end_lineno: int | None = 1
    end_col_offset: int | None = 0


class _Call(_Placed, ast.Call):
    pass


class _Name(_Placed, ast.Name):
    pass


class _Constant(_Placed, ast.Constant):
    pass


class _BoolOp(_Placed, ast.BoolOp):
    pass


class _Expr(_Placed, ast.Expr):
    pass


class _Pass(_Placed, ast.Pass):
    pass


class _Raise(_Placed, ast.Raise):
    pass


class _Try(_Placed, ast.Try):
    pass


class _With(_Placed, ast.With):
    pass


class _ExceptHandler(_Placed, ast.ExceptHandler):
    pass


class _MatchAs(ast.MatchAs):
    lineno = end_lineno = 1
    col_offset = end_col_offset = 0


_HOOKS = {
    name: _Name(name, ast.Load()) for name in (_STEP, _LOOP, _CLAUSE, _RAISED, _CLOSE, _LEAVE)
}
# Not the name BaseException, which the program may have given to something else.
_BASE_EXCEPTION = _Name(_BASE, ast.Load())


def _call(name: str, *arguments: int | ast.expr) -> ast.Call:
    given = [a if isinstance(a, ast.expr) else _Constant(a) for a in arguments]
    return _Call(_HOOKS[name], given, [])


def _on_exception() -> ast.ExceptHandler:
    """Make ``except BaseException: raised(); raise``."""
    return _ExceptHandler(_BASE_EXCEPTION, None, [_Expr(_call(_RAISED)), _Raise()])
