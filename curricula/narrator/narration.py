"""Puts a narration together: reasoning and answer, in the format that the prompts ask for.

The same problem, task and style give the same text, on every machine.

Source: ExecVerify, section 3.2 (reasoning in both directions before reinforcement).
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from curricula import prompts
from curricula.narrator.answers import answer_line, reason
from curricula.narrator.backward import backward, outcome_of
from curricula.narrator.brief import brief
from curricula.narrator.facts import Reader
from curricula.narrator.walk import walk
from curricula.narrator.words import Voice
from curricula.problem import Problem
from curricula.questions import Question
from tracing import Trace
from tracing.errors import UsageError, shorten

__all__ = [
    "STYLES",
    "VERSION",
    "Narration",
    "answer_of",
    "answered",
    "asked_in",
    "narrate",
    "style_of",
]

VERSION = "1"
"""Version of the wording; rows name it."""
STYLES = ("long", "short")
"""Every step on a line of its own, or a line for each pass of a loop."""


@dataclass(frozen=True, slots=True)
class Narration:
    """A conversation about a problem.

    Attributes:
        task: ``"output"`` or ``"input"``.
        style: One of :data:`STYLES`, or what else wrote it.
        messages: The prompt and the reply.
    """

    task: str
    style: str
    messages: tuple[prompts.Message, ...]


def narrate(problem: Problem, trace: Trace, task: str, *, style: str | None = None) -> Narration:
    """Reason about a problem, and answer its prompt.

    Args:
        problem: The problem.
        trace: The run of its call.
        task: ``"output"``: from the call to its outcome, and the answers to the questions;
            ``"input"``: from the outcome to arguments.
        style: One of :data:`STYLES`; None to let the problem's id choose.

    Returns:
        The conversation; its reply earns the full reward.

    Raises:
        UsageError: There is no such task or style.
    """
    chosen = style or style_of(problem, task)
    if task not in ("output", "input") or chosen not in STYLES:
        raise UsageError(
            f"a narration is of task output or input and of style {' or '.join(STYLES)}, "
            f"not {shorten(repr(task))} and {shorten(repr(chosen))}"
        )
    reader = Reader(trace)
    voice = Voice(random.Random(f"narrate\0{problem.id}\0{task}\0{chosen}"))
    run = walk if chosen == "long" else brief
    if task == "output":
        questions = asked_in(problem)
        lines = [voice.opening(problem.call), "", *run(reader, voice), "", *_end(trace, voice)]
        lines += _explained(questions, voice)
        prompt = prompts.output_prompt(problem, questions=questions)
    else:
        lines = [*backward(reader, voice), "", voice.check(), *run(reader, voice), ""]
        lines.append(f"It {outcome_of(reader)}, as it should.")
        prompt = prompts.input_prompt(problem)
    reply = _reply("\n".join(lines), answer_of(problem, task))
    return Narration(task, chosen, (*prompt, {"role": "assistant", "content": reply}))


def answered(problem: Problem, task: str) -> Narration:
    """Answer a problem's prompt, and reason about nothing.

    Args:
        problem: The problem; its run is not needed.
        task: ``"output"`` or ``"input"``.

    Returns:
        The conversation, with the prompt that :func:`narrate` has; its reply is the answer block.
    """
    if task == "output":
        prompt = prompts.output_prompt(problem, questions=asked_in(problem))
    else:
        prompt = prompts.input_prompt(problem)
    reply = _block(answer_of(problem, task))
    return Narration(task, "answer", (*prompt, {"role": "assistant", "content": reply}))


def style_of(problem: Problem, task: str) -> str:
    """Choose a style by a problem's id.

    Args:
        problem: The problem.
        task: The task.

    Returns:
        One of :data:`STYLES`, either equally often.
    """
    return random.Random(f"style\0{problem.id}\0{task}").choice(STYLES)


def asked_in(problem: Problem) -> tuple[Question, ...]:
    """Choose the questions of a conversation: all in three of four, none in the others.

    Args:
        problem: The problem.

    Returns:
        Its questions, or none.
    """
    is_asked = random.Random(f"asked\0{problem.id}").random() < 0.75
    return problem.questions if is_asked else ()


def answer_of(problem: Problem, task: str) -> list[str]:
    """Write the right answer of a problem.

    Args:
        problem: The problem.
        task: ``"output"`` or ``"input"``.

    Returns:
        The lines between the answer tags.
    """
    result = (
        f"raises {problem.exception}" if problem.output is None else f"== {problem.output.literal}"
    )
    asked = asked_in(problem) if task == "output" else ()
    return [f"assert {problem.call} {result}", *map(answer_line, asked)]


def _end(trace: Trace, voice: Voice) -> list[str]:
    if trace.output is None:
        return [voice.escaped(trace.exception or "")]
    return [voice.returned(trace.output.literal)]


def _explained(questions: tuple[Question, ...], voice: Voice) -> list[str]:
    if not questions:
        return []
    listed = [f"{number}. {reason(question)}" for number, question in enumerate(questions, 1)]
    return ["", voice.questions(), *listed]


def _reply(reasoning: str, answer: list[str]) -> str:
    return f"<reasoning>\n{reasoning}\n</reasoning>\n{_block(answer)}"


def _block(answer: list[str]) -> str:
    lines = "\n".join(answer)
    return f"<answer>\n{lines}\n</answer>"
