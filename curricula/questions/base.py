"""What a question is, and the registry of its kinds.

A kind is one file of this package: which questions it could ask of a trace, how one is
worded, how an answer is checked. Importing :mod:`curricula.questions` loads them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from tracing import Trace, Value
from tracing.errors import UsageError, shorten

__all__ = ["KINDS", "Candidate", "Kind", "Question", "kind_of", "ordinal", "question", "quoted"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question about one run, with every answer that is right.

    Attributes:
        kind: A key of :data:`KINDS`.
        text: The wording, complete without the others.
        line: The line it asks about, from 1, or None.
        occurrence: Which step of that line over the whole run, from 1, or None.
        variable: The variable it asks about, or None.
        answers: The right answers; any one will do. Where others may be right too (input,
            branch_flip), one that is.
        about: The program and the call, for kinds whose answers are run; no part of a row,
            which has both.
    """

    kind: str
    text: str
    line: int | None
    occurrence: int | None
    variable: str | None
    answers: tuple[Value, ...]
    about: tuple[str, str] | None = field(default=None, compare=False, repr=False)

    def check(self, answer: str) -> bool:
        """Tell whether a learner's answer is right; nothing in it is executed.

        For input and branch_flip the program that was asked about is run, confined, on the
        literal arguments of the answer.

        Args:
            answer: Hostile text, one answer.

        Returns:
            True where it is right by the rule of its kind.

        Raises:
            UsageError: The program must be run, and the question does not know it.
            InfrastructureError: It must be run, and the machine failed.
        """
        return kind_of(self.kind).check(self, answer)


class Candidate(NamedTuple):
    """A question that could be asked, before it is worded; a run has thousands.

    Attributes:
        step: The step it is about, from 0, or -1.
        line: The line it would name.
        variable: The variable it would name, or None.
        weight: How much its answer says about the run; more likely to be chosen.
    """

    step: int
    line: int
    variable: str | None
    weight: float


class Kind(Protocol):
    """What the file of a question kind provides."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List what may be asked of a run, cheaply."""

    def word(self, trace: Trace, candidate: Candidate) -> Question | None:
        """Make the question of a candidate, or None where a closer look forbids it."""

    def check(self, question: Question, answer: str) -> bool:
        """Tell whether an answer is right."""


KINDS: dict[str, Kind] = {}
"""The question kinds by name, in the order in which they were registered."""
_Made = TypeVar("_Made", bound=Kind)


def question(
    name: str, *, by_default: bool = True, is_telling: bool = True
) -> Callable[[type[_Made]], type[_Made]]:
    """Register the class of a question kind under its name.

    Args:
        name: The kind's name, as in a row's column.
        by_default: Whether it is asked where no kinds are named. Kinds whose text gives the
            output away or that ask for it are not, the output being asked for anyway; nor
            are those whose answers must be run, which makes them costly to reward.
        is_telling: Whether a right answer shows that this question was meant, where lines
            are missing: it is not easily guessed, and needs no run.

    Returns:
        A class decorator.
    """

    def register(made: type[_Made]) -> type[_Made]:
        kind = made()
        kind.name, kind.by_default, kind.is_telling = name, by_default, is_telling
        KINDS[name] = kind
        return made

    return register


def kind_of(name: str) -> Kind:
    """Find a question kind.

    Args:
        name: Its name.

    Returns:
        The kind.

    Raises:
        UsageError: There is none of that name.
    """
    if name not in KINDS:
        raise UsageError(
            f"there is no question kind {shorten(repr(name))}; choose of {', '.join(KINDS)}"
        )
    return KINDS[name]


def ordinal(number: int) -> str:
    """Write a number as people count.

    Args:
        number: From 1.

    Returns:
        Its ordinal.

    Example:
        >>> [ordinal(n) for n in (1, 2, 3, 11, 22)]
        ['1st', '2nd', '3rd', '11th', '22nd']
    """
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


def quoted(trace: Trace, line: int) -> str:
    """Name a line so that nobody can mistake it.

    Args:
        trace: The run.
        line: A line that begins a unit.

    Returns:
        Its number and its text.
    """
    return f"line {line} (`{trace.units.by_line[line].text}`)"
