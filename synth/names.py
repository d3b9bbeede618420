"""Names that fit what they name: collections and their items, counters, limits, functions."""

from __future__ import annotations

from synth.types import Type

__all__ = ["ENTRIES", "item_names", "subject_names"]

_SUBJECTS: dict[str, tuple[tuple[str, str], ...]] = {
    "list[int]": (
        ("numbers", "number"),
        ("nums", "n"),
        ("values", "value"),
        ("scores", "score"),
        ("levels", "level"),
        ("xs", "x"),
        ("readings", "reading"),
        ("counts", "count"),
    ),
    "list[str]": (
        ("words", "word"),
        ("names", "name"),
        ("lines", "line"),
        ("tags", "tag"),
        ("tokens", "token"),
        ("items", "item"),
        ("fields", "field"),
        ("parts", "part"),
    ),
    "list[float]": (("prices", "price"), ("weights", "weight"), ("temps", "temp")),
    "list[bytes]": (("chunks", "chunk"), ("packets", "packet")),
    "list[bool]": (("flags", "flag"), ("votes", "vote")),
    "list[range]": (("spans", "span"), ("ranges", "r")),
    "str": (("text", "ch"), ("s", "c"), ("message", "letter"), ("line", "char"), ("word", "ch")),
    "bytes": (("data", "byte"), ("payload", "b"), ("raw", "byte")),
    "int": (("n", "d"), ("number", "i"), ("total", "i"), ("value", "i")),
    "float": (("amount", "x"), ("ratio", "x"), ("price", "x")),
    "bool": (("ready", "i"), ("strict", "i"), ("verbose", "i")),
    "NoneType": (("nothing", "i"),),
    "dict": (("table", "key"), ("stock", "name"), ("ages", "name"), ("prices", "item")),
    "set": (("ids", "i"), ("group", "member"), ("seen", "x"), ("allowed", "x")),
    "frozenset": (("fixed", "x"), ("labels", "label"), ("codes", "code")),
    "tuple": (("point", "p"), ("record", "field"), ("triple", "part")),
    "range": (("span", "i"), ("steps", "i")),
    "list": (("rows", "row"), ("groups", "group"), ("matrix", "row"), ("batches", "batch")),
}

ENTRIES = (
    "f solve process summarize collect analyze compute transform check scan build reduce "
    "evaluate arrange tally pick select measure combine extract"
).split()
"""Names of entry functions."""


def subject_names(kind: Type) -> tuple[tuple[str, str], ...]:
    """Give names for a collection of a type, each with a name for its item.

    Args:
        kind: The collection's type.

    Returns:
        Pairs of names.
    """
    return _SUBJECTS.get(str(kind)) or _SUBJECTS[kind.name]


def item_names(kind: Type) -> tuple[str, ...]:
    """Give names for a single value of a type.

    Args:
        kind: Its type.

    Returns:
        Names, the most fitting first.
    """
    return {
        "int": ("n", "value", "k", "x"),
        "str": ("word", "part", "piece", "name"),
        "float": ("amount", "x", "ratio"),
        "bool": ("flag", "ok", "found"),
        "bytes": ("chunk", "raw", "block"),
        "list": ("parts", "items", "found", "rest"),
        "dict": ("table", "lookup", "mapping"),
        "set": ("group", "members", "unique"),
        "frozenset": ("fixed", "labels", "codes"),
        "tuple": ("pair", "split", "pieces"),
        "range": ("span", "steps"),
        "NoneType": ("nothing",),
    }[kind.name]
