"""Reads claims how often a loop or a line runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curricula.narrator.claims.evidence import Evidence
from curricula.narrator.claims.prose import clause_before, is_supposed, lines_named
from curricula.narrator.claims.values import COUNTED

__all__ = ["wrong_counts"]

_WORDS = {word: number for number, word in enumerate(COUNTED)}
_WORDS |= {"once": 1, "twice": 2, "thrice": 3}
_NUMBER = rf"(?P<count>\d{{1,9}}|{'|'.join(_WORDS)})"
_TIMES = re.compile(
    r"\b(?:runs?|ran|executes?|executed|iterates?|repeats?|loops?|reached|evaluated|goes\s+(?:round|"
    r"around)|is\s+run|makes?|does|takes?|completes?|performs?|ends\s+after|finishes\s+after|"
    r"(?:has|have)|there\s+(?:are|were))\s+(?:for\s+|exactly\s+|a\s+total\s+of\s+|only\s+|in\s+total\s+)?"
    rf"[`*]{{0,3}}{_NUMBER}[`*]{{0,3}}(?P<unit>\s+(?:full\s+|more\s+)?(?:times|time|passes|pass|"
    r"iterations?|rounds)\b|(?<=once)|(?<=twice)|(?<=thrice))(?!\s+(?:more|through|over|in\s+the))",
    re.IGNORECASE,
)
_LOOP = re.compile(r"\b(?:loop|body|iterat\w+|pass(?:es)?|rounds)\b", re.IGNORECASE)
_HEADER = re.compile(r"\b(?:header|test|condition|check|line)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|at\s+(?:most|least)|up\s+to|about|more|would|if|each)\b|n't\b")


def wrong_counts(lines: Sequence[str], known: Evidence) -> Iterator[str]:
    """Say what a text says wrongly of how often something runs.

    Args:
        lines: As :func:`curricula.narrator.claims.prose.without_quotes` gives them.
        known: The run.

    Yields:
        A sentence for each.
    """
    for line in lines:
        for match in _TIMES.finditer(line):
            before = clause_before(line, match.start())[-100:]
            if is_supposed(line, match.start()) or _NOT.search(before):
                continue
            word = match["count"].lower()
            count = _WORDS[word] if word in _WORDS else int(word)
            numbers = lines_named(before)
            number = numbers.pop() if len(numbers) == 1 else None
            if number is not None and not _LOOP.search(before + match[0]):
                if count != known.trace.occurrences(number):
                    yield f"line {number} does not run {count} times"
            elif _LOOP.search(before + match[0]) and not _may_loop(count, number, before, known):
                yield f"no loop runs {count} times"


def _may_loop(count: int, number: int | None, before: str, known: Evidence) -> bool:
    """Tell whether a loop makes so many passes, or its header runs so often."""
    passes = known.passes
    chosen = [number] if number in passes else list(passes)
    if not chosen:
        return True  # a comprehension, whose passes are no steps
    counts = set().union(*(passes[line] for line in chosen))
    if _HEADER.search(before) and number is None:
        counts |= {known.trace.occurrences(line) for line in chosen}
    if number is not None and number not in passes:
        counts |= {known.trace.occurrences(number)}
    return count in counts
