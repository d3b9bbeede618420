"""Which statement runs next?

Source: ExecVerify, section 3.2, the control-flow question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from curricula.questions.base import Candidate, Question, ordinal, question, quoted
from tracing import Trace, Value

__all__ = ["NextStatement"]

_LINE = re.compile(r"(?:line\s*)?(\d{1,6})\.?", re.IGNORECASE)
_BOTH = re.compile(r"(?:line\s*)?(\d{1,6})\s*[:.,(]?\s+[`(]*(.*?)[`)]*", re.IGNORECASE | re.DOTALL)


@question("next_statement")
class NextStatement:
    """Asks for the unit that starts next, in any function, by its line or its text."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List all steps but the last; where control leaves the lines' order weighs most."""
        lines, frames = trace.record.lines, trace.record.frames
        counts, below = trace.counts, trace.units.below
        finalisers = set(trace.record.finalisers)
        for step, (line, following) in enumerate(pairwise(lines)):
            if step + 1 in finalisers:
                continue
            plain = following == below.get(line) and frames[step] == frames[step + 1]
            yield Candidate(step, line, None, (0.2 if plain else 1.0) * min(counts[line], 4))

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
        """Accept the line number (``6``, ``line 6``), the statement's text, or both."""
        given = answer.strip().strip("`").strip()
        lines = [value.literal for value in question.answers if value.type == "int"]
        texts = [_squeezed(str(v.object())) for v in question.answers if v.type == "str"]
        number = _LINE.fullmatch(given)
        if number:
            return number[1] in lines
        if _squeezed(given) in texts or _squeezed(given.removesuffix(".")) in texts:
            return True
        both = re.fullmatch(_BOTH, given)
        return both is not None and both[1] in lines and _squeezed(both[2]) in texts


def _squeezed(text: str) -> str:
    """Make runs of blanks one; a statement's text holds no line break."""
    return " ".join(text.split())
