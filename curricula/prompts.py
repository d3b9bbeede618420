"""The prompts: what a learner reads, for each task.

The wording is part of the data: change it and :data:`VERSION` together. The answer
format is the paper's: ``<reasoning>`` and then ``<answer>``, an answer a line.

Source: ExecVerify, appendix (prompts); the wording is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from curricula.questions import Question
from tracing import Value

__all__ = [
    "VERSION",
    "Asked",
    "Message",
    "code_prompt",
    "input_prompt",
    "numbered",
    "output_prompt",
    "question_prompt",
    "value_prompt",
]

VERSION = "1"
"""Version of the wording; a row made with another one names it."""

Message = dict[str, str]
"""A message of a conversation: ``role`` and ``content``."""


class Asked(Protocol):
    """What a prompt says of a program and its run: a problem has it, a benchmark's row too."""

    @property
    def source(self) -> str:
        """The program."""

    @property
    def entry(self) -> str:
        """Name of the function that is called."""

    @property
    def call(self) -> str:
        """The call, as text."""

    @property
    def output(self) -> Value | None:
        """The returned value, or None."""

    @property
    def exception(self) -> str | None:
        """Type name of the escaping exception, or None."""

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions, in the order in which they are asked."""


_RULES = """\
A statement is executed each time it starts. The header of a loop is executed before each \
pass and once more when the loop ends; the header of an `if` or `while` is executed when its \
test is evaluated. "The 2nd time" counts over the whole run, in whatever call of a function. \
The value of a variable after a line is the one that it has when the function goes on to its \
next statement."""

_FORMAT = """\
Think step by step between <reasoning> and </reasoning>. Then write {what} between <answer> \
and </answer>{more}"""


def numbered(source: str) -> str:
    """Write a program with its line numbers.

    Args:
        source: The program.

    Returns:
        One line for each line, the number before it.

    Example:
        >>> print(numbered("def f(n):\\n    return n"))
        1  def f(n):
        2      return n
    """
    lines = source.rstrip("\n").split("\n")
    width = len(str(len(lines)))
    return "\n".join(f"{number:>{width}}  {line}".rstrip() for number, line in enumerate(lines, 1))


def output_prompt(problem: Asked, *, questions: Sequence[Question] | None = None) -> list[Message]:
    """Ask for the output of a call, and for the answers to its questions.

    Args:
        problem: The problem.
        questions: The questions to ask; all of the problem's where it is None.

    Returns:
        A conversation of one message.
    """
    asked = problem.questions if questions is None else questions
    parts = [
        "Here is a Python program, with line numbers:",
        _block(numbered(problem.source)),
        "What does this call do? Complete the assertion with a literal; if the call raises an "
        f"exception that the program does not catch, write `assert {problem.call} raises "
        "TypeName` instead.",
        _block(f"assert {problem.call} == ????"),
    ]
    more = "."
    if asked:
        listed = "\n".join(f"{number}. {q.text}" for number, q in enumerate(asked, 1))
        parts += [f"Answer these questions about the run, too. {_RULES}", listed]
        more = (
            ": the assertion on the first line, then the answer to each question on a line of "
            "its own, in order, without numbers before them."
        )
    parts.append(_FORMAT.format(what="your answer", more=more))
    return _said(parts)


def question_prompt(problem: Asked, question: str) -> list[Message]:
    """Ask one question about a run, and nothing else.

    Args:
        problem: The program and the call.
        question: The question, with the form of its answer.

    Returns:
        A conversation of one message.
    """
    parts = [
        "Here is a Python program, with line numbers:",
        _block(numbered(problem.source)),
        f"This call is run: `{problem.call}`",
        f"Answer a question about the run. {_RULES}",
        question,
        _FORMAT.format(what="your answer", more=", on one line."),
    ]
    return _said(parts)


def input_prompt(problem: Asked) -> list[Message]:
    """Ask for arguments that give an output.

    Args:
        problem: A problem that returned or raised.

    Returns:
        A conversation of one message.
    """
    result = _result(problem.output, problem.exception)
    parts = [
        "Here is a Python program:",
        _block(problem.source.rstrip("\n")),
        "Find arguments for which this assertion holds; any that do are right. "
        "They must be literals.",
        _block(f"assert {problem.entry}(????) {result}"),
        _FORMAT.format(what="the whole assertion, with your arguments in it,", more="."),
    ]
    return _said(parts)


def value_prompt(language: str, program: str, assertion: str) -> list[Message]:
    """Ask for the value in an assertion of another language than Python.

    Args:
        language: The language.
        program: The program with its test, ``????`` where the value belongs.
        assertion: The line of the test in which that stands.

    Returns:
        A conversation of one message.
    """
    parts = [
        f"Here is a program in {language}, which ends in a test:",
        _block(program, ""),
        "The test passes. What belongs in the place of `????`?",
        _block(assertion, ""),
        f"Write a literal as {language} has it, in the form in which the test writes values.",
        _FORMAT.format(what="only the value", more=", without the rest of the line."),
    ]
    return _said(parts)


def code_prompt(
    description: str, entry: str, examples: Sequence[tuple[str, str]] = ()
) -> list[Message]:
    """Ask for a program that passes tests.

    Args:
        description: What the program must do.
        entry: Name of the function to write, or an empty text for a program that reads
            standard input and prints.
        examples: Inputs and outputs that are shown; tests may be others.

    Returns:
        A conversation of one message.
    """
    what = (
        f"Write a Python function `{entry}`."
        if entry
        else "Write a Python program that reads from standard input and prints its result."
    )
    parts = [description.strip(), what]
    if examples:
        parts += ["Examples:", _block("\n".join(_example(entry, *example) for example in examples))]
    parts.append(_FORMAT.format(what="only the code, in a fenced block,", more="."))
    return _said(parts)


def _example(entry: str, given: str, result: str) -> str:
    if entry:
        return f"assert {entry}({given}) == {result}"
    return f"input:\n{given.rstrip()}\noutput:\n{result.rstrip()}"


def _result(output: Value | None, exception: str | None) -> str:
    return f"raises {exception}" if output is None else f"== {output.literal}"


def _block(text: str, language: str = "python") -> str:
    return f"```{language}\n{text}\n```"


def _said(parts: Sequence[str]) -> list[Message]:
    return [{"role": "user", "content": "\n\n".join(parts)}]
