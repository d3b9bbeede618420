"""Collects the steps of a run while it runs, in the process that runs it.

Both tracers write here; what a step is, they decide independently. Values are
written out at once, deeply, and kept in tables, so a step costs what changed.
"""

from __future__ import annotations

import ast
from operator import is_
from types import FrameType
from typing import Any, NoReturn

from tracing.errors import NoLiteralError
from tracing.record import REASONS, Record
from tracing.values import ATOMS, Memo, encode

__all__ = ["Position", "Recorder", "StopRun", "closing_calls"]

Position = tuple[int | None, int | None, int | None, int | None]
"""First line, last line, first column, last column."""

_CODES = {reason: code for code, reason in REASONS.items()}
_UNBOUND = _CODES["unbound"]
_MEMO = 1000
_FEW = 1000
_ATOM = object()


class StopRun(BaseException):
    """The run cannot go on; carries the outcome and its reason."""

    def __init__(self, outcome: str, reason: str) -> None:
        super().__init__(outcome, reason)
        self.outcome = outcome
        self.reason = reason


class _Frame:
    """What is known of a frame that is not finished."""

    __slots__ = ("closed", "exit_step", "explicit", "known", "number", "passing", "step")

    def __init__(self, number: int) -> None:
        self.number = number
        self.step = -1
        # The current step is complete: an exception that is seen now is not its own.
        self.closed = False
        # An exception that is on its way through the clauses of a try.
        self.passing: int | None = None
        # The step at which a GeneratorExit came, and whether close() was called.
        self.exit_step: int | None = None
        self.explicit = False
        # For each bound variable: its object, what was in it, and its number.
        self.known: dict[str, tuple[Any, Any, int]] = {}


class Recorder:
    """The growing columns of one run.

    Frames are told apart by the ``id`` of their frame object; the tracers say when one is
    finished, before its object dies.
    """

    def __init__(self, limit: int, closing: frozenset[Position], *, values: bool) -> None:
        self.limit = limit
        self.closing = closing
        self.values = values
        self.stopped: StopRun | None = None
        # Before the call nothing is recorded.
        self.waits = True
        self.lines: list[int] = []
        self.frames: list[int] = []
        self.scopes: list[int] = []
        self.raised: dict[int, str] = {}
        self.finalisers: list[int] = []
        self.changes: list[tuple[int, str, int]] = []
        self.literals: dict[tuple[str, str], int] = {}
        self.open: dict[int, _Frame] = {}
        self.memo: Memo = {}
        # Numbers of ints and texts, which come again and again.
        self.plain: dict[tuple[type, Any], int] = {}
        self.suspended: list[int] = []

    def stop(self, outcome: str, reason: str) -> NoReturn:
        """End the run: raises through the program, and again at its every next step."""
        self.stopped = self.stopped or StopRun(outcome, reason)
        raise self.stopped

    def step(self, frame: FrameType, scope: int, line: int) -> None:
        """Begin a step.

        Args:
            frame: The frame that it begins in.
            scope: Line of that frame's ``def`` or ``class``.
            line: Line of the unit.
        """
        if self.waits:
            return
        if self.stopped:
            raise self.stopped
        key = id(frame)
        state = self.open.get(key)
        if state is None:
            self.scopes.append(scope)
            state = self.open[key] = _Frame(len(self.scopes))
        else:
            self.boundary(state, frame)
        if len(self.lines) >= self.limit:
            self.stop("unsupported", f"the run has more than {self.limit} steps")
        state.step = len(self.lines)
        state.closed = False
        state.passing = None
        if state.exit_step is not None:
            if not state.explicit:
                self.stop("unsupported", "a generator was dropped while suspended in a try or with")
            self.finalisers.append(state.step)
        self.lines.append(line)
        self.frames.append(state.number)

    def charge(self, frame: FrameType, exception: BaseException) -> None:
        """Note that an exception was seen in a frame: its current step ended in it.

        Args:
            frame: The frame.
            exception: The exception.
        """
        kind = type(exception)
        if kind is RecursionError:
            self.stop("unsupported", "the recursion limit was reached")
        if kind is MemoryError:
            self.stop("memory", "the run needs more memory than it may use")
        state = self.open.get(id(frame))
        if state is None or state.closed or state.passing == id(exception):
            return
        if kind is GeneratorExit and state.exit_step is None:
            state.exit_step = state.step
            state.explicit = _is_closed_by_call(frame, self.closing)
        self.raised.setdefault(state.step, kind.__name__)

    def close(self, frame: FrameType) -> None:
        """Note that a ``finally`` ended: an exception that goes on is not its last step's."""
        state = self.open.get(id(frame))
        if state is not None:
            state.closed = True

    def passing(self, frame: FrameType, exception: BaseException) -> None:
        """Note that an ``except`` clause is tried; it is not to blame if none fits."""
        state = self.open.get(id(frame))
        if state is not None:
            state.passing = id(exception)

    def leave(self, frame: FrameType) -> None:
        """Note that a frame is finished.

        Args:
            frame: The frame.
        """
        state = self.open.pop(id(frame), None)
        if state is None:
            return
        if state.step == state.exit_step:
            # Closed at a yield, and nothing ran: the frame simply never went on.
            del self.raised[state.step]
            self.suspended.append(state.number)
        else:
            self.boundary(state, frame)

    def abandon(self, frame: FrameType) -> None:
        """Note that a new frame has the ``id`` of one that was dropped without a sign.

        Args:
            frame: The new frame.
        """
        state = self.open.pop(id(frame), None)
        if state is not None:
            self.suspended.append(state.number)

    def boundary(self, state: _Frame, frame: FrameType) -> None:
        """Take the values of a frame's variables, as they are after its latest step."""
        if not self.values or state.step in self.raised:
            return
        known = state.known
        bound = 0
        for name, value in frame.f_locals.items():
            if name[0] == "." or (name[:2] == "__" and name[-2:] == "__"):
                continue
            bound += 1
            before = known.get(name)
            if before is not None and before[0] is value and _is_as(value, before[1]):
                continue
            number = self.number(value)
            if before is None or before[2] != number:
                self.changes.append((state.step, name, number))
            held = self.contents(value)
            # What may hold objects of the program's own must not live longer for us.
            known[name] = (None if held is None else value, held, number)
        if bound < len(known):
            local = frame.f_locals
            for name in [name for name in known if name not in local]:
                del known[name]
                self.changes.append((state.step, name, _UNBOUND))

    def number(self, value: Any) -> int:
        """Give a value's number in the tables, or that of the reason why it has none."""
        kind = type(value)
        if kind is int or kind is str:
            known = self.plain.get((kind, value))
            if known is not None:
                return known
        if len(self.memo) > _MEMO:
            self.memo.clear()
        try:
            key = (kind.__name__, encode(value, self.memo))
        except NoLiteralError as error:
            return _CODES[error.reason]
        except RecursionError:
            self.stop("unsupported", "the recursion limit was reached")
        number = self.literals.setdefault(key, len(self.literals))
        if kind is int or kind is str:
            self.plain[kind, value] = number
        return number

    def contents(self, value: Any) -> Any:
        """Give what was in a value, for :func:`_is_as`; None where that would be too much."""
        kind = type(value)
        if kind in ATOMS:
            return _ATOM
        if kind is list:
            known = self.memo.get(id(value))
            # Only lists of atoms are in the memo.
            return known[1] if known is not None and known[0] is value else None
        if (
            kind is dict
            and len(value) <= _FEW
            and ATOMS.issuperset(map(type, value))
            and ATOMS.issuperset(map(type, value.values()))
        ):
            return (tuple(value), tuple(value.values()))
        return None

    def record(
        self, outcome: str, *, reason: str = "", exception: str | None = None, output: int = -1
    ) -> Record:
        """Close the columns, in an order that only the run decides.

        Args:
            outcome: As in :class:`tracing.record.Record`.
            reason: Likewise.
            exception: Likewise.
            output: A number that :meth:`number` gave for the returned value.

        Returns:
            The record; two runs that did the same give equal ones.
        """
        names = sorted({name for _, name, _ in self.changes})
        place = {name: number for number, name in enumerate(names)}
        changes = sorted((step, place[name], value) for step, name, value in self.changes)
        table = list(self.literals)
        # Values are numbered anew, by their first use.
        used: dict[int, int] = {}
        for _, _, value in (*changes, (0, 0, output)):
            if value >= 0:
                used.setdefault(value, len(used))
        return Record(
            outcome=outcome,
            reason=reason,
            exception=exception,
            output=used.get(output, output),
            lines=tuple(self.lines),
            frames=tuple(self.frames),
            scopes=tuple(self.scopes),
            raised_at=tuple(sorted(self.raised)),
            raised=tuple(self.raised[step] for step in sorted(self.raised)),
            change_steps=tuple(step for step, _, _ in changes),
            change_names=tuple(name for _, name, _ in changes),
            change_values=tuple(used.get(value, value) for _, _, value in changes),
            names=tuple(names),
            types=tuple(table[value][0] for value in used),
            literals=tuple(table[value][1] for value in used),
            suspended=tuple(sorted(self.suspended + [s.number for s in self.open.values()])),
            finalisers=tuple(self.finalisers),
        )


def _is_as(value: Any, contents: Any) -> bool:
    """Tell whether a value holds the very objects that it held."""
    if contents is _ATOM:
        return True
    if type(value) is list:
        return len(value) == len(contents) and all(map(is_, value, contents))
    keys, values = contents
    return (
        len(value) == len(keys)
        and all(map(is_, value, keys))
        and all(map(is_, value.values(), values))
    )


def _is_closed_by_call(frame: FrameType, closing: frozenset[Position]) -> bool:
    """Tell whether a GeneratorExit comes from a call of ``close``, not from a dropped generator."""
    above = frame.f_back
    while above is not None:
        positions = list(above.f_code.co_positions())
        if positions[above.f_lasti // 2] in closing:
            return True
        above = above.f_back
    return False


def closing_calls(tree: ast.AST, source: str) -> frozenset[Position]:
    """Find the calls ``....close()`` of a program, which may end a generator on purpose.

    Args:
        tree: The tree that is compiled.
        source: The program's text.

    Returns:
        Their places, as ``code.co_positions`` gives them.
    """
    if "close" not in source:
        return frozenset()
    return frozenset(
        (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "close"
    )
