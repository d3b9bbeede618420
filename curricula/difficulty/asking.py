"""Asks about problems, scores what comes and keeps it, until each has its replies.

Each reply is scored by :mod:`curricula.scoring`, the code that rewards a learner; it is right
where everything that was asked is right. What was replied goes to a journal at once, so a run
that is killed goes on where it stopped. Rates are :mod:`curricula.difficulty.grading`'s business.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from curricula import prompts, scoring
from curricula.difficulty.engines import Completion, Engine, Messages
from curricula.difficulty.journal import Entry, Journal, entries_of, prompt_digest
from curricula.difficulty.plan import INPUT, Plan
from curricula.difficulty.progress import Told
from curricula.difficulty.reasons import without_values
from curricula.difficulty.shots import worked
from curricula.difficulty.stopping import is_decided
from curricula.problem import Problem, to_row
from tracing.errors import ExecVerifyError, said

__all__ = ["Ask", "Part", "ask", "check_journal", "kept"]

STEP = 4


@dataclass(frozen=True, slots=True)
class Part:
    """Problems whose replies stand in one journal.

    Attributes:
        problems: The problems; one that comes twice is asked once.
        journal: The file.
    """

    problems: Iterable[Problem]
    journal: Path


@dataclass(slots=True)
class Ask:
    """What is asked of one problem, and what came of it.

    Attributes:
        asked: The problem with the questions that are asked, and without what is not needed.
        prompt: Hash of the prompt.
        reasons: For each reply, why it is wrong, without values; an empty text for a right one.
        error: Why it is asked no more, where replies are missing.
    """

    asked: Problem
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

    def missing(self, plan: Plan) -> int:
        """Count the replies that may still be asked for."""
        return plan.samples - len(self.reasons) if self.wanted(plan) else 0

    def take(self, entry: Entry, path: Path) -> None:
        """Count an entry, which must go on exactly where the ones before it ended."""
        if entry.prompt != self.prompt:
            raise ExecVerifyError(
                f"{path} holds replies to another prompt of problem {entry.problem}; "
                "choose another journal"
            )
        if entry.first != len(self.reasons) or len(entry.replies) != len(entry.reasons):
            raise ExecVerifyError(
                f"{path} is damaged: problem {entry.problem} has {len(self.reasons)} replies "
                f"before one that says it is number {entry.first}"
            )
        # Interned, since a model fails in a few ways only, and thousands of times.
        self.reasons += (sys.intern(without_values(reason)) for reason in entry.reasons)


def ask(parts: Sequence[Part], engine: Engine, plan: Plan, told: Told) -> list[Ask]:
    """Ask for the replies that journals lack, about the problems of all parts side by side.

    Args:
        parts: The problems, as many as fit into memory, with their journals.
        engine: The model to ask.
        plan: How to ask.
        told: Who is told how far the run is.

    Returns:
        What came of each problem, in their order.

    Raises:
        ExecVerifyError: The engine cannot be used, or a journal belongs to something else.
    """
    with ExitStack() as opened:
        asks: list[tuple[Ask, Journal]] = []
        for part in parts:
            journal = opened.enter_context(Journal(part.journal, _header(engine, plan)))
            found = _begun(part.problems, journal.read(), journal.path, plan)
            asks += ((one, journal) for one in found.values())
        told.begin(one.missing(plan) for one, _ in asks)
        for (one, journal), completion in _rounds(asks, engine, plan):
            before = one.missing(plan)
            entry, one.error = _scored(one, completion, plan)
            if entry.replies:
                journal.add(entry)
                one.take(entry, journal.path)
            told.after(entry, before, one.missing(plan))
    return [one for one, _ in asks]


def kept(part: Part, plan: Plan) -> list[Ask]:
    """Read what a journal holds of its problems; nothing is asked.

    Args:
        part: The problems, and the journal of a run with the same plan.
        plan: How they were asked.

    Returns:
        What came of each problem, in their order.

    Raises:
        ExecVerifyError: The journal is damaged, or belongs to something else.
    """
    return list(_begun(part.problems, entries_of(part.journal), part.journal, plan).values())


def check_journal(path: Path, engine: Engine, plan: Plan) -> None:
    """Refuse a journal that another run began; make one where there is none.

    Args:
        path: The file.
        engine: The model that will be asked.
        plan: How it will be asked.

    Raises:
        ExecVerifyError: The file is another run's, is in use, or is no journal.
    """
    Journal(path, _header(engine, plan)).close()


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


def _begun(
    problems: Iterable[Problem], entries: Iterable[Entry], path: Path, plan: Plan
) -> dict[str, Ask]:
    asks = {problem.id: _ask(problem, plan) for problem in problems}
    for entry in entries:
        if entry.problem in asks:
            asks[entry.problem].take(entry, path)
    return asks


def _ask(problem: Problem, plan: Plan) -> Ask:
    # What is not asked about makes up most of a problem, and thousands wait at a time.
    kinds = () if plan.kinds == (INPUT,) else plan.kinds
    questions = tuple(question for question in problem.questions if question.kind in kinds)
    asked = replace(problem, questions=questions, difficulty=())
    lacks = kinds and not questions
    error = f"it has no question of the kinds {', '.join(kinds)}" if lacks else ""
    return Ask(asked, prompt_digest(_messages(asked, plan)), error=error)


def _messages(asked: Problem, plan: Plan) -> Messages:
    if plan.kinds == (INPUT,):
        return prompts.input_prompt(asked)
    return [*worked(asked, plan.shots), *prompts.output_prompt(asked)]


def _rounds(
    asks: Sequence[tuple[Ask, Journal]], engine: Engine, plan: Plan
) -> Iterator[tuple[tuple[Ask, Journal], Completion]]:
    """Ask in rounds until nothing is wanted any more."""
    while True:
        groups: dict[int, list[tuple[Ask, Journal]]] = {}
        for one in asks:
            groups.setdefault(one[0].wanted(plan), []).append(one)
        groups.pop(0, None)
        if not groups:
            return
        for n, group in sorted(groups.items()):
            conversations = [_messages(one.asked, plan) for one, _ in group]
            unseen = set(range(len(group)))
            for completion in engine.complete(conversations, n=n, sampling=plan.sampling):
                if completion.prompt not in unseen:
                    raise ExecVerifyError(
                        f"the engine answers prompt {said(completion.prompt)} of {len(group)} "
                        "twice, or there is none: this is a fault of the engine"
                    )
                unseen.discard(completion.prompt)
                yield group[completion.prompt], completion
            for place in sorted(unseen):
                yield group[place], Completion(place, (), error="the engine gave no answer")


def _scored(one: Ask, completion: Completion, plan: Plan) -> tuple[Entry, str]:
    """Score a completion; give what is to be kept of it, and why replies are missing."""
    row = {**to_row(one.asked), "task": "input" if plan.kinds == (INPUT,) else "output"}
    rewards = scoring.score_many(completion.texts, [row] * len(completion.texts))
    # Where the machine failed and not the model, nothing is said about the reply.
    judged = [
        (text, reward)
        for text, reward in zip(completion.texts, rewards, strict=True)
        if reward.total is not None
    ]
    failed = next((reward.reason for reward in rewards if reward.total is None), "")
    entry = Entry(
        problem=one.asked.id,
        prompt=one.prompt,
        first=len(one.reasons),
        replies=tuple(text for text, _ in judged),
        reasons=tuple(
            "" if reward.total == scoring.HIGHEST else reward.reason for _, reward in judged
        ),
        tokens=completion.tokens,
    )
    silent = "" if completion.texts else "the engine gave no reply"
    return entry, completion.error or failed or silent
