"""Reads claims that a variable, an item of one or its length has a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from curricula.narrator.claims.evidence import Evidence
from curricula.narrator.claims.prose import clause_before, is_supposed, lines_named
from curricula.narrator.claims.values import (
    MARKS,
    Values,
    chained,
    end_of_part,
    value_of,
    values_at,
)
from curricula.narrator.claims.wording import (
    AUGMENTED,
    COMES_TO,
    FROM,
    INTO,
    ONWARDS,
    TAKES,
    TOLD,
    counts_things,
    goes_on,
    is_a_test,
    is_denied,
    is_inside_a_sum,
    link_of,
    named,
)

__all__ = ["Claim", "claims_in"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A text says that a variable has a value.

    Attributes:
        name: The variable.
        values: The values of which one is meant.
        line: The one line that its clause names before it, or None.
        part: Empty for the variable itself, ``"length"``, or the key of an item.
    """

    name: str
    values: Values
    line: int | None = None
    part: str = ""


def claims_in(lines: Sequence[str], known: Evidence) -> Iterator[Claim]:
    """Read the claims of a text about a run's variables.

    Args:
        lines: As :func:`curricula.narrator.claims.prose.without_quotes` gives them.
        known: The run.

    Yields:
        The claims in order.
    """
    if known.names:
        reader = _Reader(known)
        for line in lines:
            yield from reader.claims(line)


class _Patterns:
    """Names with what links them to a value: the same for all runs with the same variables."""

    def __init__(self, names: tuple[str, ...]) -> None:
        name = named(names)
        others = rf"(?:{'|'.join(map(re.escape, names))})"
        self.linked = re.compile(rf"{name}(?P<link>{link_of(names)})")
        self.aside = re.compile(rf"{name}\s*\(\s*(?:now|currently|is|value|=|:)?\s*")
        self.told = re.compile(rf"{TOLD}{name}\s+(?:to\s+be|to|at|as|with|into)\s+(?:the\s+)?")
        self.put = re.compile(TAKES)
        self.into = re.compile(rf"\s*{MARKS}{{0,4}}\s*{INTO}{name}(?!\s*\[)")
        self.augmented = re.compile(rf"{name}\s*{AUGMENTED}")
        self.operand = re.compile(rf"{others}$")


_patterns = lru_cache(maxsize=64)(_Patterns)  # making them takes longer than a text does


class _Reader:
    """Reads the claims of lines about the variables of one run."""

    def __init__(self, known: Evidence) -> None:
        self.known = known
        self.find = _patterns(known.names)

    def claims(self, line: str) -> Iterator[Claim]:
        operand = self.find.operand
        linked = [
            match
            for match in self.find.linked.finditer(line)
            if not is_inside_a_sum(line, match, operand)
        ]
        starts = [match.start() for match in linked] + [len(line)]
        for number, match in enumerate(linked):
            yield from self.of_link(line, match, starts[number + 1])
        for match in self.find.augmented.finditer(line):
            end = end_of_part(line, match.end(), len(line))
            last = [value_of(part) for lead, part in chained(line, match.end(), end) if lead]
            if last and last[-1] is not None:
                yield from self.made(line, match, last[-1])
        for pattern in (self.find.told, self.find.aside):
            for match in pattern.finditer(line):
                found = values_at(line, match.end())
                closes = pattern is self.find.told or (
                    found is not None and line[found[1] :].lstrip("`*").startswith(")")
                )
                if found and closes and not counts_things(line, found[1]):
                    yield from self.made(line, match, found[0])
        for match in self.find.put.finditer(line):
            found = values_at(line, match.end())
            target = self.find.into.match(line, found[1]) if found else None
            if found and target and not self.known.is_container(target["name"]):
                yield from self.made(line, target, found[0])

    def of_link(self, line: str, match: re.Match[str], until: int) -> Iterator[Claim]:
        """Read what a name is linked to."""
        link = match["link"]
        if COMES_TO.search(link) and not re.search(
            r"\b(?:on)?(?:to|into)\s+$", line[: match.start("name")]
        ):
            return  # `n gives 3` speaks of n only where something was added to it
        several = self.unpack(line, match)
        if several:
            yield from several
            return
        end = end_of_part(line, match.end(), until)
        for values in self.values(line, match, end):
            yield from self.made(line, match, values)
        first = values_at(line, match.end()) if FROM.search(link) else None
        onwards = ONWARDS.match(line, first[1]) if first else None
        second = values_at(line, onwards.end()) if onwards else None
        if second and not counts_things(line, second[1]):
            yield from self.made(line, match, second[0])

    def values(self, line: str, match: re.Match[str], end: int) -> Iterator[Values]:
        """Give the values of a chain that the name is said to have."""
        name, link = match["name"], match["link"].strip()
        found = values_at(line, match.end())
        ends = (end, found[1]) if found else (end,)
        if any(is_denied(line, place) or is_a_test(line, match, place) for place in ends):
            return
        parts = list(chained(line, match.end(), end))
        is_said = [(lead, value_of(part)) for lead, part in parts]
        alone = [values for _, values in is_said if values is not None]
        if len(parts) > 1:
            yield from _of_chain(is_said, told_in_turn=link.endswith(":"))
        else:
            if found is None or found[1] > end + 1:
                yield from alone
                return
            rest = line[found[1] :]
            is_bool = "bool" in self.known.types(name)
            if goes_on(rest, self.known.names, compares=is_bool):
                yield from alone
            elif not counts_things(line, found[1]) and self.fits(name, link, found[0], rest):
                yield found[0]

    def fits(self, name: str, link: str, values: Values, rest: str) -> bool:
        """Tell whether a literal can be meant as the value of the name."""
        types = {value.type for value in values}
        if types <= {"bool"} and not self.known.types(name) & {"bool"}:
            return False  # `n is true`, as a test takes it
        if link.endswith(":") or re.search(r"\b(?:ha[sd]|holds?|held|contains?|stores?)\b", link):
            # `for xs: 3, 4` and `xs has 3` speak of items.
            is_item = self.known.is_container(name) and not types & self.known.types(name)
            return not is_item and not (self.known.is_container(name) and rest.startswith(", "))
        return True

    def unpack(self, line: str, match: re.Match[str]) -> list[Claim]:
        """Read ``a, b = 1, 2``; a name before the last takes its own value."""
        if match["link"].strip() != "=":
            return []
        before = re.search(
            r"((?:[A-Za-z_]\w*\s*,\s*)+)[`*(]*$",
            line[max(0, match.start() - 200) : match.start("name")],
        )
        if before is None:
            return []
        names = [*re.findall(r"\w+", before[1]), match["name"]]
        place, claims = match.end(), []
        for name in names:
            found = values_at(line, place)
            if found is None:
                return []
            if name in self.known.names:
                claims.append(Claim(name, found[0]))
            place = found[1] + (line[found[1] : found[1] + 1] == ",")
            if name is not names[-1] and place == found[1]:
                return []
        return claims

    def made(self, line: str, match: re.Match[str], values: Values) -> Iterator[Claim]:
        if is_supposed(line, match.start("name")):
            return
        groups = match.groupdict()
        part = "length" if groups.get("length") else groups.get("key") or ""
        if ":" in part:
            return  # a slice
        named_lines = lines_named(clause_before(line, match.start()))
        place = named_lines.pop() if len(named_lines) == 1 else None
        yield Claim(match["name"], values, place, part.strip())


def _of_chain(
    parts: Sequence[tuple[str, Values | None]], *, told_in_turn: bool
) -> Iterator[Values]:
    """Give the values that a chain equals; one that an arrow adds may be what it leads to."""
    is_known = False
    for lead, values in parts:
        if values is None:
            continue
        if lead == "→" and is_known and not told_in_turn:
            return
        is_known = True
        yield values
