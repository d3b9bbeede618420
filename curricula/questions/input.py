"""Which arguments give this output? Any that do are right: they are run.

Source: CRUXEval's input prediction.
"""

from __future__ import annotations

from collections.abc import Iterable

from curricula.questions.base import Candidate, Question, question
from curricula.questions.proposals import proposed_call, run_proposal
from tracing import Trace, Value

__all__ = ["Input"]


@question("input", by_default=False, is_telling=False)
class Input:
    """Asks backwards, from the outcome to a call."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """Give the one question that there is."""
        if trace.output is not None or trace.outcome == "raised":
            yield Candidate(-1, 0, None, 1.0)

    def word(self, trace: Trace, candidate: Candidate) -> Question:
        """Word it with the outcome; the call that is known is one right answer."""
        known = trace.output
        does = f"return `{known.literal}`" if known else f"raise {trace.exception}"
        return Question(
            kind=self.name,
            text=(
                f"Which arguments make `{trace.entry}(????)` {does}? Any that do are right. "
                "Answer with the whole call, its arguments literals."
            ),
            line=None,
            occurrence=None,
            variable=None,
            answers=(Value.of(trace.call),),
            about=(trace.source, trace.call),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Run the program on the proposed arguments, and compare the outcomes."""
        call = proposed_call(question, answer)
        if call is None:
            return False
        known, given = run_proposal(question, call)
        return (
            given.outcome in ("returned", "raised")
            and (given.output, given.exception) == (known.output, known.exception)
            # A call that the function does not take raises before its first step.
            and bool(given.record.lines)
            and (given.output is not None or given.outcome == "raised")
        )
