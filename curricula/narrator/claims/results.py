"""Reads claims that the call or a line returns a value, or raises."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Mapping, Sequence

from curricula.narrator.claims.evidence import Evidence
from curricula.narrator.claims.prose import CODE, RETURN, clause_before, lines_named
from curricula.narrator.claims.values import (
    ARROW,
    MARKS,
    Values,
    chained,
    end_of_part,
    value_of,
    values_at,
)
from curricula.narrator.claims.wording import counts_things, goes_on

__all__ = ["wrong_results"]

_MOST = 500
"""Results that are read of a text."""
_GIVES = (
    rf"(?:\s*{MARKS}{{0,4}}\s*(?:===?|=|:|{ARROW})|,?\s+(?:is|was|returns?|returned|gives|yields|"
    r"evaluates\s+to|equals|produces|outputs?|results?\s+in|comes\s+out\s+(?:as|to|at)|"
    r"will\s+(?:be|return)|must\s+be|ends\s+(?:up\s+)?(?:as|with|returning)))"
    r"(?:\s*:|\s+(?:now|then|therefore|thus|simply|just|finally|the|a|an|value|list|string|str|int|"
    r"integer|tuple|dict|dictionary|set|number|float|boolean|of|to|be|indeed|also|exactly)(?!\w))*"
    rf"\s*{MARKS}{{0,4}}\s*"
)
_RETURNS = (
    r"\breturn(?:s|ed|ing)?\b(?:\s*:|\s+(?:the|an?|value|list|string|str|int|integer|tuple|dict|"
    r"dictionary|set|number|float|boolean|of|is|just|simply|back)(?!\w))*\s*"
)
_RESULT = (
    r"(?i:\b(?:(?:final|overall|eventual|ultimate)\s+(?:return(?:ed)?\s+)?(?:result|output|answer)|"
    r"return(?:ed)?\s+value|(?:function|call|program)(?:'s|’s)\s+(?:result|output|return\s+value)|"
    r"result\s+of\s+(?:the\s+)?(?:call|function|program)|"
)
_UNREAL = re.compile(
    r"\b(?:not|never|no|nothing|none|without|cannot|would|could|might|may|unless|whether|otherwise|instead|"
    r"rather|avoids?|suppose|assum\w+|expect\w*|neither|nor|guess|try|tried)\b|n't\b|n’t\b|"
    r"(?<!the )(?<!The )\bif\b(?! (?:on|at|in|block|branch|statement|test|condition)\b)",
    re.IGNORECASE,
)
_DEPENDS = re.compile(r"[`*.,)\s]*\b(?:if|unless|whenever|when|for|only|otherwise|in\s+case)\b")
_SENTENCE = re.compile(r"[.;?!]\s|\b(?:so|but|because|since|thus|therefore|hence)\b")
_EXCEPTIONS = "|".join(
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)
_NAME = rf"(?P<name>{_EXCEPTIONS}|[A-Z]\w*(?:Error|Exception))\b"
_RAISES = re.compile(
    r"\b(?:rais(?:es?|ed|ing)|throw(?:s|n|ing)?|threw|(?:fails?|crash(?:es)?|stops)\s+with|"
    r"(?:ends?|terminates|results?)\s+(?:in|with|by\s+raising)|triggers?|leads?\s+to|causes?)\s+"
    rf"(?:(?:an?|the|uncaught|unhandled)\s+)*(?:exception\s+)?{MARKS}{{0,4}}(?:{_NAME}|"
    r"(?P<any>exception|error)\b)"
    rf"|{MARKS}{{0,4}}{_NAME.replace('name', 'subject')}{MARKS}{{0,4}}\s+(?:(?:is|was|gets)\s+"
    r"(?:raised|thrown)|occurs|escapes|propagates|leaves|happens)"
)


def wrong_results(lines: Sequence[str], known: Evidence) -> Iterator[str]:
    """Say what a text says wrongly of what is returned and raised.

    Args:
        lines: As :func:`curricula.narrator.claims.prose.without_quotes` gives them.
        known: The run.

    Yields:
        A sentence for each.
    """
    reader = _Reader(known)
    for line in lines:
        yield from reader.given(line)
        yield from reader.returned(line)
        yield from reader.raised(line)
        if reader.read > _MOST:
            yield f"it has more than {_MOST} claims about results"
            return


class _Reader:
    """Finds results and what is said to have them."""

    def __init__(self, known: Evidence) -> None:
        self.known = known
        self.read = 0
        trace = known.trace
        call = r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", trace.call)))
        # Inside of a string blanks count; there, too, they are taken as they come.
        whole = rf"(?<![\w.])(?:assert\s+)?{call}"
        words = "" if {"output", "answer"} & set(known.names) else "|output|answer"
        of = rf"(?:\s+(?:of|for|from)\s+(?:the\s+)?(?:call|function|program|`?{call}`?))?"
        result = rf"{_RESULT}result\s+of\s+`?{call}`?{words}))"
        self.whole = re.compile(rf"(?:{whole}|{result}{of}){MARKS}{{0,4}}{_GIVES}")
        self.return_ = re.compile(_RETURNS)
        entry = rf"{whole}|\b{re.escape(trace.entry)}\b|\bthe\s+(?:function|call|program)\b"
        other = rf"{CODE}|\w\([^()\n]*\)|\b(?:method|built-?in|expression|slice|comprehension)\b"
        if known.others:
            other += rf"|\b(?:{'|'.join(map(re.escape, sorted(known.others)))})\b"
        inner = "|".join(rf"\b{re.escape(name)}\b" for name in sorted(known.helpers)) or r"(?!)"
        at = rf"{RETURN}|\b[Ll]ine \d+"
        self.subject = re.compile(
            rf"(?P<inner>{inner})|(?P<call>{whole})|(?P<entry>{entry})|(?P<other>{other})|(?P<at>{at})"
        )

    def given(self, line: str) -> Iterator[str]:
        """Judge what is said of the call and of its result."""
        output = self.known.trace.output
        for match in self.whole.finditer(line):
            if _is_unreal(line, match.start()) or line[: match.start()].endswith("("):
                continue
            values = self.value(line, match.end())
            if values is not None and output not in values:
                yield f"the call does not return {values[0].literal}"

    def returned(self, line: str) -> Iterator[str]:
        """Judge what something is said to return."""
        for match in self.return_.finditer(line):
            values = None if _is_unreal(line, match.start()) else self.value(line, match.end())
            if values is None:
                continue
            said = values[0].literal
            subject = self.subject_of(line, match.start())
            kind = subject.lastgroup if subject else None
            if kind == "call" and self.known.trace.output not in values:
                yield f"the call does not return {said}"
            elif kind == "at":
                yield from self.at_line(line, match.start(), values)
            elif kind in (None, "entry") and not self.known.may_return(values):
                yield f"nothing returns {said}"

    def at_line(self, line: str, place: int, values: Values) -> Iterator[str]:
        named = lines_named(clause_before(line, place)) or lines_named(line[:place][-80:])
        results = self.known.results
        if len(named) == 1 and (number := named.pop()) in results:
            known = results[number]
            if known is not None and not known & set(values):
                yield f"line {number} never returns {values[0].literal}"
        elif not self.known.may_return(values):
            yield f"nothing returns {values[0].literal}"

    def raised(self, line: str) -> Iterator[str]:
        """Judge which exceptions are said to be raised."""
        raised = self.known.raised
        every = {name for names in raised.values() for name in names}
        every |= {self.known.trace.exception} if self.known.trace.exception else set()
        for match in _RAISES.finditer(line):
            if _is_unreal(line, match.start()) or _DEPENDS.match(line, match.end()):
                continue
            name = match["name"] or match["subject"]
            if name is None:
                yield from () if every else ("nothing raises",)
                continue
            subject = self.subject_of(line, match.start())
            numbers = lines_named(clause_before(line, match.start()))
            if subject and subject.lastgroup == "call" and name != self.known.trace.exception:
                yield f"the call does not raise {name}"
            elif name not in every:
                yield f"nothing raises {name}"
            elif subject and subject.lastgroup == "at" and not _is_at(name, numbers, raised):
                yield f"{name} is not raised where it is said to be"

    def subject_of(self, line: str, place: int) -> re.Match[str] | None:
        """Find what a verb is said of: the nearest thing before it in its sentence."""
        start = max(
            [
                0,
                place - 300,
                *(m.end() for m in _SENTENCE.finditer(line, max(0, place - 300), place)),
            ]
        )
        return max(self.subject.finditer(line, start, place), key=lambda m: m.end(), default=None)

    def value(self, line: str, start: int) -> Values | None:
        """Read the value that a result is said to be."""
        self.read += 1
        if self.read > _MOST:
            return None
        found = values_at(line, start)
        if found is not None and _DEPENDS.match(line, found[1]):
            return None
        end = end_of_part(line, start, len(line))
        parts = list(chained(line, start, end))
        if len(parts) > 1:
            return value_of(parts[-1][1])
        if found is None or goes_on(line[found[1] :], self.known.names, compares=True):
            return value_of(line[start:end])
        return None if counts_things(line, found[1]) else found[0]


def _is_unreal(line: str, place: int) -> bool:
    """Tell whether a sentence denies or supposes what it says."""
    before = line[max(0, place - 300) : place]
    return (
        _UNREAL.search(re.split(r"[.;:]\s|,\s|\b(?:so|but|because|since)\b", before)[-1])
        is not None
    )


def _is_at(name: str, lines: set[int], raised: Mapping[int, set[str]]) -> bool:
    """Tell whether an exception is raised at the one line that a text names."""
    return len(lines) != 1 or any(name in raised.get(line, ()) for line in lines)
