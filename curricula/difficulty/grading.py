"""Measures pass rates: asks a model, scores what it replies, keeps both.

Each reply is scored by :mod:`curricula.scoring`, the code that rewards a learner; it is right
where everything that was asked is right. What was replied goes to a journal at once, so a run
that is killed goes on where it stopped. A problem whose replies do not come is named, and
never taken for a failed one.
"""

from __future__ import annotations

import logging
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from curricula import prompts, scoring
from curricula.difficulty.base import Count, Difficulty
from curricula.difficulty.engines import Completion, Engine, Messages, open_engine
from curricula.difficulty.intervals import wilson
from curricula.difficulty.journal import Entry, Journal, prompt_digest
from curricula.difficulty.plan import INPUT, Plan
from curricula.difficulty.progress import Progress, Told
from curricula.difficulty.shots import worked
from curricula.difficulty.stopping import is_decided
from curricula.problem import Problem, to_row
from tracing.errors import ExecVerifyError, said, shorten

__all__ = ["Grading", "Plan", "Progress", "measure_rates", "without_values"]

STEP = 4
_VALUES = (
    (re.compile(r"(?<=predicted value ).*(?= is wrong)", re.DOTALL), "..."),
    (re.compile(r"""(?<!\w)(['"]).*\1""", re.DOTALL), "..."),
    (re.compile(r"(?<=: ).*", re.DOTALL), "..."),
    (re.compile(r"\d+"), "N"),
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Grading:
    """What a run measured.

    Attributes:
        difficulties: By problem id; problems without any reply are missing.
        unanswered: By problem id, why replies are missing.
    """

    difficulties: dict[str, Difficulty]
    unanswered: dict[str, str]


@dataclass(slots=True)
class _Ask:
    """A problem under way."""

    problem: str
    row: dict[str, Any]
    messages: Messages
    prompt: str
    reasons: list[str] = field(default_factory=list)
    error: str = ""

    def wanted(self, plan: Plan) -> int:
        """Count the replies to ask for next, 0 where there are enough."""
        have = len(self.reasons)
        if self.error or have >= plan.samples:
            return 0
        if plan.tolerance is None:
            return plan.samples - have
        to_step = STEP - have % STEP
        if to_step < STEP or have == 0:
            return min(to_step, plan.samples - have)
        passes = self.reasons.count("")
        decided = is_decided(
            passes, have, plan.samples, tolerance=plan.tolerance, thresholds=plan.thresholds
        )
        return 0 if decided else min(STEP, plan.samples - have)


def measure_rates(
    problems: Iterable[Problem],
    engine: Engine | str,
    plan: Plan | None = None,
    *,
    journal: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Grading:
    """Measure a model's pass rate on problems.

    Args:
        problems: The problems; one that comes twice is asked once.
        engine: The model to ask: an open engine, or a text that names one.
        plan: How to ask; None for the paper's way.
        journal: Where to keep the replies, and to go on from; None to keep them nowhere.
        progress: Called after each scored completion.

    Returns:
        The rates, with their intervals and the reasons of failures.

    Raises:
        ExecVerifyError: There is no reply to any problem, the engine cannot be opened or used,
            or the journal belongs to something else.
    """
    opened = open_engine(engine) if isinstance(engine, str) else engine
    try:
        with tempfile.TemporaryDirectory() as scratch:
            path = journal or Path(scratch) / "journal.jsonl"
            return _measured(problems, opened, plan or Plan(), path, progress)
    finally:
        if isinstance(engine, str):
            opened.close()


def _measured(
    problems: Iterable[Problem],
    engine: Engine,
    plan: Plan,
    path: Path,
    progress: Callable[[Progress], None] | None,
) -> Grading:
    asks = {problem.id: _ask(problem, plan) for problem in problems}
    with Journal(path, _header(engine, plan)) as journal:
        for entry in journal.read():
            if entry.problem in asks:
                _take(asks[entry.problem], entry, journal.path)
        finished = [name for name, ask in asks.items() if ask.wanted(plan) == 0]
        told = Told(len(asks), finished, progress)
        for ask, completion in _rounds(list(asks.values()), engine, plan):
            entry, ask.error = _scored(ask, completion)
            if entry.replies:
                journal.add(entry)
                _take(ask, entry, journal.path)
            told.after(ask.problem, entry, done=ask.wanted(plan) == 0)
    return _result(asks, engine, plan)


def _rounds(asks: Sequence[_Ask], engine: Engine, plan: Plan) -> Iterator[tuple[_Ask, Completion]]:
    """Ask in rounds until nothing is wanted any more."""
    while True:
        groups: dict[int, list[_Ask]] = {}
        for ask in asks:
            groups.setdefault(ask.wanted(plan), []).append(ask)
        groups.pop(0, None)
        if not groups:
            return
        for n, group in sorted(groups.items()):
            prompts = [ask.messages for ask in group]
            unseen = set(range(len(group)))
            for completion in engine.complete(prompts, n=n, sampling=plan.sampling):
                if completion.prompt not in unseen:
                    raise ExecVerifyError(
                        f"the engine answers prompt {said(completion.prompt)} of {len(prompts)} "
                        "twice, or there is none: this is a fault of the engine"
                    )
                unseen.discard(completion.prompt)
                yield group[completion.prompt], completion
            for place in sorted(unseen):
                yield group[place], Completion(place, (), error="the engine gave no answer")


def _ask(problem: Problem, plan: Plan) -> _Ask:
    if plan.kinds == (INPUT,):
        messages = prompts.input_prompt(problem)
        asked, error = replace(problem, questions=()), ""
    else:
        asked = replace(
            problem, questions=tuple(q for q in problem.questions if q.kind in plan.kinds)
        )
        messages = [*worked(problem, plan.shots), *prompts.output_prompt(asked)]
        lacks = plan.kinds and not asked.questions
        error = f"it has no question of the kinds {', '.join(plan.kinds)}" if lacks else ""
    row = {**to_row(asked), "task": "input" if plan.kinds == (INPUT,) else "output"}
    return _Ask(problem.id, row, messages, prompt_digest(messages), error=error)


def _scored(ask: _Ask, completion: Completion) -> tuple[Entry, str]:
    """Score a completion; give what is to be kept of it, and why replies are missing."""
    rewards = scoring.score_many(completion.texts, [ask.row] * len(completion.texts))
    # Where the machine failed and not the model, nothing is said about the reply.
    judged = [
        (text, reward)
        for text, reward in zip(completion.texts, rewards, strict=True)
        if reward.total is not None
    ]
    failed = next((reward.reason for reward in rewards if reward.total is None), "")
    entry = Entry(
        problem=ask.problem,
        prompt=ask.prompt,
        first=len(ask.reasons),
        replies=tuple(text for text, _ in judged),
        reasons=tuple(
            "" if reward.total == scoring.HIGHEST else reward.reason for _, reward in judged
        ),
        tokens=completion.tokens,
    )
    silent = "" if completion.texts else "the engine gave no reply"
    return entry, completion.error or failed or silent


def _take(ask: _Ask, entry: Entry, path: Path) -> None:
    """Count an entry, which must go on exactly where the ones before it ended."""
    if entry.prompt != ask.prompt:
        raise ExecVerifyError(
            f"{path} holds replies to another prompt of problem {entry.problem}; "
            "choose another journal"
        )
    if entry.first != len(ask.reasons) or len(entry.replies) != len(entry.reasons):
        raise ExecVerifyError(
            f"{path} is damaged: problem {entry.problem} has {len(ask.reasons)} replies before "
            f"one that says it is number {entry.first}"
        )
    ask.reasons += entry.reasons


def _header(engine: Engine, plan: Plan) -> dict[str, Any]:
    """Name what replies depend on; how many there are is not among it, so there may be more."""
    return {
        "journal": 1,
        "model": engine.model,
        "revision": engine.revision,
        **asdict(plan.sampling),
        "prompt": plan.wording,
        "kinds": list(plan.kinds),
    }


def _result(asks: dict[str, _Ask], engine: Engine, plan: Plan) -> Grading:
    unanswered = {name: ask.error for name, ask in asks.items() if ask.error}
    answered = {name: ask for name, ask in asks.items() if ask.reasons}
    if asks and not answered:
        error = next(iter(unanswered.values()), "no reply came")
        raise ExecVerifyError(f"none of {len(asks)} problems was answered: {error}")
    if unanswered:
        name, error = next(iter(unanswered.items()))
        _log.warning(
            "%d of %d problems are not fully answered and can be asked again (%s: %s)",
            len(unanswered), len(asks), name, shorten(error, 200),
        )  # fmt: skip
    return Grading(
        {name: _difficulty(ask, engine, plan) for name, ask in answered.items()}, unanswered
    )


def _difficulty(ask: _Ask, engine: Engine, plan: Plan) -> Difficulty:
    # A journal may hold more replies than this run asks for.
    reasons = ask.reasons[: plan.samples]
    passes, samples = reasons.count(""), len(reasons)
    low, high = wilson(passes, samples)
    failures = Counter(without_values(reason) for reason in reasons if reason)
    return Difficulty(
        source="passrate",
        model=engine.model,
        samples=samples,
        passes=passes,
        rate=passes / samples,
        low=low,
        high=high,
        revision=engine.revision,
        temperature=plan.sampling.temperature,
        top_p=plan.sampling.top_p,
        max_tokens=plan.sampling.max_tokens,
        prompt=plan.wording,
        kinds=plan.kinds,
        reasons=tuple(
            Count(reason, count)
            for reason, count in sorted(failures.items(), key=lambda item: (-item[1], item[0]))
        ),
    )


def without_values(reason: str) -> str:
    """Take out of a reason what differs from reply to reply, so that reasons can be counted.

    Args:
        reason: Why a reply earned no more.

    Returns:
        The sentence with values and numbers replaced.
    """
    for pattern, kept in _VALUES:
        reason = pattern.sub(kept, reason)
    return reason
