"""Checks what a problem says of its program: its family, what it was made for, where it comes from.

Family and shape follow from the source, whoever wrote it. The provenance of a row that a build
made is compared with what manifest and report say of the build. A problem of somebody's own
program (shard -1, no shape) claims neither shape nor build, and nothing is asked of either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cards.errors import DatasetError
from cards.report import read_report
from curricula.family import family
from curricula.problem import Problem, ShapeFacts
from curricula.shapes import Shape
from tracing.errors import UsageError, shorten

__all__ = ["Origin", "origin_of"]


@dataclass(frozen=True, slots=True)
class Origin:
    """What a dataset says of the build that made it.

    Attributes:
        told: Seed, generator version and Python, as far as they are recorded.
        catalogue: Methods by type that programs were planned from; empty where not recorded.
        idioms: Names of what programs could be composed of; empty where not recorded.
    """

    told: Mapping[str, Any]
    catalogue: Mapping[str, Sequence[str]]
    idioms: frozenset[str]

    def differences(self, problem: Problem) -> Iterator[str]:
        """Find what a problem says of its program that is not so.

        Args:
            problem: A problem whose source parses.

        Yields:
            What is not so.
        """
        found = family(problem.source)
        if problem.family != found:
            yield f"family is {shorten(repr(problem.family))}, derived again {found!r}"
        is_built = problem.provenance.shard >= 0
        if is_built or problem.shape != ShapeFacts():
            yield from _unmet(problem)
        if is_built:
            yield from self._not_of_build(problem)

    def _not_of_build(self, problem: Problem) -> Iterator[str]:
        kind, method = problem.shape.type, problem.shape.method
        if self.catalogue and method not in self.catalogue.get(kind, ()):
            yield f"shape is of {shorten(f'{kind}.{method}')}, which the build's catalogue has not"
        for name, value in self.told.items():
            said = getattr(problem.provenance, name)
            if said != value:
                yield f"provenance.{name} is {shorten(repr(said))}, that of the build {value!r}"
        for idiom in problem.provenance.idioms:
            if self.idioms and idiom not in self.idioms:
                yield f"provenance.idioms has {shorten(repr(idiom))}, which the build did not know"


def origin_of(place: Path, build: Mapping[str, Any] | None) -> Origin:
    """Read what a dataset says of its build.

    Args:
        place: The folder of the dataset.
        build: The part of its manifest that says so; None for a dataset that was in memory.

    Returns:
        What it says; a damaged report says nothing.
    """
    try:
        report = read_report(place) or {}
    except DatasetError:  # said where the report itself is checked
        report = {}
    known = build or {}
    told = {**known, **(known.get("spec") or {})}
    names = ("seed", "generator_version", "python")
    return Origin(
        told={name: told[name] for name in names if name in told},
        catalogue=report.get("catalogue", {}),
        idioms=frozenset(report.get("idioms", ())),
    )


def _unmet(problem: Problem) -> Iterator[str]:
    try:
        shape = Shape(**asdict(problem.shape))
    except UsageError as error:
        yield f"shape is none: {error}"
        return
    for what in shape.check(problem.source):
        yield f"shape is not what the source meets: {what}"
