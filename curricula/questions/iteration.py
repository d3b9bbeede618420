"""What is a loop's variable in its k-th pass?"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from curricula.questions.base import Candidate, Question, ordinal, question, quoted
from curricula.questions.state import MAX_ANSWER, read_typed
from tracing import Trace, Value

__all__ = ["Iteration"]


@question("iteration")
class Iteration:
    """Asks for the item of a ``for`` loop that is entered once."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List the passes but the first of loops with one plain variable, entered once."""
        counts = trace.counts
        for node in trace.units.nodes:
            if (
                isinstance(node, ast.For)
                and isinstance(node.target, ast.Name)
                and counts.get(node.lineno, 0) > 2
                and node.lineno not in trace.units.inside_loops
            ):
                for step in trace.places(node.lineno)[1:-1]:
                    yield Candidate(step, node.lineno, node.target.id, 1.0)

    def word(self, trace: Trace, candidate: Candidate) -> Question | None:
        """Word it with the loop's line and text and the pass."""
        value = trace.after(candidate.step, candidate.variable or "")
        if not isinstance(value, Value) or trace.is_reentered(candidate.step):
            return None
        if len(value.literal) > MAX_ANSWER:
            return None
        occurrence = trace.occurrence_of(candidate.step)
        return Question(
            kind=self.name,
            text=(
                f"In the {ordinal(occurrence)} pass of the loop on "
                f"{quoted(trace, candidate.line)}, what are the value and the type of "
                f"`{candidate.variable}` when the pass begins? Answer as: value; type"
            ),
            line=candidate.line,
            occurrence=occurrence,
            variable=candidate.variable,
            answers=(value,),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Accept ``value; type``, compared type-strictly."""
        return read_typed(answer) in question.answers
