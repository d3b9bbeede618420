"""Finds parts of a program that make no difference: what to drop, or to refuse.

Every statement that could be left out, every constant, every operand of ``and`` or
``or``, every arm of a conditional expression and every filter of a comprehension is
changed in turn, and the program's calls are run again. A part whose every change leaves
all outputs as they were is *idle* over these calls.

All changes are built into one program behind a switch, so that it is compiled once and
one sandboxed call tries them all; changed loops that do not end run out of fuel. What a
``return``, ``break``, ``raise`` or ``def`` is worth is not tried: leaving early is often
worth nothing but time.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tracing import Limits, Trace, derived
from tracing.literals import read
from tracing.units import is_stepless, parse

__all__ = ["Idle", "Tried", "switched", "try_many", "try_parts"]

PREFIX = "xm_"
"""What the names of the harness begin with."""
FUEL = 3000
"""Loop passes and calls that one run of one mutant may make."""

_DROPPED = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Expr,
    ast.Delete,
    ast.If,
    ast.For,
    ast.While,
)
_HOLDERS = (ast.ExceptHandler, ast.match_case, ast.withitem, ast.keyword, ast.comprehension)

# Every part has a slot in `xm_at`; a mutant is a slot and what it then holds.
_HARNESS = f"""
def xm_tick():
    xm_left[0] -= 1
    if xm_left[0] < 0:
        raise RuntimeError('out of fuel')

def xm_once(call):
    xm_left[0] = {FUEL}
    try:
        return repr(call())
    except Exception as error:
        return 'raised ' + repr(error)

def xm_main():
    known = [xm_once(call) for call in xm_calls]
    shown = []
    for slot, value in xm_mutants:
        kept, xm_at[slot] = xm_at[slot], value
        first = -1
        for place, call in enumerate(xm_calls):
            if xm_once(call) != known[place]:
                first = place
                break
        xm_at[slot] = kept
        shown.append(first)
    return shown
"""


@dataclass(frozen=True, slots=True)
class Idle:
    """A part of a program that made no difference.

    Attributes:
        kind: ``"statement"``, ``"constant"``, ``"operand"``, ``"arm"`` or ``"filter"``.
        line: The line it begins on.
        text: Its source, on one line.
    """

    kind: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Tried:
    """What changing every part of a program, one at a time, has shown.

    Attributes:
        idle: The parts whose every change left all outputs as they were, outermost first.
        needed: Places of the calls that were the first to show a change, in order; the
            others show nothing that an earlier one does not.
    """

    idle: tuple[Idle, ...]
    needed: tuple[int, ...]


Place: TypeAlias = ast.stmt | ast.expr
Part: TypeAlias = tuple[str, Place, range]
"""Kind and node of a part, and the numbers of its mutants."""


def try_parts(source: str, calls: Sequence[str], *, limits: Limits | None = None) -> Tried | None:
    r"""Change every part of a program in turn and see which calls tell.

    Args:
        source: A program that can be traced.
        calls: Calls of it whose outputs have literals; the first that tells counts.
        limits: What trying them all may use.

    Returns:
        What was found; None where it could not be tried (the program uses names of the
        harness, or the run met a limit).

    Example:
        >>> try_parts("def f(a):\n    b = a + 1\n    b = a + 2\n    return b\n", ["f(1)"]).idle
        (Idle(kind='statement', line=2, text='b = a + 1'), Idle(kind='constant', line=2, text='1'))
    """
    return try_many([(source, calls)], limits=limits)[0]


def try_many(
    programs: Sequence[tuple[str, Sequence[str]]], *, limits: Limits | None = None
) -> list[Tried | None]:
    """Try several programs at once; see :func:`try_parts`.

    Args:
        programs: Programs with their calls.
        limits: What trying all parts of one program may use.

    Returns:
        What was found for each, in order.
    """
    built = [switched(source, calls) for source, calls in programs]
    jobs = [
        (source, made[0], f"{PREFIX}main()")
        for (source, _), made in zip(programs, built, strict=True)
        if made is not None
    ]
    traces = iter(derived(jobs, limits=limits))
    return [
        None if made is None else _tried(source, made[1], next(traces))
        for (source, _), made in zip(programs, built, strict=True)
    ]


def _tried(source: str, parts: list[Part], trace: Trace) -> Tried | None:
    if trace.output is None:
        return None
    shown: list[int] = read(trace.output.literal)
    # A part is shown by the earliest call that any of its mutants needs.
    by = [min((shown[m] for m in mutants if shown[m] >= 0), default=-1) for _, _, mutants in parts]
    return Tried(
        tuple(
            Idle(kind, node.lineno, _first_line(source, node))
            for (kind, node, _), first in zip(parts, by, strict=True)
            if first < 0
        ),
        tuple(sorted({first for first in by if first >= 0})),
    )


def _first_line(source: str, node: Place) -> str:
    return (ast.get_source_segment(source, node) or "").partition("\n")[0]


def switched(source: str, calls: Sequence[str]) -> tuple[str, list[Part]] | None:
    """Build all mutants of a program into one.

    Args:
        source: A program.
        calls: Calls of it.

    Returns:
        The text of a program whose ``xm_main()`` gives for each mutant the place of the
        first call whose output it changes, or -1; and the parts of ``source``. None
        where the program uses names of the harness.
    """
    if PREFIX in source:
        return None
    tree = parse(source)
    switch = _Switch()
    switch.definitions(tree.body)
    tables = (
        "xm_left = [0]",
        f"xm_at = {switch.slots!r}",
        f"xm_mutants = {switch.mutants!r}",
        f"xm_calls = [{', '.join(f'lambda: {call}' for call in calls)}]",
    )
    text = ast.unparse(tree)
    return "\n".join((text, _HARNESS, *tables, "")), switch.parts


class _Switch:
    """Rewrites functions in place, numbering the mutants from 1."""

    def __init__(self) -> None:
        self.slots: list[object] = []
        self.mutants: list[tuple[int, object]] = []
        self.parts: list[Part] = []

    def part(self, kind: str, node: Place, value: object, *changes: object) -> ast.expr:
        """Enter a part with its mutants; give the expression that reads its slot."""
        first = len(self.mutants)
        self.mutants += [(len(self.slots), change) for change in changes]
        self.slots.append(value)
        self.parts.append((kind, node, range(first, len(self.mutants))))
        place = ast.Constant(len(self.slots) - 1)
        return ast.Subscript(ast.Name("xm_at", ast.Load()), place, ast.Load())

    def definitions(self, body: list[ast.stmt]) -> None:
        """Rewrite the functions of a module or class, whose own statements run only once."""
        for node in body:
            if isinstance(node, ast.FunctionDef):
                node.body = [_TICK, *self.body(node.body, of_function=True)]
            elif isinstance(node, ast.ClassDef):
                self.definitions(node.body)

    def body(self, statements: list[ast.stmt], *, of_function: bool = False) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for place, node in enumerate(statements):
            if is_stepless(node, first=of_function and place == 0):
                done.append(node)
            elif isinstance(node, _DROPPED):
                slot = self.part("statement", node, True, False)
                self.inside(node)
                done.append(ast.If(test=slot, body=[node], orelse=[]))
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.definitions([node])
                done.append(node)
            else:
                self.inside(node)
                done.append(node)
        return done

    def inside(self, node: ast.AST) -> None:
        """Rewrite the expressions and the bodies that a node holds."""
        if isinstance(node, ast.comprehension):
            node.ifs = [self.filter(condition) for condition in node.ifs]
            node.iter = self.expression(node.iter)
            return
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, self.expression(value))
            elif isinstance(value, list) and value:
                setattr(node, name, self.several(value))
        if isinstance(node, (ast.For, ast.While)):
            node.body.insert(0, _TICK)

    def several(self, nodes: list[Any]) -> list[Any]:
        if isinstance(nodes[0], ast.stmt):
            return self.body(nodes)
        done: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.expr):
                done.append(self.expression(node))
            else:
                if isinstance(node, _HOLDERS):
                    self.inside(node)
                done.append(node)
        return done

    def expression(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Constant():
                return self.constant(node)
            case ast.IfExp():
                return self.arms(node)
            case ast.BoolOp():
                node.values = [self.operand(value, node.op) for value in node.values]
            case ast.JoinedStr():
                pass  # its quotes leave no room for other constants before Python 3.12
            case _:
                self.inside(node)
        return node

    def constant(self, node: ast.Constant) -> ast.expr:
        changes = _changes(node.value)
        return self.part("constant", node, node.value, *changes) if changes else node

    def arms(self, node: ast.IfExp) -> ast.expr:
        body = self.part("arm", node.body, True, False)
        orelse = self.part("arm", node.orelse, False, True)
        test = ast.BoolOp(ast.Or(), [orelse, self.expression(node.test)])
        node.test = ast.BoolOp(ast.And(), [body, test])
        node.body, node.orelse = self.expression(node.body), self.expression(node.orelse)
        return node

    def operand(self, node: ast.expr, operator: ast.boolop) -> ast.expr:
        """Let an operand be left out: the neutral value stands in its place."""
        neutral = isinstance(operator, ast.And)
        slot = self.part("operand", node, not neutral, neutral)
        return ast.BoolOp(ast.Or() if neutral else ast.And(), [slot, self.expression(node)])

    def filter(self, node: ast.expr) -> ast.expr:
        slot = self.part("filter", node, False, True)
        return ast.BoolOp(ast.Or(), [slot, self.expression(node)])


_TICK = ast.parse(f"{PREFIX}tick()").body[0]


def _changes(value: object) -> tuple[object, ...]:
    """Give other values that a constant could have: one near, one far."""
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1, value - 50)
        case float():
            return (value + 1.5, value - 50.0)
        case str():
            return (value + "~", "^" if value == "~" else "~") if value else ("~",)
        case bytes():
            return (value + b"~", b"^" if value == b"~" else b"~") if value else (b"~",)
    return ()
