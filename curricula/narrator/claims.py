"""Finds what a text claims about a run, and which of it the run does not bear out.

Two kinds of claims are read: that a variable has a value (``total = 3``, ``total is now
3``, ``total becomes 3``), and that the call returns a value or raises. A claim about a
variable agrees where the variable had that value at some moment; in a clause that names
one line, where it had it before or after a step of that line. Claims in other words are
not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tracing import Trace, Value

__all__ = ["Claim", "claims_in", "disagreements"]

_VERB = r"(?:\s*(?:==|=|:=|->|→)\s*|\s+(?:is|becomes|stays|remains)(?:\s+now)?(?:\s+set\s+to)?\s+)"
_GOES = r"\s+goes\s+from\s+"
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LINE = re.compile(r"\b[Ll]ine (\d{1,6})\b")
_MOST = 2000
"""Claims of a text that are looked at."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A text says that a variable has a value.

    Attributes:
        name: The variable.
        value: The value.
        line: The one line that its clause names before it, or None.
    """

    name: str
    value: Value
    line: int | None


def claims_in(text: str, names: tuple[str, ...]) -> Iterator[Claim]:
    """Read the claims of a text about some variables.

    Args:
        text: Hostile text.
        names: The variables.

    Yields:
        The claims in order.

    Example:
        >>> list(claims_in("On line 2, xs = [1] and n is now 3.", ("xs", "n")))
        [Claim(name='xs', value=Value(type='list', literal='[1]'), line=2), \
Claim(name='n', value=Value(type='int', literal='3'), line=2)]
    """
    if not names:
        return
    found = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w.'\"\[])`?({found})`?(?:{_VERB}|{_GOES})`?")
    left = _MOST
    for sentence in _without_code(text).split("\n"):
        for match in pattern.finditer(sentence):
            value = _value_at(sentence, match.end())
            left -= 1
            if left < 0:
                return
            if value is not None:
                lines = set(_LINE.findall(_clause_before(sentence, match.start())))
                yield Claim(match[1], value, int(lines.pop()) if len(lines) == 1 else None)


def _clause_before(sentence: str, end: int) -> str:
    """Give what stands between the last colon or semicolon and a place."""
    start = max(sentence.rfind(mark, 0, end) for mark in (";", ": "))
    return sentence[start + 1 : end]


def disagreements(text: str, trace: Trace) -> list[str]:
    """List the claims of a text that a run does not bear out.

    Args:
        text: Hostile text.
        trace: The run.

    Returns:
        A sentence for each.
    """
    held = _held(trace)
    names = tuple(dict.fromkeys(name for name, _ in held))
    wrong = []
    for claim in claims_in(text, names):
        somewhere = held.get((claim.name, claim.value))
        if somewhere is None:
            wrong.append(f"{claim.name} is never {claim.value.literal}")
        elif claim.line is not None and claim.line not in somewhere:
            wrong.append(f"{claim.name} is not {claim.value.literal} at line {claim.line}")
    return wrong


def _held(trace: Trace) -> dict[tuple[str, Value], set[int]]:
    """For each variable and value, the lines before or after a step of which it held."""
    held: dict[tuple[str, Value], set[int]] = {}
    current: dict[int, dict[str, Value]] = {}
    for step in trace.steps:
        values = current.setdefault(step.frame, {})
        for name, value in values.items():
            held.setdefault((name, value), set()).add(step.line)
        for name, changed in step.changes:
            if isinstance(changed, Value):
                values[name] = changed
                held.setdefault((name, changed), set()).add(step.line)
            else:
                values.pop(name, None)
    return held


def _without_code(text: str) -> str:
    """Take out what quotes the program: code in backticks that is more than a name or value."""
    text = re.sub(r"```.*?(```|$)", " ", text, flags=re.DOTALL)
    return re.sub(r"`[^`\n]*[=(:][^`\n]*`", " CODE ", text)


def _value_at(text: str, start: int) -> Value | None:
    """Read the literal that begins at a place, or None where none does."""
    end = _end_of_literal(text, start)
    return Value.parse(text[start:end].rstrip(".,;:` ")) if end > start else None


def _end_of_literal(text: str, start: int) -> int:
    """Find where a literal ends: at the end of its brackets, its string or its word."""
    opened: list[str] = []
    place = start
    while place < len(text):
        char = text[place]
        if char in "'\"":
            place = _end_of_string(text, place)
            if not opened:
                return place
            continue
        if char in _CLOSING:
            opened.append(_CLOSING[char])
        elif opened and char == opened[-1]:
            opened.pop()
            if not opened:
                return place + 1
        elif not opened and char in " ,;:`)]}\n":
            return place
        place += 1
    return place


def _end_of_string(text: str, start: int) -> int:
    quote = text[start]
    place = start + 1
    while place < len(text) and text[place] != quote:
        place += 2 if text[place] == "\\" else 1
    return place + 1
