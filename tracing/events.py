"""The second tracer: listens to the interpreter's own events (``sys.settrace``).

The program is compiled with every node of a unit on that unit's line, so a line
event names a unit. What remains is to tell a new start from an old one: events
repeat, leaving a ``with`` reports its line again, and while an exception passes
CPython reports lines that do not run.

On CPython 3.11 a program for which :func:`tracing.support.may_show_phantom`
holds can show a step too many here, so this tracer confirms and never decides.

Source: docs/semantics.md, section 8; PEP 626.
"""

from __future__ import annotations

import ast
import opcode
import sys
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any

from tracing.recorder import Position, Recorder, closing_calls
from tracing.units import (
    Units,
    bodies,
    case_line,
    is_stepless,
    lines_of,
    parse,
    units_in,
    walk,
)

__all__ = ["Program", "tracer"]

_TRUTH = "__xv_truth__"
_GENERATOR = 0x20  # inspect.CO_GENERATOR, without loading inspect
_ENDS_LOOP = frozenset({"FOR_ITER", "END_FOR", "SEND", "END_SEND", "CLEANUP_THROW"})


class Program:
    """What this tracer knows of a program before it runs.

    Attributes:
        code: The module's code.
        closing: Places of its ``close`` calls.
        units: Its units.
        finals: Lines of the first units of ``finally`` bodies.
        reraises: Lines of ``raise`` without an exception.
        layered: Lines of ``with`` statements of several items.
        names: What the code's namespace must hold.
    """

    def __init__(self, source: str) -> None:
        tree = parse(source)
        self.units: Units = units_in(tree, source)
        self.finals: set[int] = set()
        self.reraises: set[int] = set()
        self.layered: set[int] = set()
        marked = ("finally", "with", "raise")
        for node in self.units.nodes if any(word in source for word in marked) else ():
            if isinstance(node, ast.Try) and node.finalbody:
                self.finals.update(self.first(node.finalbody))
            elif isinstance(node, ast.With) and len(node.items) > 1:
                self.layered.add(node.lineno)
            elif isinstance(node, ast.Raise) and node.exc is None:
                self.reraises.add(node.lineno)
        _Lines(lines_of(source)).statements(tree.body, may_have_docstring=True)
        self.closing: frozenset[Position] = closing_calls(tree, source)
        self.code: CodeType = compile(tree, "<program>", "exec", dont_inherit=True)
        # bool() keeps a constant test from being folded away, step and all.
        self.names: dict[str, Any] = {_TRUTH: bool}

    def first(self, body: list[ast.stmt]) -> Iterable[int]:
        """Give the line of the first statement of a body that is a unit."""
        return [node.lineno for node in body if node.lineno in self.units.by_line][:1]


def tracer(program: Program, recorder: Recorder) -> Callable[..., Any]:
    """Make the function for ``sys.settrace``.

    Args:
        program: The program that will run.
        recorder: Where the steps go.

    Returns:
        A global trace function; it ignores code of other files.
    """
    listener = _Listener(program, recorder)
    return listener.call


class _Listener:
    """Folds events into steps."""

    def __init__(self, program: Program, recorder: Recorder) -> None:
        self.program = program
        self.units = program.units.by_line
        self.scopes = {scope.line: scope.number for scope in program.units.scopes}
        self.recorder = recorder
        self.bytes: dict[CodeType, bytes] = {}
        # For each frame: the line of its current unit, and whether an exception passes.
        self.current: dict[int, int] = {}
        self.unwinding: dict[int, bool] = {}

    def operation(self, frame: FrameType) -> tuple[str, int]:
        """Give the name and argument of the instruction that a frame is at."""
        code = frame.f_code
        if code not in self.bytes:
            self.bytes[code] = code.co_code
        at = frame.f_lasti
        return opcode.opname[self.bytes[code][at]], self.bytes[code][at + 1]

    def is_at_yield(self, frame: FrameType) -> bool:
        """Tell whether a frame stands at a ``yield``, before or after it."""
        if frame.f_lasti < 0:
            return False
        name, argument = self.operation(frame)
        return name == "YIELD_VALUE" or (name == "RESUME" and argument != 0)

    def call(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Global trace function: decide whether a frame has steps."""
        code = frame.f_code
        if code.co_filename != "<program>" or code.co_firstlineno not in self.scopes:
            return None
        if code.co_name[0] == "<":  # lambdas and comprehensions are part of their statement
            return None
        if not self.is_at_yield(frame):
            # A fresh start: an abandoned generator may have left this id behind.
            self.recorder.abandon(frame)
            self.current.pop(id(frame), None)
            self.unwinding.pop(id(frame), None)
        return self.local

    def local(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Local trace function."""
        if event == "line":
            self.line(frame, frame.f_lineno)
        elif event == "exception":
            self.exception(frame, argument)
        elif event == "return":
            self.leave(frame)
        return self.local

    def line(self, frame: FrameType, line: int) -> None:
        key = id(frame)
        unit = self.units.get(line)
        scope = frame.f_code.co_firstlineno
        if unit is None or unit.scope != self.scopes[scope]:
            return
        current = self.current.get(key, 0)
        leaves_with = unit.kind == "with" and current != 0 and line in self.units[current].withs
        if self.unwinding.get(key):
            if leaves_with or (unit.kind == "with" and line == current):
                self.unwinding[key] = False
                return
            if line == current:  # the clean-up of an inlined comprehension
                return
            is_caught = unit.kind == "except" or line in self.program.finals
            # Where a later item of a ``with`` raised, an earlier one may have swallowed it.
            if not is_caught and current not in self.program.layered:
                return
            self.unwinding[key] = False
        elif line == current or leaves_with:
            return
        if self.operation(frame)[0] == "RERAISE":  # no unit begins so, see _Lines
            return
        self.current[key] = line
        self.recorder.step(frame, scope, line)
        if line in self.program.reraises:
            self.reraise(frame)

    def reraise(self, frame: FrameType) -> None:
        """Charge a bare ``raise`` as it begins: no event tells of it later."""
        exception = sys.exc_info()[1]
        if exception is not None:
            self.recorder.charge(frame, exception)
            self.unwinding[id(frame)] = True

    def exception(self, frame: FrameType, argument: tuple[Any, Any, Any]) -> None:
        kind, exception, _ = argument
        if issubclass(kind, StopIteration) and self.operation(frame)[0] in _ENDS_LOOP:
            return
        if not isinstance(exception, BaseException):
            exception = kind()
        self.unwinding[id(frame)] = True
        self.recorder.charge(frame, exception)

    def leave(self, frame: FrameType) -> None:
        key = id(frame)
        if (
            frame.f_code.co_flags & _GENERATOR
            and not self.unwinding.get(key)
            and self.is_at_yield(frame)
        ):
            return
        self.current.pop(key, None)
        self.unwinding.pop(key, None)
        self.recorder.leave(frame)


class _Lines:
    """Puts every node of a unit on the unit's line; changes the tree in place."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines

    def statements(self, body: list[ast.stmt], *, may_have_docstring: bool = False) -> None:
        for place, node in enumerate(body):
            if not is_stepless(node, first=may_have_docstring and place == 0):
                body[place] = _doing_something(node)
            self.statement(body[place])

    def statement(self, node: ast.stmt) -> None:
        line = node.lineno
        if isinstance(node, (ast.If, ast.While, ast.Assert)):
            node.test = _kept(node.test)
        is_scope = isinstance(node, (ast.FunctionDef, ast.ClassDef))
        for body in bodies(node):
            self.statements(body, may_have_docstring=is_scope)
        for _, part in ast.iter_fields(node):
            for item in part if isinstance(part, list) else [part]:
                if isinstance(item, ast.stmt):
                    continue
                if isinstance(item, ast.ExceptHandler):
                    self.clause(item, item.lineno)
                elif isinstance(item, ast.match_case):
                    self.clause(item, case_line(item, self.lines))
                elif isinstance(item, ast.AST):
                    _put(item, line)
        node.col_offset, node.end_col_offset, node.end_lineno = 0, 1 << 24, line

    def clause(self, node: ast.ExceptHandler | ast.match_case, line: int) -> None:
        for name, part in ast.iter_fields(node):
            if name != "body" and isinstance(part, ast.AST):
                _put(part, line)
        if isinstance(node, ast.ExceptHandler):
            node.col_offset, node.end_col_offset, node.end_lineno = 0, 1 << 24, line
        self.statements(node.body)


def _put(node: ast.AST, line: int) -> None:
    """Move a node and all inside it to one line; columns go apart, so places differ still."""
    if getattr(node, "lineno", 0) == line == getattr(node, "end_lineno", 0):
        return  # as most are; what is inside stands there, too
    for inner in walk(node):
        if isinstance(inner, (ast.expr, ast.pattern, ast.arg, ast.keyword, ast.alias)):
            inner.col_offset += inner.lineno << 12
            inner.end_col_offset = (inner.end_col_offset or 0) + ((inner.end_lineno or 0) << 12)
            inner.lineno = inner.end_lineno = line


def _doing_something(node: ast.stmt) -> ast.stmt:
    """Replace a statement that would compile to nothing, so that its start is its own."""
    is_constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if not (is_constant or isinstance(node, ast.Pass)):
        return node
    value = ast.copy_location(ast.Name(id=_TRUTH, ctx=ast.Load()), node)
    return ast.copy_location(ast.Expr(value), node)


def _kept(test: ast.expr) -> ast.expr:
    """Wrap a test that the compiler might fold, so that it is evaluated at each pass."""
    if isinstance(test, (ast.Name, ast.Call, ast.Attribute, ast.Subscript)):
        return test
    if isinstance(test, ast.Compare) and isinstance(test.left, (ast.Name, ast.Call)):
        return test
    name = ast.copy_location(ast.Name(id=_TRUTH, ctx=ast.Load()), test)
    return ast.copy_location(ast.Call(func=name, args=[test], keywords=[]), test)
