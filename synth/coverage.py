"""Measures what runs of a program went through: its lines, and the ways of its branches.

A branch is the test of an ``if``, ``elif``, ``while`` or ``for`` header or of a
``case`` that may not fit; its two ways are into the body and past it. It is read from
steps alone, so it holds on every CPython. Branches inside an expression (``a if b
else c``, ``and``, a comprehension's condition) make no steps and are not seen here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from tracing import Trace
from tracing.units import is_stepless, units_of

__all__ = ["Coverage", "branches_of", "covered", "ways"]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What some runs of one program covered.

    Attributes:
        lines: Number of lines that start a unit.
        missed: Those of them that no run reached, in order.
        branches: Number of branches.
        one_way: Lines of the branches that did not go both ways, in order.
    """

    lines: int
    missed: tuple[int, ...]
    branches: int
    one_way: tuple[int, ...]

    @property
    def line_share(self) -> float:
        """Share of the lines that were reached, from 0 to 1."""
        return 1.0 if not self.lines else 1.0 - len(self.missed) / self.lines

    @property
    def branch_share(self) -> float:
        """Share of the branches that went both ways, from 0 to 1."""
        return 1.0 if not self.branches else 1.0 - len(self.one_way) / self.branches


@lru_cache(maxsize=256)
def branches_of(source: str) -> dict[int, int]:
    r"""Find the branches of a program.

    Args:
        source: A program.

    Returns:
        For the line of each branch, the line of the first step of its body. A test
        that is constant and a ``case`` that fits anything are no branches.

    Raises:
        ProgramError: The source does not parse.

    Example:
        >>> branches_of("def f(xs):\n    for x in xs:\n        if x:\n            return x\n")
        {2: 3, 3: 4}
    """
    units = units_of(source)
    found: dict[int, int] = {}
    for node in units.nodes:
        match node:
            case ast.If() | ast.While() if not isinstance(node.test, ast.Constant):
                found[node.lineno] = _first_step(node.body)
            case ast.For():
                found[node.lineno] = _first_step(node.body)
            case ast.match_case() if not _fits_anything(node):
                found[node.pattern.lineno] = _first_step(node.body)
    return {line: found[line] for line in sorted(found) if line in units.by_line}


def _first_step(body: list[ast.stmt]) -> int:
    for node in body:
        if not is_stepless(node, first=False):
            return node.lineno
    return body[0].lineno


def _fits_anything(case: ast.match_case) -> bool:
    return (
        case.guard is None
        and isinstance(case.pattern, ast.MatchAs)
        and case.pattern.pattern is None
    )


def ways(trace: Trace) -> frozenset[tuple[int, bool]]:
    """Tell which ways the branches of a run went.

    Args:
        trace: A run; its steps are enough.

    Returns:
        Pairs of a branch's line and whether its body was entered.
    """
    bodies = branches_of(trace.source)
    lines, frames = trace.record.lines, trace.record.frames
    raised = frozenset(trace.record.raised_at)
    open_branch: dict[int, int] = {}
    taken: set[tuple[int, bool]] = set()
    for step, (line, frame) in enumerate(zip(lines, frames, strict=True)):
        branch = open_branch.pop(frame, None)
        if branch is not None:
            taken.add((branch, line == bodies[branch]))
        if line in bodies and step not in raised:
            open_branch[frame] = line
    # A frame that ended at a header fell off its end.
    taken.update((branch, False) for branch in open_branch.values())
    return frozenset(taken)


def covered(source: str, traces: Iterable[Trace]) -> Coverage:
    """Measure what some runs of one program covered.

    Args:
        source: The program.
        traces: Runs of it.

    Returns:
        Their coverage, joined.

    Raises:
        ProgramError: The source does not parse.
    """
    reached: set[int] = set()
    taken: set[tuple[int, bool]] = set()
    for trace in traces:
        reached.update(trace.record.lines)
        taken |= ways(trace)
    lines = list(units_of(source).by_line)
    branches = branches_of(source)
    return Coverage(
        lines=len(lines),
        missed=tuple(line for line in lines if line not in reached),
        branches=len(branches),
        one_way=tuple(b for b in branches if not {(b, True), (b, False)} <= taken),
    )
