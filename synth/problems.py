"""Makes problems of confirmed runs, and of a user's own program."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

import curricula
from curricula.family import family
from curricula.problem import Problem, Provenance, ShapeFacts, problem_id
from curricula.questions import derive
from curricula.structure import measure
from tracing import Limits, Trace, run, support
from tracing.errors import GroundTruthError, shorten
from tracing.world import reads_world

__all__ = ["VERSION", "make_problem", "problem_from", "why_no_ground_truth"]


def _version() -> str:
    try:
        return version("execverify")
    except PackageNotFoundError:  # a checkout that is not installed
        return "0+unknown"


VERSION = _version()
"""Version of execverify, part of every row's provenance."""
PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"


def problem_from(
    source: str,
    call: str,
    *,
    seed: int = 0,
    kinds: Sequence[str] | None = None,
    questions: int = 10,
    limits: Limits | None = None,
) -> Problem:
    """Make a problem of any program: run, traced, questioned, rated by estimate.

    Args:
        source: A program that defines a function; any Python 3.11 code that
            docs/semantics.md, 1.4 does not refuse.
        call: One call of that function with literal arguments, like ``"f([1], k=2)"``.
        seed: Decides which questions are picked.
        kinds: Question kinds to ask, or None for all.
        questions: The most questions.
        limits: What a run may use.

    Returns:
        The problem; its difficulty and tier are estimates.

    Raises:
        GroundTruthError: The run gives no ground truth; the message says why.

    Example:
        >>> problem = problem_from("def f(xs):\\n    xs.append(1)\\n    return xs\\n", "f([])")
        >>> problem.output
        Value(type='list', literal='[1]')
    """
    if not isinstance(source, str) or not isinstance(call, str):
        raise GroundTruthError(
            f"the program and the call must be text, not {type(source).__name__} "
            f"and {type(call).__name__}"
        )
    if not _is_writable(call):
        raise GroundTruthError(
            "the call holds half of a surrogate pair, which no file can hold; write it as an "
            r"escape, like '\ud800'"
        )
    trace = run(source, call, limits=limits)
    reason = why_no_ground_truth(trace)
    if reason is not None:
        raise GroundTruthError(f"this program cannot be ground truth: {reason}")
    return make_problem(
        trace,
        shape=ShapeFacts(),
        provenance=Provenance(seed=seed, shard=-1, generator_version=VERSION, python=PYTHON),
        kinds=kinds,
        questions=questions,
    )


def _is_writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def why_no_ground_truth(trace: Trace) -> str | None:
    """Say why a run cannot become a problem.

    Args:
        trace: A run that :func:`tracing.run` confirmed.

    Returns:
        A sentence, or None where it can.
    """
    if trace.outcome not in ("returned", "raised"):
        return trace.reason
    if trace.outcome == "returned" and trace.output is None:
        return "what it returns has no literal"
    if not trace.record.lines:
        if trace.exception is not None:
            return f"{shorten(trace.call)} raises {trace.exception} before its first step"
        return f"{shorten(trace.call)} makes no step"
    read = reads_world(trace.source)
    if read is not None:
        return read
    if sys.version_info < (3, 12) and support.may_show_phantom(trace.source):
        return "on Python 3.11 the second tracer cannot confirm a try or with in a finally"
    return None


def make_problem(
    trace: Trace,
    *,
    shape: ShapeFacts,
    provenance: Provenance,
    kinds: Sequence[str] | None,
    questions: int,
    family_name: str | None = None,
) -> Problem:
    """Make a problem of a confirmed run.

    Args:
        trace: The run.
        shape: What the program was checked to meet.
        provenance: Where it comes from; its seed also picks the questions.
        kinds: Question kinds to ask, or None for all.
        questions: The most questions.
        family_name: The program's family, where it is known already.

    Returns:
        The problem, rated by the estimate.
    """
    output = trace.output
    problem = Problem(
        id=problem_id(trace.source, trace.call),
        family=family_name or family(trace.source),
        source=trace.source,
        entry=trace.entry,
        call=trace.call,
        outcome=trace.outcome,
        output=output,
        exception=trace.exception,
        shape=shape,
        structure=measure(trace),
        questions=tuple(derive(trace, kinds=kinds, limit=questions, seed=provenance.seed)),
        difficulty=(),
        tier="",
        provenance=provenance,
    )
    estimated = curricula.estimate(problem)
    return replace(problem, difficulty=(estimated,), tier=curricula.tier_of(estimated))
