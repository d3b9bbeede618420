"""What the catalogue says of a method, operator or built-in function.

An entry is read from one line, like ``replace(char, char) -> str | chain``. What stands
in the parentheses are holes: a type, or the name of a kind of constant (:data:`HOLES`).
Behind the bar stand its traits:

``chain``        the result is again a receiver, as it is or by an adaptor, so calls nest
``argument``     a call of it may stand in an argument of another (``find`` from a ``find``)
``mutates``      it changes its receiver and is a statement
``nonempty``     the receiver must hold something
``grows``        the result may be longer than the receiver
``raises:NAME``  what it raises where a precondition is broken on purpose
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth.types import Type
from tracing.errors import UsageError

__all__ = ["HOLES", "Entry", "read_entries", "read_written"]

HOLES = frozenset(
    "char newchar sep word affix chars width count index step base digits key default item "
    "predicate transform by limit encoding table format small".split()
)
"""Kinds of constants and of small functions that an argument may be."""

_LINE = re.compile(r"(\w+)\(([^()]*)\)(?: -> ([^|]+?))?(?:\s*\|\s*(.*))?")
# A bar with spaces may stand in the code; traits are words at the end.
_WRITTEN = re.compile(
    r"([\w\[\], ]+?): (\S.*?)(?: -> ([\w\[\], ]+))? \| (.*?)(?: \| ((?:[a-z]+ ?)+))?"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A method of a type, or a built-in function.

    Attributes:
        type: The type's name, or ``"builtins"``.
        method: The method's or function's name.
        receiver: Type of the receiver (of the first argument, for a function); its
            parameters may be the letters T, K and V.
        arguments: Holes of the arguments.
        result: Type of the result, with the same letters; None for a statement.
        traits: See above.
        code: How it is written, in one or more ways with holes, where that is not
            ``receiver.method(arguments)``.
        needs: The import that its code needs, or an empty text.
    """

    type: str
    method: str
    receiver: str
    arguments: tuple[str, ...]
    result: str | None
    traits: tuple[str, ...]
    code: tuple[str, ...] = ()
    needs: str = ""

    @property
    def mutates(self) -> bool:
        """Whether it changes its receiver."""
        return "mutates" in self.traits

    @property
    def nests(self) -> bool:
        """Whether its calls nest in one another."""
        return "chain" in self.traits or "argument" in self.traits

    @property
    def raises(self) -> bool:
        """Whether it raises for some receivers of its type."""
        return any(trait.startswith("raises:") for trait in self.traits)

    def result_type(self, receiver: Type) -> Type | None:
        """Give the result's type for a receiver's type."""
        if self.result is None:
            return None
        letters = dict(zip("T" if len(receiver.args) < 2 else "KV", receiver.args, strict=False))
        text = self.result.replace("SELF", str(receiver))
        for letter, made in letters.items():
            text = re.sub(rf"\b{letter}\b", str(made), text)
        if receiver.name in ("str", "bytes", "range"):
            text = re.sub(r"\bT\b", str(receiver.item), text)
        return Type.parse(text)


def read_entries(kind: str, receiver: str, text: str) -> list[Entry]:
    """Read a table of entries.

    Args:
        kind: The type's name, or ``"builtins"``.
        receiver: The receiver's type; a line of a function may name its own before a colon.
        text: One entry a line.

    Returns:
        The entries, in order.

    Raises:
        UsageError: A line is no entry.
    """
    entries = []
    for line in filter(None, map(str.strip, text.splitlines())):
        own, colon, rest = line.rpartition(": ")
        match = _LINE.fullmatch(rest if colon else line)
        if match is None:
            raise UsageError(f"{line!r} is no entry of the catalogue")
        holes = tuple(filter(None, (hole.strip() for hole in match[2].split(";"))))
        entries.append(
            Entry(
                kind,
                match[1],
                own or receiver,
                holes,
                match[3].strip() if match[3] else None,
                tuple((match[4] or "").split()),
            )
        )
    return entries


def read_written(text: str, kind: str = "", needs: str = "") -> tuple[Entry, ...]:
    """Read a table of entries that are written as code.

    Args:
        text: One entry a line, like ``str: * -> str | <it> * 2 ; <it> * <count> | grows``: the
            type of what it is about, its name, the type of the result where there is one, the
            code in one or more ways, and traits.
        kind: The entries' type; empty for that of what each is about.
        needs: The import that the code needs.

    Returns:
        The entries, in order.

    Raises:
        UsageError: A line is no entry.
    """
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        match = _WRITTEN.fullmatch(line)
        if match is None:
            raise UsageError(f"{line!r} is no entry of the catalogue")
        receiver, name, result, code, traits = match.groups()
        own = kind or receiver.partition("[")[0]
        ways = tuple(code.split(" ; "))
        words = tuple((traits or "").split())
        found.append(Entry(own, name, receiver, (), result, words, ways, needs))
    return tuple(found)
