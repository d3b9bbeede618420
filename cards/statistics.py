"""Counts everything that a card says about its data, from the data files alone.

Counts are exact. A quantile is the value below which at most that share of the rows lies
(the lower one where two would do), so it is always a value that occurs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cards.config_facts import ConfigFacts, config_facts
from cards.errors import DatasetError
from cards.files import shards_of
from cards.layout import CONFIGS, DEFAULT, SPLITS
from cards.makers import Makers, makers_in
from cards.rates import Rated, TiersBy, rated_in, tiers_by
from curricula.difficulty.tiers import TIERS

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "MEASURES",
    "Counts",
    "Distribution",
    "Statistics",
    "statistics_of",
    "values_of",
]

Counts = tuple[tuple[str, int], ...]
"""Names with their counts, most frequent first, equal ones by name."""
MEASURES = (
    "lines",
    "statements",
    "depth",
    "branches",
    "calls",
    "steps",
    "frames",
    "changes",
    "input_size",
    "output_size",
    "largest_value",
)
"""The numbers of ``structure`` that are summed up."""
PLOTTED = ("lines", "steps", "changes")
"""Those that are plotted."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a number is spread over the problems.

    Attributes:
        name: What is measured.
        mean: The mean.
        low: The smallest.
        median: The median.
        p95: The 95th percentile.
        high: The largest.
    """

    name: str
    mean: float
    low: int
    median: int
    p95: int
    high: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a card says in numbers.

    Attributes:
        configs: The configs that have files.
        tiers: Problems by tier, for each split.
        rated: Rates by model.
        measures: Distributions of :data:`MEASURES` and of questions a problem.
        programs: Different programs.
        families: Different families.
        shaped: Problems whose program was made for a shape; no others are counted in what
            shapes say: ``types``, ``cells``, ``control``, ``features``, ``helpers`` and
            ``nested_calls``.
        makers: Who wrote the programs.
        counts: Tables of counts by what is counted: ``outcomes``, ``exceptions``, ``types``,
            ``cells``, ``control``, ``features``, ``helpers``, ``nested_calls``, ``idioms``,
            ``outputs``, ``kinds``, ``answers``, ``versions``, ``pythons``, ``seeds``.
    """

    configs: tuple[ConfigFacts, ...]
    tiers: tuple[tuple[str, tuple[int, ...]], ...]
    rated: tuple[Rated, ...]
    measures: tuple[Distribution, ...]
    programs: int
    families: int
    shaped: int
    makers: Makers
    counts: dict[str, Counts]

    @property
    def problems(self) -> int:
        """Problems over all splits."""
        return self.config(DEFAULT).rows

    @property
    def tiers_by(self) -> TiersBy:
        """What the tiers follow from."""
        return tiers_by(self.rated, self.problems)

    def config(self, name: str) -> ConfigFacts:
        """Find a config that has files."""
        return next(config for config in self.configs if config.name == name)


def statistics_of(place: Path) -> Statistics:
    """Count a dataset.

    Args:
        place: A folder that was staged, or its copy.

    Returns:
        The numbers.

    Raises:
        DatasetError: A file is damaged, or has thresholds that are none.
    """
    import polars as pl

    # A split without rows has no files; its columns are those of the others.
    some = next((path for split in SPLITS for path in shards_of(place, DEFAULT, split)), None)
    if some is None:
        raise DatasetError("the dataset has no problem")
    nothing = pl.scan_parquet(some).head(0)
    frames = {
        split: pl.concat([nothing, *map(pl.scan_parquet, shards_of(place, DEFAULT, split))])
        for split in SPLITS
    }
    every = pl.concat(list(frames.values()))
    return Statistics(
        configs=tuple(
            config_facts(place, name) for name in CONFIGS if (place / "data" / name).is_dir()
        ),
        tiers=_tiers(frames),
        rated=rated_in(every),
        measures=_measures(every),
        programs=_distinct(every, "source"),
        families=_distinct(every, "family"),
        shaped=_shaped(every).select(pl.len()).collect().item(),
        makers=makers_in(every),
        counts=_counts(every),
    )


def values_of(place: Path, names: Sequence[str] = PLOTTED) -> dict[str, list[int]]:
    """Give numbers of ``structure`` for every problem.

    Args:
        place: A folder that was staged, or its copy.
        names: Which ones.

    Returns:
        Their values by name.
    """
    import polars as pl

    paths = [path for split in SPLITS for path in shards_of(place, DEFAULT, split)]
    columns = [pl.col("structure").struct.field(name) for name in names]
    table = pl.concat([pl.scan_parquet(path) for path in paths]).select(columns).collect()
    return {name: table[name].to_list() for name in names}


def _tiers(frames: dict[str, pl.LazyFrame]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    by_split = [dict(_count(frame, "tier")) for frame in frames.values()]
    known = [tier for tier in TIERS if any(tier in counts for counts in by_split)]
    others = sorted({tier for counts in by_split for tier in counts} - set(TIERS))
    return tuple(
        (tier, tuple(counts.get(tier, 0) for counts in by_split)) for tier in [*known, *others]
    )


def _count(frame: pl.LazyFrame, expression: str | pl.Expr) -> Counts:
    import polars as pl

    value = pl.col(expression) if isinstance(expression, str) else expression
    table = frame.select(value.cast(pl.String).alias("it")).drop_nulls().group_by("it").len()
    rows = table.collect().rows()
    return tuple(sorted(((str(name), int(n)) for name, n in rows), key=lambda r: (-r[1], r[0])))


def _distinct(frame: pl.LazyFrame, column: str) -> int:
    import polars as pl

    return int(frame.select(pl.col(column).n_unique()).collect().item())


def _counts(every: pl.LazyFrame) -> dict[str, Counts]:
    import polars as pl

    def inside(column: str, field: str) -> pl.Expr:
        return pl.col(column).struct.field(field)

    shape = _shaped(every)
    origin = every.select("provenance").unnest("provenance")
    asked = every.select(pl.col("questions").explode().struct.unnest())
    return {
        "outcomes": _count(every, "outcome"),
        "exceptions": _count(every, "exception"),
        "outputs": _count(every, inside("output", "type")),
        "types": _count(shape, "type"),
        "cells": _count(shape, pl.concat_str(["type", "method"], separator=".")),
        "control": _count(shape, pl.col("control").list.join(" > ")),
        "helpers": _count(shape, "helpers"),
        "nested_calls": _count(shape, "nested_calls"),
        "features": _count(shape, pl.col("features").explode()),
        "idioms": _count(origin, pl.col("idioms").explode()),
        "kinds": _count(asked, "kind"),
        "answers": _count(asked, pl.col("answers").list.first().struct.field("type")),
        "versions": _count(origin, "generator_version"),
        "pythons": _count(origin, "python"),
        "seeds": _count(origin, "seed"),
    }


def _shaped(every: pl.LazyFrame) -> pl.LazyFrame:
    """Give the shapes that are claimed: somebody's own program claims none."""
    import polars as pl

    return every.select("shape").unnest("shape").filter(pl.col("type") != "")


def _measures(every: pl.LazyFrame) -> tuple[Distribution, ...]:
    import polars as pl

    columns = [pl.col("structure").struct.field(name) for name in MEASURES]
    columns.append(pl.col("questions").list.len().alias("questions"))
    table = every.select(columns).collect()
    return tuple(_distribution(name, table[name]) for name in table.columns)


def _distribution(name: str, values: pl.Series) -> Distribution:
    def quantile(share: float) -> int:
        return int(values.quantile(share, interpolation="lower") or 0)

    return Distribution(
        name,
        round(float(values.mean() or 0.0), 4),  # type: ignore[arg-type]
        quantile(0.0),
        quantile(0.5),
        quantile(0.95),
        quantile(1.0),
    )
