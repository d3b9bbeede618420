"""Is a line executed at all?

Source: REval's coverage question.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from curricula.questions.base import Candidate, Question, question, quoted
from tracing import Trace, Value
from tracing.units import bodies, units_of

__all__ = ["Executed"]

_WORDS = {"yes": True, "true": True, "no": False, "false": False}


@question("executed", is_telling=False)
class Executed:
    """Asks whether a unit is started at least once."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List the first units of branches; those that run weigh as much as those that do not."""
        counts = trace.counts
        branches = _branches(trace.source)
        idle = sum(line not in counts for line in branches)
        for line in branches:
            yield Candidate(
                -1, line, None, 1.0 / (len(branches) - idle) if line in counts else 1.0 / idle
            )

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


@lru_cache(maxsize=256)
def _branches(source: str) -> tuple[int, ...]:
    """Find the first unit of each branch; the others of it would be the same question."""
    units = units_of(source)
    found = set()
    for node in units.nodes:
        if isinstance(node, (ast.If, ast.ExceptHandler, ast.match_case)):
            for body in bodies(node):
                found.update([n.lineno for n in body if n.lineno in units.by_line][:1])
    return tuple(sorted(found))
