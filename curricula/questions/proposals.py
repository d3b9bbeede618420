"""Runs the call that an answer proposes, beside the one that the question is about."""

from __future__ import annotations

from curricula.questions.base import Question
from tracing import Trace, probe
from tracing.errors import UsageError, shorten
from tracing.literals import LiteralError, read_arguments

__all__ = ["proposed_call", "run_proposal"]


def proposed_call(question: Question, answer: str) -> str | None:
    """Read a call, or an argument list alone, without running it.

    Args:
        question: The question that it answers.
        answer: Hostile text.

    Returns:
        A call of the entry function with literal arguments, or None where it is none.
    """
    entry = _about(question)[1].partition("(")[0].strip()
    given = answer.strip().strip("`").rstrip(".").strip()
    head, bracket, rest = given.partition("(")
    is_call = bool(bracket) and head.strip() == entry and rest.endswith(")")
    arguments = rest[:-1] if is_call else given
    try:
        read_arguments(arguments)
    except LiteralError:
        return None
    return f"{entry}({arguments})"


def run_proposal(question: Question, call: str) -> tuple[Trace, Trace]:
    """Run the question's own call and a proposed one.

    Args:
        question: The question.
        call: What :func:`proposed_call` gave.

    Returns:
        The steps and outcome of each, the question's own first.

    Raises:
        InfrastructureError: The machine failed.
    """
    source, known = _about(question)
    ((first, second),) = probe([(source, [known, call])])
    return first, second


def _about(question: Question) -> tuple[str, str]:
    if question.about is None:
        raise UsageError(
            f"an answer to {shorten(question.text)!r} must be run, and the question does not "
            "know its program: derive it, or read it from its row"
        )
    return question.about
