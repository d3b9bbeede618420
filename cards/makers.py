"""Counts who wrote the programs of a dataset, and in which parts of which build.

Each row says so itself: by its shard, which is negative for somebody's own program, and by
what its program was composed of, which names the model where one proposed it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from curricula.difficulty.engines import without_address
from curricula.problem import PROPOSED_BY

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Maker", "Makers", "Parts", "makers_in"]


@dataclass(frozen=True, slots=True)
class Maker:
    """Who wrote some programs.

    Attributes:
        name: The model that proposed them; empty where no model did.
        programs: Different programs.
        problems: Problems over them.
    """

    name: str
    programs: int
    problems: int


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that a build is made in; within one, programs were compared exactly.

    Attributes:
        builds: Different builds: seeds and versions of execverify.
        count: Different parts, over all builds.
        largest: The most problems of a part that are here.
    """

    builds: int
    count: int
    largest: int


@dataclass(frozen=True, slots=True)
class Makers:
    """Who wrote the programs of a dataset.

    Attributes:
        generator: The generator; None where no program is its own.
        models: Models, by name.
        own: Somebody, who gave programs and calls; None where nobody did.
        built: Different programs of generator and models, which a build selected.
        parts: The parts that those were made in.
    """

    generator: Maker | None
    models: tuple[Maker, ...]
    own: Maker | None
    built: int
    parts: Parts


def makers_in(every: pl.LazyFrame) -> Makers:
    """Count who wrote the programs of a dataset.

    Args:
        every: Its problems.

    Returns:
        The counts.
    """
    import polars as pl

    idioms = pl.col("idioms").list.eval(
        pl.element().filter(pl.element().str.starts_with(PROPOSED_BY))
    )
    table = (
        every.select("source", pl.col("provenance").struct.unnest())
        .with_columns(idioms.list.first().str.strip_prefix(PROPOSED_BY).alias("model"))
        .with_columns((pl.col("shard") < 0).alias("is_own"))
    )
    found = (
        table.group_by("is_own", "model")
        .agg(pl.col("source").n_unique(), pl.len().alias("problems"))
        .sort("is_own", "model")
        .collect()
        .rows()
    )
    own = [Maker("", *counts) for is_own, _, *counts in found if is_own]
    built = [
        (name, Maker(without_address(name or ""), *counts))
        for is_own, name, *counts in found
        if not is_own
    ]
    shards = table.filter(~pl.col("is_own")).group_by("seed", "generator_version", "shard").len()
    parts = shards.select(
        pl.struct("seed", "generator_version").n_unique().alias("builds"),
        pl.len().alias("count"),
        pl.col("len").max().fill_null(0).alias("largest"),
    )
    return Makers(
        generator=next((maker for name, maker in built if name is None), None),
        models=tuple(maker for name, maker in built if name is not None),
        own=own[0] if own else None,
        built=table.filter(~pl.col("is_own")).select(pl.col("source").n_unique()).collect().item(),
        parts=Parts(*map(int, parts.collect().row(0))),
    )
