"""Finds the answer in a completion, which is hostile text until it is checked.

The answer stands between the last ``<answer>`` and its ``</answer>``, or the end where
that is missing. Nothing outside counts, so a guess in the reasoning earns nothing.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = [
    "MAX_COMPLETION",
    "Unreadable",
    "answer_of",
    "code_of",
    "lines_of",
    "text_of",
    "unnumbered",
]

MAX_COMPLETION = 400_000
"""The longest completion that is read, in characters; 4,096 tokens are some 16,000."""

_OPEN = re.compile(r"<\s*answer\s*>", re.IGNORECASE)
_CLOSE = re.compile(r"<\s*/\s*answer\s*>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.MULTILINE)
_NUMBER = re.compile(
    r"^(?:(?:answer|question|q|a)\s*(?:for\s+question\s*)?\d*\s*[:.)]|\d{1,2}[.):]|[-*•])\s+",
    re.IGNORECASE,
)


class Unreadable(Exception):
    """There is no answer to score; says why."""


def text_of(completion: Any) -> str:
    """Take the text of a completion.

    Args:
        completion: Text, or a conversation as TRL gives it: a list of messages, each with
            ``role`` and ``content``, the content text or a list of parts with ``text``.

    Returns:
        The text of the last message that is the assistant's.

    Raises:
        Unreadable: It is neither, or too long.
    """
    if isinstance(completion, (list, tuple)):
        mine = [m for m in completion if isinstance(m, dict) and m.get("role") == "assistant"]
        if not mine:
            raise Unreadable("the completion holds no message of the assistant")
        completion = mine[-1].get("content")
        if isinstance(completion, list):
            parts = [p.get("text") for p in completion if isinstance(p, dict)]
            completion = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(completion, str):
        raise Unreadable(f"the completion is no text but {type(completion).__name__}")
    if len(completion) > MAX_COMPLETION:
        raise Unreadable(f"the completion is longer than {MAX_COMPLETION} characters")
    return completion


def answer_of(completion: Any) -> str:
    """Take the last answer block of a completion.

    Args:
        completion: As for :func:`text_of`.

    Returns:
        What stands in it, line ends made ``\\n``.

    Raises:
        Unreadable: There is none.
    """
    text = text_of(completion).replace("\r\n", "\n").replace("\r", "\n")
    openings = list(_OPEN.finditer(text))
    if not openings:
        raise Unreadable("there is no <answer> block")
    answer = text[openings[-1].end() :]
    closing = _CLOSE.search(answer)
    answer = answer[: closing.start()] if closing else answer
    if not answer.strip():
        raise Unreadable("the <answer> block is empty")
    return answer


def lines_of(answer: str) -> list[str]:
    """Split an answer into its lines, without blank ones and code fences.

    Args:
        answer: What :func:`answer_of` gave.

    Returns:
        The lines, right-stripped; their indentation stays.
    """
    # Only line feeds: a value may hold what str.splitlines takes for a line end.
    lines = _FENCE.sub("", answer).split("\n")
    return [line.rstrip() for line in lines if line.strip()]


def unnumbered(line: str) -> str:
    """Take off what people put before an answer of a list: ``1.``, ``Q1:``, ``- ``.

    Args:
        line: One line.

    Returns:
        The line without it, stripped.

    Example:
        >>> unnumbered("Answer 2: 'a'; str")
        "'a'; str"
    """
    return _NUMBER.sub("", line.strip(), count=1).strip()


def code_of(answer: str) -> str:
    """Take the program of an answer: the last fenced block, or all of it.

    Args:
        answer: What :func:`answer_of` gave.

    Returns:
        Source code.
    """
    fences = list(_FENCE.finditer(answer))
    if not fences:
        return answer.strip("\n")
    if len(fences) % 2:  # the last one is not closed
        return answer[fences[-1].end() :].strip("\n")
    return answer[fences[-2].end() : fences[-1].start()].strip("\n")
