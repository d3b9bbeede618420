"""How many times is a line executed?"""

from __future__ import annotations

from collections.abc import Iterable

from curricula.questions.base import Candidate, Question, question, quoted
from tracing import Trace, Value

__all__ = ["Count"]


@question("count", is_telling=False)
class Count:
    """Asks for the number of steps of a line over the whole run."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List lines that run more than once, one for each number of times."""
        # Lines of one block run equally often: two questions about them would be one.
        first = {number: line for line, number in reversed(tuple(trace.counts.items()))}
        for number, line in sorted(first.items()):
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
        given = answer.strip().strip("`").rstrip(".").strip().removesuffix("times").strip()
        return Value.parse(given) in question.answers
