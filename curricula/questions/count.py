"""How many times is a line executed?"""

from __future__ import annotations

from collections.abc import Iterable

from curricula.questions.base import Candidate, Question, question, quoted
from tracing import Trace, Value

__all__ = ["Count"]


@question("count")
class Count:
    """Asks for the number of steps of a line over the whole run."""

    name: str
    by_default: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List the lines that run more than once."""
        for line, number in trace.counts.items():
            if number > 1:
                yield Candidate(-1, line, None, 1.0 if number <= 20 else 0.2)

    def word(self, trace: Trace, candidate: Candidate) -> Question:
        """Word it with the line and its text; a loop's header counts its last test too."""
        kind = trace.units.by_line[candidate.line].kind
        headers = {
            "for": " The last time, when no item is left, counts too.",
            "while": " The last time, when its test is false, counts too.",
        }
        return Question(
            kind=self.name,
            text=(
                f"How many times is {quoted(trace, candidate.line)} executed over the whole run?"
                + headers.get(kind, "")
            ),
            line=candidate.line,
            occurrence=None,
            variable=None,
            answers=(Value.of(trace.occurrences(candidate.line)),),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Accept the number, with ``times`` behind it if need be."""
        given = answer.strip().rstrip(".").strip().removesuffix("times").strip()
        return Value.parse(given) in question.answers
