"""Lets a model reason about problems, and keeps what the traces bear out.

A reply is kept where its answer earns the full reward and no claim of its reasoning
contradicts the run (:mod:`curricula.narrator.claims`); the others are counted by reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from curricula import prompts
from curricula.narrator.claims import disagreements
from curricula.narrator.narration import Narration, asked_in
from curricula.narrator.replies import Replies
from curricula.problem import Problem, to_row
from curricula.scoring import HIGHEST, score
from curricula.views.stage1 import TASKS
from tracing import Trace

__all__ = ["Kept", "narrate_by_model", "prompt_of", "why_refused"]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a model wrote.

    Attributes:
        narrations: Problems with the conversations that are kept, in order.
        asked: Conversations that were asked for.
        refused: How many of them were not kept, by reason, most frequent first.
    """

    narrations: tuple[tuple[Problem, Narration], ...]
    asked: int
    refused: tuple[tuple[str, int], ...]

    @property
    def refused_share(self) -> float:
        """Share of the conversations that were not kept, in [0, 1]."""
        return sum(count for _, count in self.refused) / self.asked if self.asked else 0.0


def narrate_by_model(runs: Sequence[tuple[Problem, Trace]], model: Replies) -> Kept:
    """Ask a model to reason about each problem, in both directions.

    Args:
        runs: Problems with the runs of their calls.
        model: Who is asked.

    Returns:
        The replies that agree with the traces, and how many do not.

    Raises:
        ExecVerifyError: The engine fails.
    """
    asked = [(problem, trace, task) for problem, trace in runs for task in TASKS]
    conversations = [prompt_of(problem, task) for problem, _, task in asked]
    kept: dict[int, tuple[Problem, Narration]] = {}
    refused: Counter[str] = Counter()
    names = [problem.id for problem, _, _ in asked]
    for completion in model.ask(names, conversations):
        problem, trace, task = asked[completion.prompt]
        if not completion.texts:
            refused["no reply"] += 1
            continue
        reason = why_refused(completion.texts[0], problem, trace, task)
        if reason:
            refused[reason] += 1
            continue
        reply = {"role": "assistant", "content": completion.texts[0]}
        messages = (*conversations[completion.prompt], reply)
        kept[completion.prompt] = problem, Narration(task, "model", messages)
    counts = sorted(refused.items(), key=lambda item: (-item[1], item[0]))
    return Kept(tuple(kept[place] for place in sorted(kept)), len(asked), tuple(counts))


def why_refused(reply: str, problem: Problem, trace: Trace, task: str) -> str:
    """Say why a reply is not kept.

    Args:
        reply: Hostile text.
        problem: The problem.
        trace: The run of its call.
        task: ``"output"`` or ``"input"``.

    Returns:
        A reason to count by, or an empty text where it is kept.
    """
    row = {**to_row(problem), "task": task}
    if task == "input" or not asked_in(problem):
        row["questions"] = []
    if score(reply, row).total != HIGHEST:
        return "the answer is not right"
    reasoning = reply.partition("<answer>")[0]
    if not reasoning.strip():
        return "there is no reasoning"
    # Backwards, other arguments may be right: then the run that is told is another one.
    if task == "input" and problem.call not in reply:
        return "it is about another call"
    return "a claim contradicts the trace" if disagreements(reasoning, trace) else ""


def prompt_of(problem: Problem, task: str) -> list[prompts.Message]:
    """Write what a model is asked.

    Args:
        problem: The problem.
        task: ``"output"`` or ``"input"``.

    Returns:
        The conversation before its reply.
    """
    if task == "input":
        return prompts.input_prompt(problem)
    return prompts.output_prompt(problem, questions=asked_in(problem))
