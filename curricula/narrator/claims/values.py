"""Reads the value that a text gives at a place: a literal, in whatever marks, or a chain to one.

``1 + 2 = 3``, ``n + 2 → 3`` and ``1 + 2, which is 3`` are chains: what stands last is the
value. Sums of literals that end in nothing are worked out (:mod:`curricula.narrator.claims.sums`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from curricula.narrator.claims.sums import worked_out
from tracing import Value

__all__ = ["ARROW", "COUNTED", "MARKS", "Values", "chained", "end_of_part", "value_of", "values_at"]

Values = tuple[Value, ...]
"""Values of which a text means one: ``empty`` may be ``[]`` and ``''``."""

MARKS = r"(?:[*`~$]|\\[()\[\]]|\\(?:boxed|text(?:bf|tt|it)?|math(?:bf|tt|rm|it))\{|</?\w{1,6}>)"
"""A mark of emphasis, code or formulas."""
ARROW = r"(?:→|⇒|⟶|⟹|=>|->|\\(?:right|Right)arrow\b|\\to\b)"
_MARKS = re.compile(rf"{MARKS}{{0,6}}")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_FARTHEST = 600
"""Characters of a chain that is read."""
_ENDING = ".,;:`*~$!?\\}"
_NUMBER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?![\d,])")
_END = r"(?=\s*(?:[.,;:)!?]|$|(?:and|at|after|now|so|again|on|in|here)\b|—))"
COUNTED = "zero one two three four five six seven eight nine ten eleven twelve".split()
"""Numbers as words, from 0."""
_WORDS: dict[str, Values] = {
    **{word: (Value.of(number),) for number, word in enumerate(COUNTED)},
    "true": (Value.of(True),),
    "false": (Value.of(False),),
    "none": (Value.of(None),),
    "empty list": (Value.of([]),),
    "empty dict": (Value.of({}),),
    "empty dictionary": (Value.of({}),),
    "empty string": (Value.of(""),),
    "empty tuple": (Value.of(()),),
    "empty set": (Value.of(set()),),
    "empty": tuple(map(Value.of, ([], {}, "", (), set(), frozenset(), b""))),
}
_WORD = re.compile(
    rf"(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})(?![\w'’-]){_END}", re.IGNORECASE
)
_STEP = re.compile(
    rf"\s*{ARROW}\s*|(?<![=!<>:+*/%&|^-])=(?![=>])|,?\s+(?:which\s+(?:is|was|gives|equals|makes|"
    r"yields|evaluates\s+to|becomes)|that\s+is,?|i\.e\.,?|giving|gives|yielding|yields|making|"
    r"makes|becoming|resulting\s+in|results\s+in|evaluates\s+to|equals|"
    r"is(?!\s+(?:[Ff]alse|[Tt]rue|not)\b))\s+"
    r"(?:now\s+)?(?:(?:it|us)\s+(?:to\s+)?)?"
)
_IS_ARROW = re.compile(rf"\s*{ARROW}")
_STOP = re.compile(r"[;\n?]|[.:](?:\s|$)|\s(?:and|so|but|because|since|while|when|then)\s|—")


def values_at(text: str, start: int) -> tuple[Values, int] | None:
    """Read the value that begins at a place.

    Args:
        text: A line.
        start: The place; marks and blanks there are passed over.

    Returns:
        The values that may be meant and where their text ends; None where there is none.

    Example:
        >>> values_at("total = **1,000**.", 8)
        ((Value(type='int', literal='1000'),), 15)
    """
    start += len(text[start : start + 80]) - len(text[start : start + 80].lstrip(" "))
    start = _MARKS.match(text, start).end()  # type: ignore[union-attr]
    word = _WORD.match(text, start)
    if word:
        return _WORDS[word[0].lower()], word.end()
    number = _NUMBER.match(text, start)
    end = number.end() if number else _end_of_literal(text, start)
    piece = text[start:end]
    literal = piece.replace(",", "") if number else piece
    for ending in (_ENDING, ""):
        value = Value.parse(literal.rstrip(ending)) if literal else None
        if value is not None:
            return (value,), start + (len(piece.rstrip(ending)) if ending else len(piece))
    return None


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
        elif not opened and char in " ,;:`)]}\n→⇒|<—?":
            return place
        place += 1
    return place


def _end_of_string(text: str, start: int) -> int:
    quote = text[start]
    place = start + 1
    while place < len(text) and text[place] != quote:
        place += 2 if text[place] == "\\" else 1
    return place + 1


def end_of_part(text: str, start: int, end: int) -> int:
    """Find where the part of a sentence that gives a value ends.

    Args:
        text: A line.
        start: Where it begins.
        end: Where it ends at the latest.

    Returns:
        The place of the first comma, closing bracket or joining word that is in no brackets
        and no string; ``, which is`` goes on.
    """
    end = min(end, start + _FARTHEST)
    shallow = _shallow(text[start:end])
    stop = _STOP.search(shallow)
    until = stop.start() if stop else len(shallow)
    for comma in re.finditer(r",\s", shallow[:until]):
        if not _STEP.match(shallow, comma.start()):
            until = comma.start()
            break
    bracket = re.search(r"[)\]}]", shallow[:until])
    return start + (bracket.start() if bracket else until)


def _shallow(text: str) -> str:
    """Put dots in the place of what stands in brackets or strings that are closed."""
    made: list[str] = []
    place = 0
    while place < len(text):
        char = text[place]
        inside = place
        if char in _CLOSING or (char in "'\"" and not (place and text[place - 1].isalnum())):
            inside = _end_of_literal(text, place) if char in _CLOSING else 0
            inside = inside or _end_of_string(text, place)
            if inside > len(text) or (char in _CLOSING and text[inside - 1] != _CLOSING[char]):
                inside = place  # never closed
        if inside > place:
            made.append("." if inside - place == 1 else "_" * (inside - place))
            place = inside
        else:
            made.append(char)
            place += 1
    return "".join(made)


def chained(text: str, start: int, end: int) -> Iterator[tuple[str, str]]:
    """Split a chain into its parts.

    Args:
        text: A line.
        start: Where the chain begins.
        end: Where it ends.

    Yields:
        For each part what leads to it (empty, ``=`` or ``→``), and its text.
    """
    shallow = _shallow(text[start:end])
    place, lead = 0, ""
    for step in _STEP.finditer(shallow):
        yield lead, text[start + place : start + step.start()]
        place, lead = step.end(), "→" if _IS_ARROW.match(step[0]) else "="
    yield lead, text[start + place : end]


def value_of(part: str) -> Values | None:
    """Read a part of a chain: a literal that stands alone, or a sum of literals."""
    found = values_at(part, 0)
    if found is not None and not part[found[1] :].strip(_ENDING + " )"):
        return found[0]
    value = worked_out(part.strip(_ENDING + " "))
    return None if value is None else (value,)
