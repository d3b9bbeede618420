"""What a run did, step by step, and the questions that its record can answer.

Lines and occurrences count from 1. Nothing here runs a program; a
:class:`Trace` is a source, a call and a :class:`tracing.record.Record`.

Source: docs/semantics.md, sections 2 to 7.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from tracing.record import REASONS, Record
from tracing.units import Scope, Units, units_of
from tracing.values import Value

__all__ = ["Step", "Trace"]


@dataclass(frozen=True, slots=True)
class Step:
    """One start of one unit.

    Attributes:
        line: The unit's line.
        frame: Number of the frame it ran in, from 1 in the order of first steps.
        exception: Type name of the exception that it ended in, or None.
        changes: Variables of the frame whose value differs after the step, in name
            order, each with its value, or with the reason (text) why it has none.
    """

    line: int
    frame: int
    exception: str | None
    changes: tuple[tuple[str, Value | str], ...]


@dataclass(frozen=True)
class Trace:
    """The run of one call of one program.

    Attributes:
        source: The program.
        call: The call, as text.
        record: The run in columns.

    Example:
        >>> import tracing
        >>> trace = tracing.run("def f(n):\\n    m = n + 1\\n    return m\\n", "f(2)")
        >>> trace.output, trace.next_statement(2, 1), trace.state(2, 1, "m")
        (Value(type='int', literal='3'), 3, Value(type='int', literal='3'))
    """

    source: str
    call: str
    record: Record

    @property
    def outcome(self) -> str:
        """How the run ended: returned, raised, timeout, memory or unsupported."""
        return self.record.outcome

    @property
    def reason(self) -> str:
        """Why there is no ground truth, or an empty text."""
        return self.record.reason

    @property
    def exception(self) -> str | None:
        """Type name of the exception that left the entry function, or None."""
        return self.record.exception

    @property
    def entry(self) -> str:
        """Name of the function that was called."""
        return self.call.partition("(")[0].strip()

    @cached_property
    def output(self) -> Value | None:
        """The returned value; None where nothing was returned or it has no literal."""
        number = self.record.output
        return self._values[number] if self.outcome == "returned" and number >= 0 else None

    @cached_property
    def units(self) -> Units:
        """The program's units."""
        return units_of(self.source)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps in order."""
        raised = self._raised
        changes: dict[int, list[tuple[str, Value | str]]] = {}
        record = self.record
        for step, name, value in zip(
            record.change_steps, record.change_names, record.change_values, strict=True
        ):
            known = REASONS[value] if value < 0 else self._values[value]
            changes.setdefault(step, []).append((record.names[name], known))
        return tuple(
            Step(line, frame, raised.get(i), tuple(sorted(changes.get(i, ()), key=_name)))
            for i, (line, frame) in enumerate(zip(record.lines, record.frames, strict=True))
        )

    def executed(self, line: int) -> bool:
        """Tell whether the unit on a line was started at least once.

        Args:
            line: A line number, from 1.

        Returns:
            True if so.
        """
        return line in self._by_line

    def occurrences(self, line: int) -> int:
        """Count the steps of a line over the whole run.

        Args:
            line: A line number, from 1.

        Returns:
            The count, 0 where the line starts no unit.
        """
        return len(self._by_line.get(line, ()))

    @property
    def counts(self) -> dict[int, int]:
        """Steps of each line that was executed, in the order of the first ones."""
        return {line: len(places) for line, places in self._by_line.items()}

    def places(self, line: int) -> tuple[int, ...]:
        """List the steps of a line.

        Args:
            line: A line number, from 1.

        Returns:
            Their places in :attr:`steps`, from 0.
        """
        return self._by_line.get(line, ())

    def occurrence_of(self, step: int) -> int:
        """Give the occurrence of a step: its rank among those of its line over the run.

        Args:
            step: A place in :attr:`steps`, from 0.

        Returns:
            The rank, from 1.
        """
        return bisect_right(self._by_line[self.record.lines[step]], step)

    def is_reentered(self, step: int) -> bool:
        """Tell whether the function of a step was called more than once in the run.

        Args:
            step: A place in :attr:`steps`, from 0.

        Returns:
            True if so.
        """
        return self.record.scopes.count(self.record.scopes[self.record.frames[step] - 1]) > 1

    def find(
        self, line: int, occurrence: int, *, frame: str = "any", call: int | None = None
    ) -> int | None:
        """Find a step by its line and occurrence.

        Args:
            line: A line number, from 1.
            occurrence: Which step of the line, from 1.
            frame: ``"any"`` to count over the run, or a function's name.
            call: With a function's name: which of its frames, from 1.

        Returns:
            The step's place in :attr:`steps`, from 0, or None.
        """
        places = self._by_line.get(line, ())
        if frame != "any":
            wanted = self._frame_number(frame, call)
            places = tuple(i for i in places if self.record.frames[i] == wanted)
        return places[occurrence - 1] if 1 <= occurrence <= len(places) else None

    def next_statement(
        self, line: int, occurrence: int, *, frame: str = "any", call: int | None = None
    ) -> int | None:
        """Give the line of the unit that starts next, in any frame.

        Args:
            line: A line number, from 1.
            occurrence: Which step of the line, from 1.
            frame: As for :meth:`find`.
            call: As for :meth:`find`.

        Returns:
            A line, or None after the last step and where it must not be asked.
        """
        step = self.find(line, occurrence, frame=frame, call=call)
        if step is None or self.why_no_next(step):
            return None
        return self.record.lines[step + 1]

    def why_no_next(self, step: int) -> str | None:
        """Say why no next statement may be asked after a step.

        Args:
            step: A place in :attr:`steps`, from 0.

        Returns:
            ``"last"``, ``"finaliser"``, or None where it may be asked.

        Source: docs/semantics.md, 4.3 and 4.5.
        """
        if step + 1 >= len(self.record.lines):
            return "last"
        return "finaliser" if step + 1 in self._finalisers else None

    def state(
        self,
        line: int,
        occurrence: int,
        variable: str,
        *,
        frame: str = "any",
        call: int | None = None,
    ) -> Value | None:
        """Give the value of a variable of the step's own frame after a step.

        Args:
            line: A line number, from 1.
            occurrence: Which step of the line, from 1.
            variable: A local, parameter or captured variable.
            frame: As for :meth:`find`.
            call: As for :meth:`find`.

        Returns:
            The value, or None where it must not be asked; :meth:`why_no_state` says why.
        """
        step = self.find(line, occurrence, frame=frame, call=call)
        known = "unbound" if step is None else self.after(step, variable)
        return known if isinstance(known, Value) else None

    def why_no_state(
        self,
        line: int,
        occurrence: int,
        variable: str,
        *,
        frame: str = "any",
        call: int | None = None,
    ) -> str | None:
        """Say why :meth:`state` gives None.

        Args:
            line: As for :meth:`state`.
            occurrence: As for :meth:`state`.
            variable: As for :meth:`state`.
            frame: As for :meth:`find`.
            call: As for :meth:`find`.

        Returns:
            ``"not_executed"``, ``"raised"``, ``"suspended"``, ``"leaves_with"``,
            ``"unbound"``, ``"no_literal"``, ``"cyclic"`` or ``"too_long"``; None where
            there is a value.
        """
        step = self.find(line, occurrence, frame=frame, call=call)
        known = "not_executed" if step is None else self.after(step, variable)
        return None if isinstance(known, Value) else known

    def after(self, step: int, variable: str) -> Value | str:
        """Give the value of a variable after a step, or the reason why there is none.

        Args:
            step: A place in :attr:`steps`, from 0.
            variable: A variable of that step's frame.

        Returns:
            The value, or the reason as :meth:`why_no_state` names it.

        Source: docs/semantics.md, section 5.
        """
        barrier = self.why_no_values(step)
        if barrier is not None:
            return barrier
        places, numbers = self._histories.get((self.record.frames[step], variable), _NEVER_BOUND)
        place = bisect_right(places, step) - 1
        number = numbers[place] if place >= 0 else -1
        return REASONS[number] if number < 0 else self._values[number]

    def why_no_values(self, step: int) -> str | None:
        """Say why nothing may be asked about any variable after a step.

        Args:
            step: A place in :attr:`steps`, from 0.

        Returns:
            ``"raised"``, ``"suspended"``, ``"leaves_with"``, or None where it may.

        Source: docs/semantics.md, 5.4.
        """
        if step in self._raised:
            return "raised"
        following = self._following[step]
        if following is None and self.record.frames[step] in self.record.suspended:
            return "suspended"
        unit = self.units.by_line[self.record.lines[step]]
        # A with's own header is outside only where its body makes no step.
        withs = (*unit.withs, unit.line) if unit.kind == "with" else unit.withs
        if withs:
            inside = (
                () if following is None else self.units.by_line[self.record.lines[following]].withs
            )
            if not set(withs) <= set(inside):
                return "leaves_with"
        return None

    def variables(self, frame: int) -> tuple[str, ...]:
        """List the variables that were ever bound in a frame.

        Args:
            frame: A frame's number, from 1.

        Returns:
            Their names in alphabetical order.
        """
        return self._variables.get(frame, ())

    def scope(self, frame: int) -> Scope:
        """Give the function or class body that a frame is an activation of.

        Args:
            frame: A frame's number, from 1.

        Returns:
            The scope.
        """
        return self._scopes[self.record.scopes[frame - 1]]

    def rank(self, frame: int) -> int | None:
        """Give the rank of a frame among those of the same function name.

        Args:
            frame: A frame's number, from 1.

        Returns:
            The rank, from 1; None where two functions of the program share the name,
            so that no question may name the frame.

        Source: docs/semantics.md, 3.2.
        """
        name = self.scope(frame).name
        if sum(scope.name == name for scope in self.units.scopes) > 1:
            return None
        before = self.record.scopes[:frame]
        return sum(self._scopes[line].name == name for line in before)

    def _frame_number(self, name: str, call: int | None) -> int | None:
        ranks = [
            number
            for number, line in enumerate(self.record.scopes, 1)
            if self._scopes[line].name == name and self.rank(number) is not None
        ]
        place = 1 if call is None else call
        return ranks[place - 1] if 1 <= place <= len(ranks) else None

    @cached_property
    def _scopes(self) -> dict[int, Scope]:
        return {scope.line: scope for scope in self.units.scopes}

    @cached_property
    def _values(self) -> tuple[Value, ...]:
        return tuple(map(Value.trusted, self.record.types, self.record.literals))

    @cached_property
    def _raised(self) -> dict[int, str]:
        return dict(zip(self.record.raised_at, self.record.raised, strict=True))

    @cached_property
    def _finalisers(self) -> frozenset[int]:
        return frozenset(self.record.finalisers)

    @cached_property
    def _by_line(self) -> dict[int, tuple[int, ...]]:
        places: dict[int, list[int]] = {}
        for step, line in enumerate(self.record.lines):
            places.setdefault(line, []).append(step)
        return {line: tuple(steps) for line, steps in places.items()}

    @cached_property
    def _following(self) -> list[int | None]:
        """For each step, the next step of the same frame."""
        following: list[int | None] = [None] * len(self.record.frames)
        latest: dict[int, int] = {}
        for step, frame in enumerate(self.record.frames):
            if frame in latest:
                following[latest[frame]] = step
            latest[frame] = step
        return following

    @cached_property
    def _histories(self) -> dict[tuple[int, str], tuple[list[int], list[int]]]:
        """For each frame and variable, the steps after which it changed, and to what."""
        histories: dict[tuple[int, str], tuple[list[int], list[int]]] = {}
        record = self.record
        for step, name, value in zip(
            record.change_steps, record.change_names, record.change_values, strict=True
        ):
            key = (record.frames[step], record.names[name])
            places, numbers = histories.setdefault(key, ([], []))
            places.append(step)
            numbers.append(value)
        return histories

    @cached_property
    def _variables(self) -> dict[int, tuple[str, ...]]:
        found: dict[int, list[str]] = {}
        for frame, name in self._histories:
            found.setdefault(frame, []).append(name)
        return {frame: tuple(sorted(names)) for frame, names in found.items()}


_NEVER_BOUND: tuple[list[int], list[int]] = ([], [])


def _name(change: tuple[str, Value | str]) -> str:
    return change[0]
