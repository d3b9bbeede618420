"""What does the call return, or which exception leaves it?

Source: CRUXEval's output prediction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from curricula.questions.base import Candidate, Question, question
from tracing import Trace, Value

__all__ = ["Output"]

_RAISES = re.compile(r"raises\s+`?([A-Za-z_]\w*)`?")


@question("output", by_default=False)
class Output:
    """Asks for the outcome of the whole run."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """Give the one question that there is."""
        # A returned text that reads like an exception could not be told from one.
        returned = trace.output is not None and not _is_raised(trace.output)
        if returned or trace.outcome == "raised":
            yield Candidate(-1, 0, None, 1.0)

    def word(self, trace: Trace, candidate: Candidate) -> Question:
        """Word it so that it does not tell whether the call returns."""
        answer = trace.output or Value.of(f"raises {trace.exception}")
        return Question(
            kind=self.name,
            text=(
                f"What does `{trace.call}` return? Answer with a literal; if it raises an "
                "exception that the program does not catch, answer: raises TypeName"
            ),
            line=None,
            occurrence=None,
            variable=None,
            answers=(answer,),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Accept the literal, or ``raises`` and the type's name."""
        given = answer.strip()
        unended = given.removesuffix(".").strip("` ")
        (known,) = question.answers
        if _is_raised(known):
            raised = _RAISES.fullmatch(unended)
            return raised is not None and Value.of(f"raises {raised[1]}") == known
        # ``16.`` is a float, or an int at the end of a sentence.
        return known in (Value.parse(given.strip("`")), Value.parse(unended))


def _is_raised(answer: Value) -> bool:
    return answer.type == "str" and _RAISES.fullmatch(str(answer.object())) is not None
