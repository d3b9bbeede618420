"""What a question is, and the registry of its kinds.

A kind is one file of this package: how it is derived from a trace, how it is
worded, how an answer is checked. Importing :mod:`curricula.questions` loads
them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from tracing import Trace, Value
from tracing.errors import ExecVerifyError

__all__ = ["KINDS", "Kind", "Question", "kind_of", "question"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question about one run, with every answer that is right.

    Attributes:
        kind: A key of :data:`KINDS`.
        text: The wording, complete without the others.
        line: The line it asks about, from 1, or None.
        occurrence: Which step of that line, from 1, or None.
        variable: The variable it asks about, or None.
        answers: The right answers; any one will do.
    """

    kind: str
    text: str
    line: int | None
    occurrence: int | None
    variable: str | None
    answers: tuple[Value, ...]

    def check(self, answer: str) -> bool:
        """Tell whether a learner's answer is right; nothing in it is executed.

        Args:
            answer: Hostile text, one answer.

        Returns:
            True where it is one of the right answers, by the rule of its kind.
        """
        return kind_of(self.kind).check(self, answer)


class Kind(Protocol):
    """What the file of a question kind provides."""

    name: str

    def derive(self, trace: Trace) -> Iterable[Question]:
        """Give every question of this kind that may be asked, best first."""

    def check(self, question: Question, answer: str) -> bool:
        """Tell whether an answer is right."""


KINDS: dict[str, Kind] = {}
"""The question kinds by name, in the order in which they were registered."""


def question(name: str) -> Callable[[type], type]:
    """Register the class of a question kind under its name.

    Args:
        name: The kind's name, as in a row's column.

    Returns:
        A class decorator.
    """

    def register(made: type) -> type:
        made.name = name  # type: ignore[attr-defined]
        KINDS[name] = made()
        return made

    return register


def kind_of(name: str) -> Kind:
    """Find a question kind.

    Args:
        name: Its name.

    Returns:
        The kind.

    Raises:
        ExecVerifyError: There is none of that name.
    """
    if name not in KINDS:
        raise ExecVerifyError(f"there is no question kind {name!r}; there are {', '.join(KINDS)}")
    return KINDS[name]
