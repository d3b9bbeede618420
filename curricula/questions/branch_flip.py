"""Which call makes a test go the other way? Any that does is right: it is run.

Asked only where a call that does is known, found by varying the arguments a little.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from curricula.questions.base import Candidate, Question, question, quoted
from curricula.questions.proposals import proposed_call, run_proposal
from curricula.questions.variants import varied_calls
from tracing import Trace, Value, probe

__all__ = ["BranchFlip"]


@question("branch_flip", by_default=False, is_telling=False)
class BranchFlip:
    """Asks for a call that turns the first test of an ``if`` or ``while``."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List the tests that some call is known to turn."""
        for line in _flips(trace.source, trace.call):
            yield Candidate(-1, line, None, 1.0)

    def word(self, trace: Trace, candidate: Candidate) -> Question:
        """Word it without telling which way the test goes."""
        line = candidate.line
        return Question(
            kind=self.name,
            text=(
                f"The first time that {quoted(trace, line)} is executed, its test goes one way. "
                f"Give a call of `{trace.entry}` for which it goes the other way the first time "
                "that the line is executed; any that does is right. Answer with the whole call, "
                "its arguments literals."
            ),
            line=line,
            occurrence=1,
            variable=None,
            answers=(Value.of(_flips(trace.source, trace.call)[line]),),
            about=(trace.source, trace.call),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Run the program on the proposed arguments, and look which way the test goes."""
        call = proposed_call(question, answer)
        if call is None or question.line is None:
            return False
        known, given = (_first_test(run, question.line) for run in run_proposal(question, call))
        return known is not None and given is not None and known != given


@lru_cache(maxsize=256)
def _flips(source: str, call: str) -> dict[int, str]:
    """Find calls that turn the first test of a line, by line."""
    calls = varied_calls(source, call)
    ((own, *others),) = probe([(source, [call, *calls])])
    known = {line: _first_test(own, line) for line in own.counts if _body_of(own, line) is not None}
    found: dict[int, str] = {}
    for varied, run in zip(calls, others, strict=True):
        for line, way in known.items():
            turned = _first_test(run, line)
            if line not in found and None not in (way, turned) and way != turned:
                found[line] = varied
    return dict(sorted(found.items()))


def _first_test(trace: Trace, line: int) -> bool | None:
    """Tell which way a test went the first time; None where it did not, or it raised."""
    body = _body_of(trace, line)
    if body is None or not trace.executed(line) or trace.outcome not in ("returned", "raised"):
        return None
    step = trace.places(line)[0]
    if trace.steps[step].exception is not None:
        return None
    frames = trace.record.frames
    following = next((i for i in range(step + 1, len(frames)) if frames[i] == frames[step]), None)
    return following is not None and trace.record.lines[following] == body


def _body_of(trace: Trace, line: int) -> int | None:
    """Find the first unit of the body under a test, or None where the line holds no such."""
    unit = trace.units.by_line.get(line)
    if unit is None or unit.kind not in ("if", "while"):
        return None
    for node in trace.units.nodes:
        if isinstance(node, (ast.If, ast.While)) and node.lineno == line:
            if isinstance(node.test, ast.Constant):
                return None
            last = node.body[-1].end_lineno or line
            inside = [n for n in trace.units.by_line if node.body[0].lineno <= n <= last]
            return min(inside, default=None)
    return None
