"""Finds the answer in a completion, which is hostile text until it is checked.

The answer stands between the last ``<answer>`` and its ``</answer>``, or the end where
that is missing. Nothing outside counts, so a guess in the reasoning earns nothing.
"""

from __future__ import annotations

import re
import textwrap
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

# Bounded everywhere: an open-ended run of blanks beside another takes quadratic time.
_OPEN = re.compile(r"<\s{0,9}answer\s{0,9}>", re.IGNORECASE)
_CLOSE = re.compile(r"<\s{0,9}/\s{0,9}answer\s{0,9}>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]{0,80}(?:```|~~~)[\w+-]{0,40}[ \t]{0,80}$", re.MULTILINE)
_THOUGHT = re.compile(r"<\s{0,9}(/?)\s{0,9}reasoning\s{0,9}>", re.IGNORECASE)
# Never what may belong to a value: ``- 5`` is a number, ``1. +2j`` another.
_NUMBER = re.compile(
    r"(?:(?:answer|question|q|a)\s{0,3}(?:for\s+question\s{0,3})?\d{0,3}\s{0,3}[:.)]\s+"
    r"|\d{1,2}[.):]\s+(?![+-])"
    r"|[*•]\s+"
    r"|-\s+(?![\d.(]|inf|nan))",
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
    if _is_thought(text, openings[-1].start()):
        raise Unreadable("the last <answer> block stands inside the reasoning")
    closing = _CLOSE.search(answer)
    answer = answer[: closing.start()] if closing else answer
    if not answer.strip():
        raise Unreadable("the <answer> block is empty")
    return answer


def _is_thought(text: str, place: int) -> bool:
    """Tell whether a reasoning block is open at a place and closed behind it."""
    tags = [(tag.start() > place, tag[1] == "/") for tag in _THOUGHT.finditer(text)]
    before = [closes for is_behind, closes in tags if not is_behind]
    return bool(before) and not before[-1] and (True, True) in tags


def lines_of(answer: str) -> list[str]:
    """Split an answer into its lines, without blank ones and code fences.

    Args:
        answer: What :func:`answer_of` gave.

    Returns:
        The lines, right-stripped; the indentation that all share is taken off.
    """
    # Only line feeds: a value may hold what str.splitlines takes for a line end.
    lines = [line.rstrip() for line in _FENCE.sub("", answer).split("\n") if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return [line[margin:] for line in lines]


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
    stripped = line.strip()
    match = _NUMBER.match(stripped)
    return stripped[match.end() :] if match else stripped


def code_of(answer: str) -> str:
    """Take the program of an answer: the last fenced block, or all of it.

    Args:
        answer: What :func:`answer_of` gave.

    Returns:
        Source code.
    """
    answer = textwrap.dedent(answer)
    # Further in, a fence belongs to a text inside of the program (CommonMark, 4.5).
    fences = [fence for fence in _FENCE.finditer(answer) if not fence[0].startswith("    ")]
    if not fences:
        return answer.strip("\n")
    if len(fences) % 2:  # the last one is not closed
        return answer[fences[-1].end() :].strip("\n")
    return answer[fences[-2].end() : fences[-1].start()].strip("\n")
