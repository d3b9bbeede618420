"""What may be said about a step: read from the trace and the program's tree, never computed.

A fact names values only where the trace holds them. What an expression inside a statement
was worth is not recorded, so it is not a fact.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from curricula.narrator.nodes import (
    Clause,
    header,
    loaded,
    nodes_by_line,
    parameters,
    simple_kind,
    stored,
)
from tracing import Trace, Value
from tracing.errors import ExecVerifyError
from tracing.literals import read_arguments
from tracing.units import walk
from tracing.values import encode

__all__ = ["SHORT", "Change", "Fact", "Reader", "is_loop"]

SHORT = 48
"""The longest literal that is told in passing, in characters."""
_LONGEST = 240
"""The longest literal that is told at all."""
_IMMUTABLE = frozenset({"int", "float", "complex", "bool", "str", "bytes", "NoneType", "range"})


@dataclass(frozen=True, slots=True)
class Change:
    """A variable that differs after a step.

    Attributes:
        name: The variable.
        literal: Its value, None where it has none that is told, empty where it is unbound.
        old: Its value before, where that is known and short.
        is_new: Whether the frame has it for the first time.
        is_argument: Whether it only came in, with the call.
    """

    name: str
    literal: str | None
    old: str | None
    is_new: bool
    is_argument: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """What happened in one step.

    Attributes:
        step: Its place in the run, from 0.
        line: Its line.
        kind: The unit's kind; simple statements by what they are: assign, return, call,
            continue, break, pass, raise, other.
        text: The unit's text.
        occurrence: Which step of its line it is, from 1.
        verdict: For tests, loops, cases and handlers: whether the body is entered.
        reads: Variables that it reads, with their values before it, those that are short.
        changes: What differs after it, arguments first.
        kept: Variables that it assigned and that are as before, with their values.
        raised: The exception that it ended in, or None.
        result: The literal that is returned, where the trace has it.
        following: The line that its frame goes on with, or None.
    """

    step: int
    line: int
    kind: str
    text: str
    occurrence: int
    verdict: bool | None
    reads: tuple[tuple[str, str], ...]
    changes: tuple[Change, ...]
    kept: tuple[tuple[str, str], ...]
    raised: str | None
    result: str | None
    following: int | None


def is_loop(kind: str) -> bool:
    """Tell whether a unit of a kind is run once for each pass."""
    return kind in ("for", "while")


class Reader:
    """Reads the facts of one run.

    Attributes:
        trace: The run.
        loops: For each line of a unit, the lines of the loops of its function around it,
            from the outside in.
    """

    def __init__(self, trace: Trace) -> None:
        """Look at a run.

        Args:
            trace: A run that returned or raised.
        """
        self.trace = trace
        self._nodes = dict(nodes_by_line(trace))
        self.loops: dict[int, tuple[int, ...]] = dict.fromkeys(trace.units.by_line, ())
        for line, node in sorted(self._nodes.items()):  # from the outside in
            if isinstance(node, (ast.For, ast.While)) and line in self.loops:
                self._mark(line, node.body)
        self._previous, self._following = _neighbours(trace.record.frames)

    def _mark(self, loop: int, body: list[ast.stmt]) -> None:
        """Note the units of a loop's body; functions in it have loops of their own."""
        own = self.trace.units.by_line[loop].scope
        last = max(node.end_lineno or node.lineno for node in body)
        for line in range(body[0].lineno, last + 1):
            unit = self.trace.units.by_line.get(line)
            if unit is not None and unit.scope == own:
                self.loops[line] = (*self.loops[line], loop)

    def fact(self, step: int) -> Fact:
        """Read one step.

        Args:
            step: Its place in the run, from 0.

        Returns:
            What may be said about it.
        """
        trace, record = self.trace, self.trace.record
        line = record.lines[step]
        unit = trace.units.by_line[line]
        node = self._nodes[line]
        following = self._following[step]
        kind = unit.kind if unit.kind != "simple" else simple_kind(node)
        return Fact(
            step=step,
            line=line,
            kind=kind,
            text=unit.text,
            occurrence=trace.occurrence_of(step),
            verdict=self._verdict(step, node, following),
            reads=tuple(self._reads(step, node)),
            changes=tuple(sorted(self._changes(step, node), key=lambda c: not c.is_argument)),
            kept=tuple(self._kept(step, node)),
            raised=trace.steps[step].exception,
            result=self._result(step, node) if kind == "return" else None,
            following=None if following is None else record.lines[following],
        )

    def line(self, step: int) -> int:
        """Give the line of a step."""
        return self.trace.record.lines[step]

    def before(self, step: int, name: str) -> str | None:
        """Give the value of a variable of the step's frame before a step.

        Args:
            step: A place in the run, from 0.
            name: A variable.

        Returns:
            Its literal, or None where there is none, or where it is not recorded.
        """
        previous = self._previous[step]
        if previous is None:
            argument = self._arguments.get(name) if self.trace.record.frames[step] == 1 else None
            return argument
        value = self.trace.after(previous, name)
        return value.literal if isinstance(value, Value) else None

    def may_be_over(self, step: int) -> bool:
        """Tell whether a frame may have ended, or handed control back, with its latest step.

        Args:
            step: A place in the run, from 0.

        Returns:
            False where the frame goes on with the same step.
        """
        if self._following[step] is None:
            return True
        node = self._nodes[self.trace.record.lines[step]]
        yields = (ast.Yield, ast.YieldFrom)
        return any(isinstance(n, yields) for part in header(node) if part for n in walk(part))

    def mentions(self, step: int, name: str) -> float:
        """Count how often a step may call a function by its name.

        Args:
            step: A place in the run, from 0.
            name: The function's name.

        Returns:
            The count; infinity inside a comprehension.
        """
        parts = [p for p in header(self._nodes[self.trace.record.lines[step]]) if p is not None]
        inner = [n for part in parts for n in walk(part)]
        count = sum(isinstance(n, ast.Name) and n.id == name for n in inner)
        count += sum(isinstance(n, ast.Attribute) and n.attr == name for n in inner)
        repeats = any(isinstance(n, ast.comprehension) for n in inner)
        return float("inf") if count and repeats else count

    def _reads(self, step: int, node: Clause) -> Iterator[tuple[str, str]]:
        for name in loaded(node):
            literal = self.before(step, name)
            if literal is not None and len(literal) <= SHORT:
                yield name, literal

    def _changes(self, step: int, node: Clause) -> Iterator[Change]:
        frame = self.trace.record.frames[step]
        is_first = self._previous[step] is None
        for name, value in self.trace.steps[step].changes:
            literal: str | None = None
            if isinstance(value, Value):
                literal = value.literal if len(value.literal) <= _LONGEST else None
            elif value == "unbound":
                literal = ""
            came = is_first and self._came_in(name, value, frame, node)
            is_new = self._first_changes[frame, name] == step
            old = self.before(step, name)
            told = old if old is not None and len(old) <= SHORT else None
            yield Change(name, literal, told, is_new, came)

    @cached_property
    def _first_changes(self) -> dict[tuple[int, str], int]:
        record = self.trace.record
        changes = zip(record.change_steps, record.change_names, strict=True)
        return {
            (record.frames[step], record.names[name]): step
            for step, name in reversed(tuple(changes))
        }

    def _kept(self, step: int, node: Clause) -> Iterator[tuple[str, str]]:
        changed = {name for name, _ in self.trace.steps[step].changes}
        for name in sorted(stored(node) - changed):
            value = self.trace.after(step, name)
            if isinstance(value, Value) and value.literal == self.before(step, name):
                yield name, value.literal

    def _came_in(self, name: str, value: Value | str, frame: int, node: Clause) -> bool:
        """Tell whether a change of a frame's first step is an argument as it was given."""
        if not isinstance(value, Value) or name in stored(node):
            return False
        if frame == 1:
            return self._arguments.get(name) == value.literal
        scope = next(
            n
            for n in self.trace.units.nodes
            if isinstance(n, (ast.FunctionDef, ast.ClassDef))
            and n.lineno == self.trace.record.scopes[frame - 1]
        )
        is_parameter = isinstance(scope, ast.FunctionDef) and name in parameters(scope)
        return is_parameter and (value.type in _IMMUTABLE or name not in loaded(node))

    @cached_property
    def _arguments(self) -> dict[str, str]:
        """The literals of the call's arguments, by parameter; of defaults nothing is known."""
        entry = self.trace.entry
        body = self.trace.units.tree.body
        found = [n for n in body if isinstance(n, ast.FunctionDef) and n.name == entry]
        if not found or found[-1].args.vararg:
            return {}
        made = found[-1]
        try:
            values, named = read_arguments(self.trace.call.strip().partition("(")[2][:-1])
            names = [a.arg for a in (*made.args.posonlyargs, *made.args.args)]
            given = {**dict(zip(names, values, strict=False)), **named}
            return {name: encode(value) for name, value in given.items()}
        except ExecVerifyError:
            return {}

    def _result(self, step: int, node: Clause) -> str | None:
        """Give what a return gives back: the output at the end, or a variable that it names."""
        trace = self.trace
        if step == len(trace.record.lines) - 1 and trace.record.frames[step] == 1:
            return trace.output.literal if trace.output is not None else None
        value = node.value if isinstance(node, ast.Return) else None
        if isinstance(value, ast.Name):
            literal = self.before(step, value.id)
            return literal if literal is not None and len(literal) <= _LONGEST else None
        return None

    def _verdict(self, step: int, node: Clause, following: int | None) -> bool | None:
        """Tell whether the body of a header is entered: by the next step of its frame."""
        record = self.trace.record
        if isinstance(node, (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.match_case)):
            if step in record.raised_at:
                return None
            if following is None:
                is_open = record.frames[step] in record.suspended
                return None if is_open else False
            first = next((n.lineno for n in node.body if n.lineno in self.loops), None)
            return None if first is None else record.lines[following] == first
        return None


def _neighbours(frames: tuple[int, ...]) -> tuple[list[int | None], list[int | None]]:
    """For each step, the step of the same frame before it and after it."""
    before: list[int | None] = [None] * len(frames)
    after: list[int | None] = [None] * len(frames)
    latest: dict[int, int] = {}
    for step, frame in enumerate(frames):
        if frame in latest:
            before[step] = latest[frame]
            after[latest[frame]] = step
        latest[frame] = step
    return before, after
