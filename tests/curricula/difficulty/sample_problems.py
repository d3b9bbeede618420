"""Problems for the tests of difficulty, made by running real programs."""

from __future__ import annotations

import tracing
from curricula.problem import Problem, Provenance, ShapeFacts, problem_id
from curricula.structure import measure


def problem_of(trace: tracing.Trace) -> Problem:
    """Make a problem of a run, without questions and not rated yet."""
    return Problem(
        id=problem_id(trace.source, trace.call),
        family=problem_id(trace.source, ""),
        source=trace.source,
        entry=trace.entry,
        call=trace.call,
        outcome=trace.outcome,
        output=trace.output,
        exception=trace.exception,
        shape=ShapeFacts(),
        structure=measure(trace),
        questions=(),
        difficulty=(),
        tier="medium",
        provenance=Provenance(0, -1, "0", "3.11"),
    )


def problem(source: str, call: str) -> Problem:
    """Run a call of a program and make a problem of it."""
    return problem_of(tracing.run(source, call))


def additions(count: int) -> list[Problem]:
    """Make problems ``add<i>(1)`` that give ``i + 1``."""
    jobs = [(f"def add{i}(n):\n    return n + {i}\n", f"add{i}(1)") for i in range(count)]
    return [problem_of(trace) for trace in tracing.run_many(jobs)]
