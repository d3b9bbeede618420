"""Scores a completion: ``R = 2((1 - a) R_io + a R_white)``, with the reason.

Output predictions and step answers are read, never run. An input prediction runs *our*
program on the literal arguments that were given; code runs in the sandbox, and what it
gives back is compared here.

Source: ExecVerify, section 3.3; docs/rewards.md says what is accepted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from curricula.questions import Question
from curricula.questions.base import kind_of
from curricula.scoring.assertion import Assertion, assertion_in, bound, is_assertion
from curricula.scoring.completion import (
    Unreadable,
    answer_of,
    code_of,
    lines_of,
    unnumbered,
)
from curricula.scoring.rows import Row, read_row
from curricula.scoring.testing import run_tests
from tracing import Limits, outputs
from tracing.errors import InfrastructureError, UsageError, shorten

__all__ = ["Part", "Reward", "score", "score_many"]


@dataclass(frozen=True, slots=True)
class Part:
    """The verdict on one question.

    Attributes:
        kind: The question's kind.
        right: Whether the answer was right.
    """

    kind: str
    right: bool


@dataclass(frozen=True, slots=True)
class Reward:
    """What a completion earns.

    Attributes:
        total: In [0, 2]; None where the machine failed, not the completion.
        io: What the prediction (or the code) earns, in [0, 1].
        white: What the step answers earn, in [0, 1].
        reason: A sentence: why it earns no more, or ``"right"``.
        parts: The verdict on each question, in order.
    """

    total: float | None
    io: float
    white: float
    reason: str
    parts: tuple[Part, ...] = field(default=(), repr=False)


def score(
    completion: Any,
    row: Mapping[str, Any],
    *,
    alpha: float = 0.5,
    gate: bool = False,
    limits: Limits | None = None,
) -> Reward:
    """Score one completion.

    Args:
        completion: Text, or a conversation as TRL gives it.
        row: What docs/rewards.md names: ``task``, ``source``, ``entry``, ``call``,
            ``outcome``, ``output``, ``exception``, ``questions``; or ``entry``, ``tests``.
        alpha: Weight of the step answers, in [0, 1].
        gate: Whether a wrong output earns nothing for its step answers either, as in the
            paper's code.
        limits: What a run may use, where something runs.

    Returns:
        The reward. Whatever the completion holds, this does not raise.

    Raises:
        UsageError: The row or ``alpha`` is not what it may be.

    Example:
        >>> row = {"source": "def f(n):\\n    return n\\n", "call": "f(3)", "output": "3"}
        >>> score("<answer>assert f(3) == 3</answer>", row).total
        2.0
        >>> score("<answer>assert f(3) == f(3)</answer>", row)
        Reward(total=0.0, io=0.0, white=0.0, reason='the right side calls f: no value is predicted')
    """
    return score_many([completion], [row], alpha=alpha, gate=gate, limits=limits)[0]


def score_many(
    completions: Sequence[Any],
    rows: Sequence[Mapping[str, Any]],
    *,
    alpha: float = 0.5,
    gate: bool = False,
    limits: Limits | None = None,
) -> list[Reward]:
    """Score completions, those that need a run in as few batches as possible.

    Args:
        completions: The completions.
        rows: Their rows, in the same order; a row may come often.
        alpha: As for :func:`score`.
        gate: As for :func:`score`.
        limits: As for :func:`score`.

    Returns:
        One reward for each completion, in order.

    Raises:
        UsageError: As for :func:`score`.
    """
    if not 0.0 <= alpha <= 1.0:
        raise UsageError(f"alpha must be from 0 to 1, not {alpha}")
    read: dict[int, Row] = {}
    rewards: list[Reward | None] = []
    inputs: list[_Asked] = []
    codes: list[tuple[int, str, Row]] = []
    for place, (completion, given) in enumerate(zip(completions, rows, strict=True)):
        row = read.get(id(given)) or read.setdefault(id(given), read_row(given))
        try:
            answer = answer_of(completion)
            if row.task == "output":
                rewards.append(_output(answer, row, alpha, gate))
            elif row.task == "code":
                codes.append((place, code_of(answer), row))
                rewards.append(None)
            else:
                inputs.append(_Asked(place, row, _input_call(answer, row)))
                rewards.append(None)
        except Unreadable as error:
            rewards.append(_nothing(str(error), row))
    for place, reward in (*_run_inputs(inputs, limits), *_run_codes(codes, limits)):
        rewards[place] = reward
    return [reward for reward in rewards if reward is not None]


def _nothing(reason: str, row: Row) -> Reward:
    return Reward(0.0, 0.0, 0.0, reason, tuple(Part(q.kind, False) for q in row.questions))


def _plain(right: bool, reason: str) -> Reward:
    """Make the reward of a task without step answers."""
    return Reward(2.0 if right else 0.0, 1.0 if right else 0.0, 0.0, "right" if right else reason)


def _output(answer: str, row: Row, alpha: float, gate: bool) -> Reward:
    lines = lines_of(answer)
    wrong, rest = _prediction(lines, row)
    io = 0.0 if wrong else 1.0
    if not row.questions:
        return Reward(2.0 * io, io, 0.0, wrong or "right")
    parts, surplus = _answers(rest, row.questions)
    right = sum(part.right for part in parts)
    white = max(0, right - surplus) / len(parts)
    total = 0.0 if gate and wrong else 2.0 * ((1.0 - alpha) * io + alpha * white)
    return Reward(total, io, white, _reason(wrong, parts, surplus), parts)


def _reason(wrong: str, parts: tuple[Part, ...], surplus: int) -> str:
    missed = sum(not part.right for part in parts)
    said = [wrong] if wrong else []
    if missed:
        said.append(f"{missed} of {len(parts)} step answers are wrong")
    if surplus:
        said.append(f"{surplus} lines too many")
    return "; ".join(said) or "right"


def _prediction(lines: list[str], row: Row) -> tuple[str, list[str]]:
    """Judge the assertion; give what is wrong with it, and the lines behind it."""
    places = [place for place, line in enumerate(lines) if is_assertion(line)]
    if len(places) > 1:
        return f"{len(places)} assertions where one is asked for", lines[places[-1] + 1 :]
    start = places[0] if places else 0
    try:
        assertion, used = _first_assertion(lines[start:], row.entry)
    except Unreadable as error:
        return str(error), lines[start + 1 :]
    rest = lines[start + used :]
    try:
        if bound(row.source, row.entry, assertion.arguments) != bound(
            row.source, row.entry, _arguments_of(row.call)
        ):
            return "the assertion is about another call", rest
    except Unreadable as error:
        return str(error), rest
    return _compare(assertion, row), rest


def _first_assertion(lines: list[str], entry: str) -> tuple[Assertion, int]:
    """Read the assertion at the beginning, which brackets may spread over several lines."""
    first = unnumbered(lines[0])
    try:
        return assertion_in(first, entry), 1
    except Unreadable as error:
        if not _is_open(first):
            raise
        problem = error
    for used in range(2, min(len(lines), 20) + 1):
        text = "\n".join([first, *lines[1:used]])
        if not _is_open(text):
            return assertion_in(text, entry), used
    raise problem


def _is_open(text: str) -> bool:
    """Tell whether brackets are open at the end; text in quotes is not looked into."""
    return sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))


def _arguments_of(call: str) -> str:
    return call.strip().partition("(")[2][:-1]


def _compare(assertion: Assertion, row: Row) -> str:
    """Say what is wrong with a prediction, or give an empty text."""
    if row.exception is not None:
        if assertion.exception == row.exception:
            return ""
        return "the call raises an exception" if assertion.value else "another exception is raised"
    if assertion.exception is not None:
        return "the call raises no exception"
    if row.output in (assertion.value, assertion.other):
        return ""
    claimed = assertion.value.literal if assertion.value else ""
    return f"the predicted value {shorten(claimed)} is wrong"


def _answers(lines: list[str], questions: Sequence[Question]) -> tuple[tuple[Part, ...], int]:
    """Judge answer lines; give the verdicts, and how many lines there are too many.

    As many lines as questions are taken in order. With fewer or more, the order decides in
    which way they fit best, so that a line missing costs one question and not all behind it;
    each line too many takes away what one right answer earns, so guessing twice gains nothing.
    """
    asked = len(questions)
    given = lines[: 2 * asked + 20]
    right = [[_is_right(q, line) for line in given] for q in questions]
    if len(lines) == asked:
        verdicts = [right[place][place] for place in range(asked)]
    else:
        verdicts = _aligned(right, len(given))
    parts = tuple(Part(q.kind, ok) for q, ok in zip(questions, verdicts, strict=True))
    return parts, max(0, len(lines) - asked)


def _is_right(question: Question, line: str) -> bool:
    if len(line) > 60_000:
        return False
    check = kind_of(question.kind).check
    return check(question, line.strip()) or check(question, unnumbered(line))


def _aligned(right: list[list[bool]], count: int) -> list[bool]:
    """Match questions and lines in order so that as many as possible are right."""
    asked = len(right)
    best = [[0] * (count + 1) for _ in range(asked + 1)]
    for q in range(asked - 1, -1, -1):
        for line in range(count - 1, -1, -1):
            match = best[q + 1][line + 1] + right[q][line]
            best[q][line] = max(match, best[q + 1][line], best[q][line + 1])
    verdicts, q, line = [False] * asked, 0, 0
    while q < asked and line < count:
        if right[q][line] and best[q][line] == best[q + 1][line + 1] + 1:
            verdicts[q] = True
            q, line = q + 1, line + 1
        elif best[q][line] == best[q + 1][line]:
            q += 1
        else:
            line += 1
    return verdicts


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call that an input prediction proposes."""

    place: int
    row: Row
    call: str


def _input_call(answer: str, row: Row) -> str:
    """Read the call that is said to give the output."""
    lines = lines_of(answer)
    places = [place for place, line in enumerate(lines) if is_assertion(line)]
    if len(places) > 1:
        raise Unreadable(f"{len(places)} assertions where one is asked for")
    if places:
        assertion, _ = _first_assertion(lines[places[0] :], row.entry)
        wrong = _compare(assertion, row)
        if wrong:
            raise Unreadable(f"the assertion is about another output: {wrong}")
        arguments = assertion.arguments
    elif len(lines) == 1 and unnumbered(lines[0]).startswith(f"{row.entry}("):
        arguments = _arguments_of(unnumbered(lines[0]).rstrip("."))
    else:
        raise Unreadable("the answer is not one assertion")
    bound(row.source, row.entry, arguments)  # literal arguments that the function takes
    return f"{row.entry}({arguments})"


def _run_inputs(asked: Sequence[_Asked], limits: Limits | None) -> list[tuple[int, Reward]]:
    """Run our programs on the proposed arguments, each program's calls together."""
    groups: dict[str, list[_Asked]] = {}
    for one in asked:
        groups.setdefault(one.row.source, []).append(one)
    rewards: list[tuple[int, Reward]] = []
    for source, group in groups.items():
        try:
            runs = outputs(source, [one.call for one in group], limits=limits)
        except InfrastructureError as error:
            failed = Reward(None, 0.0, 0.0, f"infrastructure: {error}")
            rewards += [(one.place, failed) for one in group]
            continue
        for one, run in zip(group, runs, strict=True):
            same = (run.output, run.exception) == (one.row.output, one.row.exception)
            finished = run.outcome in ("returned", "raised")
            got = run.output.literal if run.output else run.exception or run.reason
            rewards.append((one.place, _plain(same and finished, f"it gives {shorten(got)}")))
    return rewards


def _run_codes(
    codes: Sequence[tuple[int, str, Row]], limits: Limits | None
) -> list[tuple[int, Reward]]:
    """Run programs in the sandbox, several at a time; it bounds how many itself."""

    def judged(one: tuple[int, str, Row]) -> tuple[int, Reward]:
        place, code, row = one
        verdict = run_tests(code, row, limits)
        if verdict.infrastructure:
            return place, Reward(None, 0.0, 0.0, f"infrastructure: {verdict.reason}")
        return place, _plain(verdict.passed, verdict.reason)

    if len(codes) < 2:
        return [judged(one) for one in codes]
    with ThreadPoolExecutor(min(len(codes), 2 * (os.cpu_count() or 1))) as threads:
        return list(threads.map(judged, codes))
