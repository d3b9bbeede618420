"""Which statement runs next?

Source: ExecVerify, section 3.2, the control-flow question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from curricula.questions.base import Candidate, Question, ordinal, question, quoted
from tracing import Trace, Value

__all__ = ["NextStatement"]

_LINE = re.compile(r"(?:line\s*)?(\d{1,6})", re.IGNORECASE)


@question("next_statement")
class NextStatement:
    """Asks for the unit that starts next, in any function, by its line or its text."""

    name: str
    by_default: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List all steps but the last; where control leaves the lines' order weighs most."""
        lines, frames = trace.record.lines, trace.record.frames
        counts = trace.counts
        for step in range(len(lines) - 1):
            if trace.why_no_next(step) is None:
                line, following = lines[step], lines[step + 1]
                plain = (
                    following == trace.units.below.get(line) and frames[step] == frames[step + 1]
                )
                repeated = min(counts[line], 4)
                yield Candidate(step, line, None, (0.2 if plain else 1.0) * repeated)

    def word(self, trace: Trace, candidate: Candidate) -> Question:
        """Word it with the line, its text and the occurrence."""
        line, occurrence = candidate.line, trace.occurrence_of(candidate.step)
        following = trace.record.lines[candidate.step + 1]
        answers = [Value.of(following)]
        text = trace.units.unique_text(following)
        if text is not None:
            answers.append(Value.of(text))
        return Question(
            kind=self.name,
            text=(
                f"Which statement runs right after {quoted(trace, line)} is executed for the "
                f"{ordinal(occurrence)} time, in whatever function it stands?"
            ),
            line=line,
            occurrence=occurrence,
            variable=None,
            answers=tuple(answers),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Accept the line number (``6``, ``line 6``) or the statement's text."""
        given = answer.strip().strip("`").strip()
        for value in question.answers:
            if value.type == "int":
                match = _LINE.fullmatch(given.rstrip("."))
                if match and match[1] == value.literal:
                    return True
            elif _squeezed(given) == _squeezed(str(value.object())):
                return True
        return False


def _squeezed(text: str) -> str:
    """Make runs of blanks one; a statement's text holds no line break."""
    return " ".join(text.split())
