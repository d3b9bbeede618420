"""Decides, before a program is written, what it will be: the cell, the depth, the structures."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from functools import lru_cache

from curricula.shapes.operations import OPERATIONS
from synth.catalogue import CATALOGUE, STDLIB, Entry

__all__ = ["Plan", "plan_of", "random_of"]

_CONTROLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "easy": ((), ("if",), ("for",), ("for", "if"), ("while",)),
    "medium": (
        ("for",),
        ("for", "if"),
        ("for", "if-elif"),
        ("while", "if"),
        ("for", "for"),
        ("if", "for"),
    ),
    "hard": (
        ("for", "if"),
        ("for", "if-elif"),
        ("for", "for", "if"),
        ("for", "if", "for"),
        ("while", "if-elif"),
        ("for", "while", "if"),
        ("while", "for", "if"),
        ("for", "for", "if-elif"),
        ("if", "for", "if"),
        ("for", "while"),
        ("for", "for"),
    ),
}


_IDIOMS = {"easy": (0, 0, 1), "medium": (0, 0, 1, 2), "hard": (0, 1, 2, 2)}
"""By level: how many idioms a program is made of; 0 stands for a nest of structures."""
_RARE = {"bytes": 0.7, "float": 0.3, "bool": 0.5, "range": 0.3, "frozenset": 0.5, "set": 0.2}
"""By type: the share of its turns that go to a common entry instead."""
_RARE_OPERATION = 0.2
"""The same for operations: programs are full of them whatever they are about."""
_FREEHAND = 0.35
"""The share that is written statement by statement; no two of these are much alike."""
_FREEHAND_STRAIGHT = 0.75
"""The same where there is no loop and no branch to give a nest of structures its variety."""
_COMMON = tuple(
    e
    for e in CATALOGUE
    if e.type in ("str", "list", "dict", "builtins") and e.method not in OPERATIONS
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is decided before a program is written.

    Attributes:
        entry: The method under test.
        depth: How deep its calls nest.
        control: Control structures that nest, from the outside in.
        helper: Whether a helper function calls the method.
        idioms: How many idioms the program is made of; 0 stands for a nest of structures.
        brief: Whether it is a program of few lines, as CRUXEval's are.
        freehand: Whether it is written statement by statement, not around a nest of structures.
    """

    entry: Entry
    depth: int
    control: tuple[str, ...]
    helper: bool
    idioms: int
    brief: bool
    freehand: bool


def random_of(*parts: object) -> random.Random:
    """Make a random source that depends on what is named, and on nothing else."""
    text = "\0".join(map(str, parts))
    return random.Random(int(hashlib.sha256(text.encode()).hexdigest(), 16))


def plan_of(
    seed: int, number: int, tier: str, like: str | None, stdlib: bool, rng: random.Random
) -> Plan:
    """Plan a program.

    Args:
        seed: The build's seed.
        number: The program's number.
        tier: ``"easy"``, ``"medium"``, ``"hard"`` or ``"all"``.
        like: ``"cruxeval"`` or None.
        stdlib: Whether entries that need an import are among those under test.
        rng: The program's own random source.

    Returns:
        The plan.
    """
    turn, place = divmod(number, len(CATALOGUE) + (len(STDLIB) if stdlib else 0))
    entry = _round(seed, turn, stdlib)[place]
    rare = max(_RARE.get(entry.type, 0.0), _RARE_OPERATION if entry.method in OPERATIONS else 0.0)
    rare = 0.85 if like and entry not in _COMMON else rare
    if rng.random() < rare:
        # What people seldom write comes less often, but in every few rounds.
        entry = rng.choice(_COMMON)
    level = "easy" if like else tier if tier != "all" else rng.choice(("easy", "medium", "hard"))
    depth = 1
    if entry.nests and not entry.mutates:
        depth = rng.choice((1, 2) if level == "easy" else (2, 2, 2, 3))
    control = rng.choice(_CONTROLS[level])
    brief = like is not None or (level == "easy" and rng.random() < 0.5)
    return Plan(
        entry=entry,
        depth=depth,
        control=control,
        helper=level != "easy" and not entry.mutates and rng.random() < 0.3,
        idioms=rng.choice(_IDIOMS[level]),
        brief=brief,
        freehand=brief or rng.random() < (_FREEHAND if control else _FREEHAND_STRAIGHT),
    )


@lru_cache(maxsize=4)
def _round(seed: int, turn: int, stdlib: bool) -> list[Entry]:
    """Permute the catalogue for a round, so that every entry comes equally often."""
    order = [*CATALOGUE, *STDLIB] if stdlib else list(CATALOGUE)
    random_of(seed, "round", turn).shuffle(order)
    return order
