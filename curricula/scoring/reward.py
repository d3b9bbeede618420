"""Scores a completion: ``R = 2((1 - a) R_io + a R_white)``, with the reason.

Output predictions and step answers are read, never run. An input prediction runs *our*
program on the literal arguments that were given; code runs in the sandbox, and what it
gives back is compared here.

Source: ExecVerify, section 3.3; docs/rewards.md says what is accepted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from curricula.scoring.answers import Part, judge_answers
from curricula.scoring.completion import Unreadable, answer_of, code_of, lines_of
from curricula.scoring.prediction import judge_output, proposed_arguments
from curricula.scoring.rows import Row, read_row
from curricula.scoring.running import run_arguments
from curricula.scoring.testing import run_tests
from tracing import Limits
from tracing.errors import InfrastructureError, UsageError, said, shorten

__all__ = ["HIGHEST", "Part", "Reward", "score", "score_many"]

HIGHEST = 2.0
"""The reward of a completion that is right in all that was asked."""


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
    partial: bool = False,
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
        partial: Whether code earns by the fraction of tests that it passes; all must pass
            otherwise.
        limits: What a run may use, where something runs.

    Returns:
        The reward. Whatever the completion holds, this does not raise.

    Raises:
        UsageError: The row or ``alpha`` is not what it may be.
        SandboxLevelError: Code must run, and this system cannot confine it as required.

    Example:
        >>> row = {"source": "def f(n):\\n    return n\\n", "call": "f(3)", "output": "3"}
        >>> score("<answer>assert f(3) == 3</answer>", row).total
        2.0
        >>> score("<answer>assert f(3) == f(3)</answer>", row)
        Reward(total=0.0, io=0.0, white=0.0, reason='the right side calls f: no value is predicted')
    """
    (reward,) = score_many(
        [completion], [row], alpha=alpha, gate=gate, partial=partial, limits=limits
    )
    return reward


def score_many(
    completions: Sequence[Any],
    rows: Sequence[Mapping[str, Any]],
    *,
    alpha: float = 0.5,
    gate: bool = False,
    partial: bool = False,
    limits: Limits | None = None,
) -> list[Reward]:
    """Score completions, those that need a run in as few batches as possible.

    Args:
        completions: The completions.
        rows: Their rows, in the same order; a row may come often.
        alpha: As for :func:`score`.
        gate: As for :func:`score`.
        partial: As for :func:`score`.
        limits: As for :func:`score`.

    Returns:
        One reward for each completion, in order.

    Raises:
        UsageError: As for :func:`score`.
        SandboxLevelError: As for :func:`score`.
    """
    if type(alpha) not in (int, float) or not 0.0 <= alpha <= 1.0:
        raise UsageError(f"alpha must be from 0 to 1, not {said(alpha)}")
    if len(completions) != len(rows):
        raise UsageError(f"{len(completions)} completions have {len(rows)} rows; give one to each")
    rewards: dict[int, Reward] = {}
    inputs: list[_Asked] = []
    codes: list[tuple[int, str, Row]] = []
    for place, (completion, row) in enumerate(zip(completions, _read_rows(rows), strict=True)):
        try:
            answer = answer_of(completion)
            if row.task == "output":
                rewards[place] = _output(answer, row, alpha, gate)
            elif row.task == "code":
                codes.append((place, code_of(answer), row))
            else:
                arguments = proposed_arguments(lines_of(answer), row)
                if arguments is None:
                    rewards[place] = _plain(1.0, "")
                else:
                    inputs.append(_Asked(place, row, arguments))
        except Unreadable as error:
            rewards[place] = _nothing(str(error), row)
        except InfrastructureError as error:
            rewards[place] = _unknown(str(error))
    rewards.update(_run_inputs(inputs, limits))
    rewards.update(_run_codes(codes, partial, limits))
    return [rewards[place] for place in range(len(completions))]


def _columns_of(row: Any) -> Mapping[str, Any]:
    """Give the columns of a row; a problem of one's own may stand for its row."""
    if isinstance(row, Mapping):
        return row
    from curricula.problem import Problem, to_row

    if isinstance(row, Problem):
        return to_row(row)
    raise UsageError(
        f"a row is a mapping of columns or a Problem, not {said(row)}; take one of a dataset's rows"
    )


def _read_rows(given: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Read rows, equal ones once: a trainer repeats each for every completion of it."""
    read: dict[str, Row] = {}
    rows = []
    for columns in map(_columns_of, given):
        try:
            key = json.dumps(columns, default=repr)
        except (TypeError, ValueError, RecursionError):  # names that are no text, cycles, depth
            rows.append(read_row(columns))
            continue
        if key not in read:
            read[key] = read_row(columns)
        rows.append(read[key])
    return rows


def _nothing(reason: str, row: Row) -> Reward:
    return Reward(0.0, 0.0, 0.0, reason, tuple(Part(q.kind, False) for q in row.questions))


def _unknown(reason: str) -> Reward:
    return Reward(None, 0.0, 0.0, f"infrastructure: {reason}")


def _plain(earned: float, reason: str) -> Reward:
    """Make the reward of a task without step answers."""
    return Reward(HIGHEST * earned, earned, 0.0, "right" if earned == 1.0 else reason)


def _output(answer: str, row: Row, alpha: float, gate: bool) -> Reward:
    wrong, rest = judge_output(lines_of(answer), row)
    io = 0.0 if wrong else 1.0
    if not row.questions:
        return _plain(io, wrong)
    parts, surplus = judge_answers(rest, row.questions)
    right = sum(part.right for part in parts)
    white = max(0, right - surplus) / len(parts)
    total = 0.0 if gate and wrong else HIGHEST * ((1.0 - alpha) * io + alpha * white)
    return Reward(total, io, white, _reason(wrong, parts, surplus), parts)


def _reason(wrong: str, parts: tuple[Part, ...], surplus: int) -> str:
    missed = sum(not part.right for part in parts)
    said = [wrong] if wrong else []
    if missed:
        said.append(f"{missed} of {len(parts)} step answers are wrong")
    if surplus:
        said.append(f"{surplus} lines too many")
    return "; ".join(said) or "right"


@dataclass(frozen=True, slots=True)
class _Asked:
    """Arguments that an input prediction proposes."""

    place: int
    row: Row
    arguments: str


def _run_inputs(asked: Sequence[_Asked], limits: Limits | None) -> dict[int, Reward]:
    """Run our programs on the proposed arguments, each program's calls together."""
    groups: dict[tuple[str, str], list[_Asked]] = {}
    for one in asked:
        groups.setdefault((one.row.source, one.row.entry), []).append(one)
    rewards: dict[int, Reward] = {}
    for (source, entry), group in groups.items():
        arguments = list(dict.fromkeys(one.arguments for one in group))
        try:
            runs = run_arguments(source, entry, arguments, limits)
        except InfrastructureError as error:
            rewards |= {one.place: _unknown(str(error)) for one in group}
            continue
        given = dict(zip(arguments, runs, strict=True))
        for one in group:
            ran, row = given[one.arguments], one.row
            right = not ran.reason and (ran.value, ran.exception) == (row.output, row.exception)
            got = ran.value.literal if ran.value else ran.exception or ran.reason
            rewards[one.place] = _plain(float(right), f"it gives {shorten(got)}")
    return rewards


def _run_codes(
    codes: Sequence[tuple[int, str, Row]], partial: bool, limits: Limits | None
) -> dict[int, Reward]:
    """Run programs in the sandbox, several at a time; it bounds how many itself."""

    def judged(one: tuple[int, str, Row]) -> tuple[int, Reward]:
        place, code, row = one
        verdict = run_tests(code, row, limits)
        if verdict.is_infrastructure:
            return place, _unknown(verdict.reason)
        earned = verdict.fraction if partial else float(verdict.fraction == 1.0)
        return place, _plain(earned, verdict.reason)

    if len(codes) < 2:
        return dict(map(judged, codes))
    with ThreadPoolExecutor(min(len(codes), 2 * (os.cpu_count() or 1))) as threads:
        return dict(threads.map(judged, codes))
