"""Measures the structure of a program and of one run of it.

Works on the tree and the record that a trace holds already, in one pass over each.
Assumes a program that :func:`tracing.support.check` lets pass (every unit begins on a line
of its own). Says nothing about how hard the problem is: that is
:mod:`curricula.difficulty.estimate`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable

from curricula.problem import Structure
from tracing import Trace

__all__ = ["arguments_of", "measure"]

_CONTROL = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BRANCHES = (ast.If, ast.IfExp, ast.match_case, ast.ExceptHandler)


def measure(trace: Trace) -> Structure:
    r"""Measure the source and the run of a trace.

    Args:
        trace: A run that returned or raised, with its variables recorded.

    Returns:
        The measures.

    Example:
        >>> import tracing
        >>> source = "def f(words):\n    for w in words:\n        print(len(w.strip()))\n"
        >>> made = measure(tracing.run(source, "f(['a '])"))
        >>> made.depth, made.loops, made.calls, made.nested_calls, made.steps, made.input_size
        (1, 1, 3, 3, 3, 6)
    """
    units, record = trace.units, trace.record
    kinds = Counter(map(type, units.nodes))
    calls = [node for node in units.nodes if type(node) is ast.Call]
    controls = [node for node in units.nodes if isinstance(node, _CONTROL)]
    literals = record.literals
    held = {value for value in record.change_values if value >= 0}
    return Structure(
        lines=sum(map(bool, map(str.strip, trace.source.splitlines()))),
        statements=len(units.by_line),
        depth=_control_depth(controls),
        loops=sum(kinds[kind] for kind in _LOOPS),
        branches=sum(kinds[kind] for kind in _BRANCHES),
        calls=len(calls),
        method_calls=sum(type(call.func) is ast.Attribute for call in calls),
        nested_calls=_call_depth(calls),
        parameters=_parameters(units.nodes, trace.entry),
        input_size=len(arguments_of(trace.call)),
        output_size=len(literals[record.output]) if record.output >= 0 else 0,
        steps=len(record.lines),
        frames=len(record.scopes),
        largest_value=max((len(literals[value]) for value in held), default=0),
        changes=len(record.change_steps),
    )


def arguments_of(call: str) -> str:
    """Give the text of a call's arguments.

    Args:
        call: A call, like ``"f([1], k=2)"``.

    Returns:
        What stands between the outer parentheses.
    """
    return call.partition("(")[2].rpartition(")")[0].strip()


def _control_depth(controls: Iterable[ast.stmt]) -> int:
    """Count how deep statements nest by their places; an ``elif`` is no deeper than its ``if``."""
    deepest = 0
    open_: list[ast.stmt] = []
    for node in sorted(controls, key=_line):
        while open_ and (open_[-1].end_lineno or 0) < node.lineno:
            open_.pop()
        open_.append(node)
        # An elif lies inside its if, in the same column.
        deepest = max(deepest, len({outer.col_offset for outer in open_}))
    return deepest


def _line(node: ast.stmt) -> int:
    return node.lineno


def _call_depth(calls: Iterable[ast.Call]) -> int:
    """Count the calls on the longest chain in which each lies inside the one before."""
    deepest = 0
    ends: list[tuple[int, int]] = []
    # Receivers begin where their call begins, so the longer of two comes first.
    spans = sorted(
        (c.lineno, c.col_offset, -(c.end_lineno or 0), -(c.end_col_offset or 0)) for c in calls
    )
    for line, column, end_line, end_column in spans:
        while ends and ends[-1] <= (line, column):
            ends.pop()
        ends.append((-end_line, -end_column))
        deepest = max(deepest, len(ends))
    return deepest


def _span(call: ast.Call) -> tuple[int, int, int, int]:
    return call.lineno, call.col_offset, -(call.end_lineno or 0), -(call.end_col_offset or 0)


def _parameters(nodes: Iterable[ast.AST], entry: str) -> int:
    found = 0
    for node in nodes:
        if type(node) is ast.FunctionDef and node.name == entry:
            args = node.args
            found = len(args.posonlyargs) + len(args.args) + len(args.kwonlyargs)
            return found + (args.vararg is not None) + (args.kwarg is not None)
    return found
