"""Which exception does a statement end in?"""

from __future__ import annotations

from collections.abc import Iterable

from curricula.questions.base import Candidate, Question, ordinal, question, quoted
from tracing import Trace, Value

__all__ = ["ExceptionKind"]


@question("exception")
class ExceptionKind:
    """Asks for the type of an exception that the program itself catches."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List the steps that raised; one that leaves the entry would tell the outcome."""
        record = trace.record
        last = len(record.lines) - 1
        for step, kind in zip(record.raised_at, record.raised, strict=True):
            escapes = trace.outcome == "raised" and kind == trace.exception
            if kind != "GeneratorExit" and step != last and not escapes:
                yield Candidate(step, record.lines[step], None, 1.0)

    def word(self, trace: Trace, candidate: Candidate) -> Question:
        """Word it with the line, its text and the occurrence."""
        occurrence = trace.occurrence_of(candidate.step)
        return Question(
            kind=self.name,
            text=(
                f"Which exception does {quoted(trace, candidate.line)} end in when it is executed "
                f"for the {ordinal(occurrence)} time? Answer with the name of its type."
            ),
            line=candidate.line,
            occurrence=occurrence,
            variable=None,
            answers=(Value.of(trace.steps[candidate.step].exception or ""),),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Accept the type's name."""
        given = answer.strip().strip("`'\"").rstrip(".").strip()
        return Value.of(given) in question.answers
