"""What REval's probes ask, what is right by our tracer, and how answers are judged.

A probe names a line that may run often or never: any execution's answer is right, and ``Nil``
or ``-1`` where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curricula.questions import Question
from curricula.questions.state import read_typed
from curricula.scoring.answers import judge_answers
from curricula.scoring.completion import Unreadable, answer_of, lines_of, unnumbered
from rl.evaluation.benchmarks.base import Mark, Replied
from rl.evaluation.benchmarks.official import answer_text, executed
from tracing import Limits, Trace, Value, sandbox
from tracing.errors import InfrastructureError

__all__ = ["Probe", "official", "official_outputs", "ours", "probe_of"]

NIL = "Nil"
END = "-1"
_LONGEST = 20_000
_EVALUATE = "def value(text):\n    return eval(text, {})\n"


@dataclass(frozen=True, slots=True)
class Probe:
    """One question about a line, with every answer that is right.

    Attributes:
        text: The wording.
        question: The kind that checks an answer, with the right ones.
        none_is_right: Whether ``Nil`` or ``-1`` is right.
    """

    text: str
    question: Question
    none_is_right: bool = False


def probe_of(trace: Trace, task: str, line: int, variable: str) -> Probe | str:
    """Make the probe of a line.

    Args:
        trace: The run.
        task: ``"coverage"``, ``"state"`` or ``"path"``.
        line: The line, from 1.
        variable: The variable that state asks about.

    Returns:
        The probe, or why it cannot be asked.
    """
    lines = trace.source.split("\n")
    if not 1 <= line <= len(lines) or line not in trace.units.by_line:
        return "no statement begins on the line"
    where = f"line {line} (`{lines[line - 1].strip()}`)"
    if task == "coverage":
        text = f"Is {where} executed during the run? Answer YES or NO."
        answers = (Value.of(trace.executed(line)),)
        return Probe(text, Question("executed", text, line, None, None, answers))
    return (_state if task == "state" else _path)(trace, line, variable, where)


def _state(trace: Trace, line: int, variable: str, where: str) -> Probe | str:
    if not variable.isidentifier():
        return "what it asks about is no variable"
    found = [trace.after(step, variable) for step in trace.places(line)]
    values = [value for value in found if isinstance(value, Value)]
    if len(values) < len(found):
        return "the variable has no value that can be written down"
    text = (
        f"What are the value and the type of `{variable}` right after {where} is executed? "
        "Where that happens several times, any of its values is right. Answer as: value; type. "
        f"If the line is not executed, answer: {NIL}"
    )
    answers = tuple(dict.fromkeys(values))
    return Probe(text, Question("state", text, line, None, variable, answers), not answers)


def _path(trace: Trace, line: int, _: str, where: str) -> Probe | str:
    after = [(trace.why_no_next(step), step) for step in trace.places(line)]
    if any(why == "finaliser" for why, _ in after):
        return "what runs next is not defined"
    following = dict.fromkeys(trace.record.lines[step + 1] for why, step in after if why is None)
    source = trace.source.split("\n")
    answers = [Value.of(number) for number in following]
    answers += [Value.of(source[number - 1].strip()) for number in following]
    text = (
        f"Which statement runs right after {where} is executed? Where that happens several "
        "times, any of those that follow it is right. Answer with the whole line of code. If "
        f"the line is not executed, or if nothing runs after it, answer: {END}"
    )
    ends = not after or any(why == "last" for why, _ in after)
    question = Question("next_statement", text, line, None, None, tuple(answers))
    return Probe(text, question, ends)


def ours(replied: Replied) -> Mark:
    """Judge an answer to a probe by the check of its question's kind.

    Args:
        replied: A reply to a probe's item.

    Returns:
        The mark.
    """
    probe, task = replied.item.row["probe"], replied.item.task
    try:
        lines = lines_of(answer_of(replied.reply))
    except Unreadable as error:
        return Mark(task, "", 0.0, str(error))
    if len(lines) != 1:
        return Mark(task, "", 0.0, f"{len(lines)} lines where one answer is asked for")
    said = unnumbered(lines[0]).strip("`").rstrip(".").lower()
    none = (END,) if task == "path" else (NIL.lower(),)
    if task != "coverage" and said in none:
        right = probe.none_is_right
    elif not probe.question.answers:
        right = False
    else:
        right = judge_answers(lines, [probe.question])[0][0].right
    return Mark(task, "", float(right))


def official(replied: Replied) -> Mark:
    """Judge an answer to a probe by REval's own rule.

    Args:
        replied: A reply to a probe's item.

    Returns:
        The mark. An answer that is neither yes nor no counts as no; a statement counts by its
        text alone; a value is evaluated, and compared by ``==`` beside its type's name.

    Source: REval's evaluation.py.
    """
    rule = {"coverage": _covers, "path": _follows, "state": _holds}[replied.item.task]
    try:
        verdict = rule(answer_text(replied.reply), replied.item.row)
    except InfrastructureError as error:
        return Mark(replied.item.task, "", 0.0, str(error), is_lost=True)
    return Mark(replied.item.task, "", float(verdict), "" if verdict else "it is wrong")


def _covers(answer: str, row: Mapping[str, Any]) -> bool:
    begin = answer.upper().strip()[:3]
    said = ("YES" in begin) and ("NO" not in begin)
    return bool(Value.of(said) in row["probe"].question.answers)


def _follows(answer: str, row: Mapping[str, Any]) -> bool:
    text = answer.split("\n")[0].strip()
    if text == END:
        return bool(row["probe"].none_is_right)
    source = row["source"].split("\n")
    lines = [number for number, line in enumerate(source, 1) if line.strip() == text]
    return any(Value.of(number) in row["probe"].question.answers for number in lines if text)


def _holds(answer: str, row: Mapping[str, Any]) -> bool:
    probe = row["probe"]
    text = answer.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}).strip()
    value, semicolon, kind = (part.strip() for part in text.rpartition(";"))
    if NIL in (text.capitalize(), value.capitalize()) or text == f"[{NIL}]":
        return bool(probe.none_is_right)
    if not semicolon:
        return False
    found = _evaluated(value, _type_name(kind.lower()))
    return found is not None and _is_among(found, probe.question.answers)


def _type_name(kind: str) -> str:
    """Repair the name of a type as REval does."""
    unwrapped = re.match(r"<class '(.*)'>", kind)
    kind = unwrapped[1] if unwrapped else kind
    kind = re.sub(r"^(.*)\[.*\].*$", r"\1", kind, flags=re.DOTALL)
    if "," in kind or "tuple" in kind:
        return "tuple"
    return {"string": "str", "integer": "int", "nonetype": "NoneType"}.get(kind, kind)


def _evaluated(text: str, kind: str) -> Value | None:
    """Evaluate the text of a value; None where it gives no value of the type."""
    if len(text) > _LONGEST:
        return None
    if text == "None" or kind == "NoneType":
        return Value.of(None)
    value = read_typed(f"{text}; {kind}")
    if value is not None:
        return value
    run = sandbox.run_calls(_EVALUATE, "value", [Value.of(text).literal], limits=Limits(3.0))
    if run.outcome == "infrastructure":
        raise InfrastructureError(run.reason)
    value = run.results[0].value if run.outcome == "finished" else None
    if value is None and kind == "str":
        return Value.of(text)
    return value if value is not None and value.type == kind else None


def _is_among(value: Value, answers: Sequence[Value]) -> bool:
    given = value.object()
    known = [answer.object() for answer in answers]
    if value.type not in {answer.type for answer in answers}:
        return False
    if isinstance(given, float):
        numbers = [one for one in known if isinstance(one, (int, float))]
        return any(abs(given - one) < 1e-6 for one in numbers)
    return given in known


_PENALTIES = ("assertTrue(True)", "assertFalse(False)", "assert True", "assert False")


def official_outputs(replied: Sequence[Replied]) -> list[tuple[Mark, ...]]:
    """Judge completed assertions as REval does: they are run behind the program.

    Args:
        replied: Replies to items of the output task.

    Returns:
        A mark for each; 0 where a constant is asserted, or nothing.

    Source: REval's evaluation.py, the class Output and penalty_pattern.
    """
    return executed(replied, _asserted)


def _asserted(replied: Replied) -> str:
    answer = answer_text(replied.reply) or replied.item.row["test"]
    is_penalised = any(p in answer for p in _PENALTIES) or "assert" not in answer
    return "assert False" if is_penalised else f"{replied.item.row['source']}\n{answer}"
