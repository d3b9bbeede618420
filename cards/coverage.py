"""Compares what problems are about with the catalogue that their programs were planned from.

A cell is a type with one of its methods, operators or functions. Cells are counted in the data
files; the catalogue is the one that the build recorded, so a card stays true when the generator
learns more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cards.statistics import Statistics

__all__ = ["Coverage", "Covered", "coverage_of"]


@dataclass(frozen=True, slots=True)
class Covered:
    """What problems are about one type.

    Attributes:
        type: Its name.
        problems: Problems about it.
        methods: Different methods that they are about.
        planned: Methods that the catalogue has of it.
        missing: Of these, methods that no problem is about, in name order.
    """

    type: str
    problems: int
    methods: int
    planned: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a catalogue a dataset contains.

    Attributes:
        types: Its types, most problems first, then those without a problem, by name.
    """

    types: tuple[Covered, ...]

    @property
    def planned(self) -> int:
        """Cells of the catalogue."""
        return sum(row.planned for row in self.types)

    @property
    def missing(self) -> int:
        """Cells of the catalogue that no problem is about."""
        return sum(len(row.missing) for row in self.types)


def coverage_of(stats: Statistics, catalogue: Mapping[str, Sequence[str]]) -> Coverage:
    """Tell how much of a catalogue a dataset contains.

    Args:
        stats: The dataset's numbers.
        catalogue: Methods by type; empty where it is not known.

    Returns:
        The coverage; it also has the types that are in no catalogue.
    """
    found: dict[str, set[str]] = {}
    for cell, _ in stats.counts["cells"]:
        kind, _, method = cell.partition(".")
        found.setdefault(kind, set()).add(method)
    problems = dict(stats.counts["types"])
    without = sorted(catalogue.keys() - problems.keys())
    return Coverage(
        tuple(
            Covered(
                kind,
                problems.get(kind, 0),
                len(found.get(kind, ())),
                len(set(catalogue.get(kind, ()))),
                tuple(sorted(set(catalogue.get(kind, ())) - found.get(kind, set()))),
            )
            for kind in (*problems, *without)
        )
    )
