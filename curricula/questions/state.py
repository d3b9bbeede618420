"""What is the value of a variable, and its type?

Source: ExecVerify, section 3.2, the data question.
"""

from __future__ import annotations

from collections.abc import Iterable

from curricula.questions.base import Candidate, Question, ordinal, question, quoted
from tracing import Trace, Value

__all__ = ["MAX_ANSWER", "State", "read_typed"]

MAX_ANSWER = 300
"""The longest literal that is asked for, in characters: nobody writes more without a slip."""
_TRIVIAL = frozenset({"0", "1", "''", "[]", "{}", "None", "True", "False", "set()"})


@question("state")
class State:
    """Asks for a variable's value and type right after a step that changed it."""

    name: str
    by_default: bool
    is_telling: bool

    def candidates(self, trace: Trace) -> Iterable[Candidate]:
        """List the changes of variables that have a value, arguments as they came in apart."""
        record = trace.record
        arguments = trace.call.partition("(")[2]
        for step, name, value in zip(
            record.change_steps, record.change_names, record.change_values, strict=True
        ):
            if value < 0 or len(literal := record.literals[value]) > MAX_ANSWER:
                continue
            if step == 0 and literal in arguments:
                continue  # an argument as it came in
            weight = 0.15 if literal in _TRIVIAL else 1.0 if len(literal) <= 60 else 0.4
            yield Candidate(
                step, record.lines[step], record.names[name], weight * min(len(literal), 12) ** 0.5
            )

    def word(self, trace: Trace, candidate: Candidate) -> Question | None:
        """Word it with the line, its text and the occurrence."""
        line, variable = candidate.line, candidate.variable or ""
        value = trace.after(candidate.step, variable)
        if not isinstance(value, Value) or (
            len(value.literal) > 1 and trace.output == value and value.literal not in _TRIVIAL
        ):
            return None
        occurrence = trace.occurrence_of(candidate.step)
        where = " in that call" if trace.is_reentered(candidate.step) else ""
        return Question(
            kind=self.name,
            text=(
                f"What are the value and the type of `{variable}`{where} right after "
                f"{quoted(trace, line)} is executed for the {ordinal(occurrence)} time? "
                "Answer as: value; type"
            ),
            line=line,
            occurrence=occurrence,
            variable=variable,
            answers=(value,),
        )

    def check(self, question: Question, answer: str) -> bool:
        """Accept ``value; type``, compared type-strictly."""
        return read_typed(answer) in question.answers


def read_typed(answer: str) -> Value | None:
    """Read an answer of the form ``value; type``.

    Args:
        answer: Hostile text; the type stands after the last semicolon, since a value may
            hold some.

    Returns:
        The value, or None where it is none or of another type than it says.

    Example:
        >>> read_typed("'a;b'; str")
        Value(type='str', literal="'a;b'")
    """
    text, semicolon, name = answer.strip().strip("`").rpartition(";")
    if not semicolon:
        return None
    value = Value.parse(text.strip().strip("`"))
    named = name.strip().rstrip(".").strip().strip("`'\"")
    named = named.removeprefix("<class '").removesuffix("'>")
    return value if value is not None and value.type == named else None
