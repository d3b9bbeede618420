"""Is a line executed at all?

Source: REval's coverage question.
"""

from __future__ import annotations

from collections.abc import Iterable

from curricula.questions.base import Candidate, Question, question, quoted
from tracing import Trace, Value

__all__ = ["Executed"]

_WORDS = {"yes": True, "true": True, "no": False, "false": False}


@question("executed")
class Executed:
    """Asks whether a unit is started at least once."""

    name: str
    by_default: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List units under a condition; those that do not run weigh as much as those that do."""
        counts = trace.counts
        conditional = trace.units.conditional
        idle = sum(line not in counts for line in conditional) or 1
        busy = len(conditional) - idle or 1
        for line in conditional:
            yield Candidate(-1, line, None, 1.0 / busy if line in counts else 1.0 / idle)

    def word(self, trace: Trace, candidate: Candidate) -> Question:
        """Word it with the line and its text."""
        return Question(
            kind=self.name,
            text=f"Is {quoted(trace, candidate.line)} executed during the run? Answer yes or no.",
            line=candidate.line,
            occurrence=None,
            variable=None,
            answers=(Value.of(trace.executed(candidate.line)),),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Accept yes, no, True and False in any case."""
        given = _WORDS.get(answer.strip().strip("`").rstrip(".").strip().lower())
        return given is not None and Value.of(given) in question.answers
