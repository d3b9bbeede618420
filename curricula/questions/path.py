"""Which three statements run next?

Source: REval's path question, made longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from curricula.questions.base import Candidate, Question, ordinal, question, quoted
from tracing import Trace, Value

__all__ = ["Path"]

_AHEAD = 3


@question("path")
class Path:
    """Asks for the lines of the next three units, in any function."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List the steps with three behind them; a path that jumps weighs most."""
        lines, below = trace.record.lines, trace.units.below
        finalisers = set(trace.record.finalisers)
        jumps = [below.get(one) != other for one, other in pairwise(lines)]
        for step in range(len(lines) - _AHEAD):
            if finalisers and not finalisers.isdisjoint(range(step + 1, step + _AHEAD + 1)):
                continue
            weight = 0.1 + jumps[step] + jumps[step + 1] + jumps[step + 2]
            yield Candidate(step, lines[step], None, weight)

    def word(self, trace: Trace, candidate: Candidate) -> Question:
        """Word it with the line, its text and the occurrence."""
        step = candidate.step
        occurrence = trace.occurrence_of(step)
        ahead = list(trace.record.lines[step + 1 : step + 1 + _AHEAD])
        return Question(
            kind=self.name,
            text=(
                f"Which three statements run next, one after the other, once "
                f"{quoted(trace, candidate.line)} is executed for the {ordinal(occurrence)} time? "
                "Answer with their line numbers, separated by commas."
            ),
            line=candidate.line,
            occurrence=occurrence,
            variable=None,
            answers=(Value.of(ahead),),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Accept line numbers in order, as a list or with ``line`` before them."""
        given = answer.strip().strip("`").rstrip(".").strip().strip("[]()")
        given = re.sub(r"\blines?\b", " ", given, flags=re.IGNORECASE)
        numbers = re.fullmatch(r"\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*", given)
        return (
            numbers is not None and Value.of([int(n) for n in numbers.groups()]) in question.answers
        )
