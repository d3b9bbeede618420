"""The words by which texts link a variable to a value, and those that make it no claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from curricula.narrator.claims.values import ARROW, MARKS

__all__ = [
    "AUGMENTED",
    "COMES_TO",
    "FROM",
    "INTO",
    "ONWARDS",
    "TAKES",
    "TOLD",
    "counts_things",
    "goes_on",
    "is_a_test",
    "is_denied",
    "is_inside_a_sum",
    "link_of",
    "named",
]

_LINKING = (
    "is was are were be been becomes became become becoming equals equalled has had holds held "
    "hold contains stores stored gets got receives takes stays stayed remains remained keeps "
    "turns changes changed updates updated set sets reset assigned initialized initialised "
    "starts started begins began ends ended finishes evaluates evaluated comes goes went grows "
    "grew increases increased increments incremented drops dropped falls decreases decreased "
    "rises rose reaches reached bound having being makes gives giving yields yielding making "
    "reads shows equal"
).split()
_FILLING = (
    "now then also again still just simply finally currently initially first already therefore "
    "thus hence both here always exactly only at as to up out off with the a an its new current "
    "final initial same value values of from it will have after that this int integer number "
    "string str list tuple dict dictionary set float bool boolean updated stored which over back"
).split()
_SYMBOL = rf"(?::=|===?|=(?![=>])|←|<-|⟵|≡|:(?!:)|{ARROW})"
_BY = (
    r"by\s+[^\s,;]{1,40},?\s+(?:to|becoming|giving|making\s+it|"
    r"and\s+(?:is|becomes)(?:\s+now)?)(?!\w)"
)
_MARKED = rf"\s*{MARKS}{{0,4}}"

TOLD = (
    r"(?i:\b(?:sets?|setting|updat(?:es?|ed|ing)|(?:re-?)?initiali[sz](?:es?|ed|ing)|resets?|"
    r"brings?|bringing|leav(?:es?|ing)|mak(?:es?|ing)|increment(?:s|ing)?|increas(?:es?|ing)|"
    r"decreas(?:es?|ing)|chang(?:es?|ing)|turns?|keeps?|with|have|having)\s+"
    r"(?:the\s+)?(?:(?:variable|counter|accumulator|value(?:\s+of)?)\s+)?)"
)
"""Verbs that come before a variable that is *set to* a value."""
TAKES = (
    r"(?i:\b(?:assign|stor|sav|put|writ|plac|bind|record)(?:s|es|e|ing|ting)?\s+"
    r"(?:the\s+)?(?:(?:value|result|number|list|string)\s+)*)"
    rf"|(?<![\w.])(?=(?:{MARKS}{{0,3}})(?:-?\d[\d.]*|'[^'\n]*'|\[[^\[\]\n]*\]|True|False|None)"
    r"[`*]{0,3}\s+(?:is|was|gets)\s)"
)
"""What comes before a value that is *stored in* a variable."""
INTO = (
    r"(?:(?:is|was|gets)\s+(?:then\s+|now\s+)?(?:assigned|stored|saved|put|written|bound)\s+)?"
    r"(?:to|into|in|as)\s+(?:the\s+)?(?:variable\s+)?"
)
AUGMENTED = r"(?:[-+*/%&|^@]|//|\*\*|<<|>>)=\s*"
COMES_TO = re.compile(r"\b(?:gives|giving|yields|yielding)\b")
FROM = re.compile(r"\bfrom\s*$")
ONWARDS = re.compile(r"[`*]*\s+(?:up\s+|down\s+)?to\s+")
"""What comes between the values that a variable *goes from* and *to*."""

_NOUNS = re.compile(
    r"[`*]{0,3}\s+(?:elements?|items?|entries|entry|char(?:acter)?s?|letters?|digits?|keys?|words?|"
    r"times?|passes|pass|iterations?|steps?|more|less|fewer|units?|pairs?|values?|of|long|lines?|"
    r"spaces?|bits?|levels?|or|occurrences?|parts?|pieces?|matches)\b"
)
_DENIED = re.compile(
    r"[`*)\s]*(?:\?|:?\s*(?:is\s+|→\s*|=>\s*|->\s*)?\(?(?:[Ff]alse|[Nn]o\b(?! )|fails|not\s+true|"
    r"does\s+not\s+hold|doesn't|does\s+not|isn't|no longer))"
)
_HOLDS = re.compile(r"[`*)\s]*:?\s*(?:is\s+|→\s*|=>\s*|->\s*)?\(?(?:[Tt]rue|yes|holds)")
_TEST = re.compile(
    r"\b(?:checks?|tests?|condition|compar\w+|asks?|evaluates?|until|while|case)\b[^.;]*$"
)
_COMPARED = re.compile(r"\s*(?:[<>]=?|[!=]=|in\b|not\s+in\b|and\b|is\b)\s*")
_OPERAND = re.compile(r"(?:[)\]]|(?<!\w)-?\d[\d.]*)$")
_NUMBERED = re.compile(
    r"\b(?:lines?|steps?|pass|iteration|round|loop|call|time|item|index|number|no\.?|#)\s*[`*]*\d+$",
    re.IGNORECASE,
)
_OPERATOR = re.compile(
    r"\s*(?:[+*/%&|^@<>]{1,2}|[-–]|[<>!]=|\b(?:and|or|not|in)\b(?=\s*$(?<!.)))\s*$"
)


def named(names: Sequence[str]) -> str:
    """Write a pattern for a variable, an item of one, or its length."""
    found = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    mark = rf"{MARKS}{{0,4}}?"
    return (
        rf"(?<![\w.'\"\[\\@]){mark}(?:(?P<length>len\(|(?:length|size)\s+of\s+{MARKS}{{0,3}}))?"
        rf"(?P<name>{found})(?!\w)(?(length)\)?)"
        rf"(?:\[(?P<key>[^\[\]\n]{{1,60}})\])?{MARKS}{{0,4}}\}}?"
    )


def link_of(names: Sequence[str]) -> str:
    """Write a pattern for what links a variable to its value; names are no words of it."""
    linking = "|".join(word for word in _LINKING if word not in names)
    filling = "|".join(word for word in _FILLING if word not in names)
    begins = rf"(?:,?\s+(?:{filling})(?![\w(])|['’]s(?:\s+(?:new|current|final))?\s+value|\s*\|)"
    link = rf"(?:{_MARKED}{_SYMBOL}|,?\s+(?:{linking})(?![\w(])|,?\s+{_BY})"
    more = rf"(?:{_MARKED}{_SYMBOL}(?=\s)|,?\s+(?:{linking}|{filling})(?![\w('’])|\s+{_BY})"
    return rf"(?>{begins}{{0,4}}{link}{more}{{0,8}}){_MARKED}\s*"


def counts_things(line: str, end: int) -> bool:
    """Tell whether a number is one of things: ``3 items``."""
    return _NOUNS.match(line, end) is not None


def goes_on(rest: str, names: tuple[str, ...], *, compares: bool) -> bool:
    """Tell whether an expression goes on after its first literal.

    Args:
        rest: What follows the literal.
        names: Variables, which may be operands.
        compares: Whether a comparison would be the value.

    Returns:
        True where an operator and an operand, a condition or an alternative follow.
    """
    return _operation(names).match(rest) is not None or (
        compares and _COMPARED.match(rest) is not None
    )


@lru_cache(maxsize=64)
def _operation(names: tuple[str, ...]) -> re.Pattern[str]:
    known = "|".join(map(re.escape, names)) or r"(?!)"
    operand = rf"(?:[\d(\[{{'\"]|(?:{known})\b|\w+\()"
    signs = r"[+/%&|^@×]|//|-|–|\*\*?(?=\s)"
    return re.compile(rf"`?\s*(?:{signs})\s*[`*]?{operand}|\*\*?{operand}|\[|\.\w|\s+(?:if|or)\b")


def is_a_test(line: str, match: re.Match[str], end: int) -> bool:
    """Tell whether ``==`` asks and does not say."""
    if not match["link"].strip().endswith("==") or _HOLDS.match(line, end):
        return False
    start = match.start()
    return _TEST.search(line[max(0, start - 80) : start]) is not None


def is_denied(line: str, end: int) -> bool:
    """Tell whether what was said up to a place is said to be false."""
    return _DENIED.match(line, end) is not None


def is_inside_a_sum(line: str, match: re.Match[str], operand: re.Pattern[str]) -> bool:
    """Tell whether a name is the right side of an operator: ``2 + n = 5`` says nothing of n."""
    before = line[max(0, match.start() - 80) : match.start("name")]
    before = re.sub(r"(?<!\w)(?:\*{1,3}|`)$", "", before).removesuffix("len(")
    sign = _OPERATOR.search(before)
    if sign is None or re.search(rf"{ARROW}\s*$", before):
        return before.endswith("lambda ") or re.search(r"\w\($", before) is not None
    left = before[: sign.start()].rstrip("`")
    if _NUMBERED.search(left):
        return False
    if sign[0].strip() in ("-", "–", "|", ">") and not _OPERAND.search(left):
        return operand.search(left) is not None
    return re.search(r"[\w)\]'\"]$", left) is not None
