"""Counts everything that a card says about its data, from the data files alone.

Counts are exact. A quantile is the value below which at most that share of the rows lies
(the lower one where two would do), so it is always a value that occurs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from cards.errors import DatasetError
from cards.files import shards_of
from cards.layout import CONFIGS, DEFAULT, SPLITS
from curricula.difficulty.thresholds import Thresholds, thresholds_of
from curricula.difficulty.tiers import TIERS
from tracing.errors import UsageError

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "BINS",
    "MEASURES",
    "ConfigFacts",
    "Counts",
    "Distribution",
    "Rated",
    "SplitFacts",
    "Statistics",
    "statistics_of",
    "values_of",
]

Counts = tuple[tuple[str, int], ...]
"""Names with their counts, most frequent first, equal ones by name."""
BINS = 10
"""Bins of a histogram of rates: [0, 0.1), ..., [0.9, 1]."""
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
class SplitFacts:
    """One split of one config.

    Attributes:
        name: The split.
        rows: Its rows.
        files: Its data files.
        bytes: Their size.
        memory: Size of its rows in memory, as Arrow holds them, in bytes.
    """

    name: str
    rows: int
    files: int
    bytes: int
    memory: int


@dataclass(frozen=True, slots=True)
class ConfigFacts:
    """One config.

    Attributes:
        name: Its name.
        about: What a row is.
        splits: Its splits.
        columns: Names and types of its columns.
    """

    name: str
    about: str
    splits: tuple[SplitFacts, ...]
    columns: tuple[tuple[str, str], ...]

    @property
    def rows(self) -> int:
        """Rows over all splits."""
        return sum(split.rows for split in self.splits)

    @property
    def bytes(self) -> int:
        """Size of its data files."""
        return sum(split.bytes for split in self.splits)


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
class Rated:
    """The rates of one model, or of the estimate.

    Attributes:
        source: ``"passrate"`` or ``"estimate"``.
        model: The model, or the estimate's name.
        revision: Its revision.
        settings: How replies were drawn: temperature, top_p, most tokens, wording.
        thresholds: Where the tiers end that follow from these rates.
        tiers: Problems whose tier follows from them: no other rate was entered after.
        problems: Problems that were rated.
        samples: Replies that were scored.
        passes: Of these, right ones.
        mean: Mean rate over the problems.
        width: Mean width of the 95% interval.
        bins: Problems in each of :data:`BINS` bins of the rate.
    """

    source: str
    model: str
    revision: str
    settings: tuple[tuple[str, str], ...]
    thresholds: Thresholds
    tiers: int
    problems: int
    samples: int
    passes: int
    mean: float
    width: float
    bins: tuple[int, ...]


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
    counts: dict[str, Counts]

    @property
    def problems(self) -> int:
        """Problems over all splits."""
        return self.config(DEFAULT).rows

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
        configs=tuple(_config(place, name) for name in CONFIGS if (place / "data" / name).is_dir()),
        tiers=_tiers(frames),
        rated=_rated(every),
        measures=_measures(every),
        programs=_distinct(every, "source"),
        families=_distinct(every, "family"),
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


def _config(place: Path, name: str) -> ConfigFacts:
    splits = []
    columns: tuple[tuple[str, str], ...] = ()
    for split in SPLITS:
        paths = shards_of(place, name, split)
        if not paths:
            continue
        schema = pq.read_schema(paths[0])
        columns = tuple((field.name, str(field.type).replace("element: ", "")) for field in schema)
        splits.append(
            SplitFacts(
                split,
                sum(pq.read_metadata(path).num_rows for path in paths),
                len(paths),
                sum(path.stat().st_size for path in paths),
                sum(pq.read_table(path).nbytes for path in paths),
            )
        )
    return ConfigFacts(name, CONFIGS[name].about, tuple(splits), columns)


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

    shape = every.select("shape").unnest("shape")
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


_SETTINGS = ("temperature", "top_p", "max_tokens", "prompt", "kinds")


def _rated(every: pl.LazyFrame) -> tuple[Rated, ...]:
    import polars as pl

    rates = pl.col("difficulty")
    table = every.select(rates, pl.int_ranges(rates.list.len(), 0, -1).alias("from_last"))
    table = table.explode("difficulty", "from_last").unnest("difficulty")
    table = table.with_columns(pl.col("kinds").list.join(", "))
    keys: Sequence[str] = ("source", "model", "revision", *_SETTINGS, "thresholds")
    bins = [
        (pl.col("rate").mul(BINS).floor().clip(0, BINS - 1) == number).sum().alias(f"bin{number}")
        for number in range(BINS)
    ]
    grouped = (
        table.drop_nulls("source")
        .group_by(keys)
        .agg(
            pl.len().alias("problems"),
            (pl.col("from_last") == 1).sum().alias("tiers"),
            pl.col("samples").sum(),
            pl.col("passes").sum(),
            pl.col("rate").mean().alias("mean"),
            (pl.col("high") - pl.col("low")).mean().alias("width"),
            *bins,
        )
    )
    try:
        found = [_rating(row) for row in grouped.collect().iter_rows(named=True)]
    except UsageError as error:
        raise DatasetError(f"a rate of the dataset is none: {error}") from None
    return tuple(sorted(found, key=_order))


def _order(rated: Rated) -> tuple[Any, ...]:
    lines = astuple(rated.thresholds)
    return rated.source != "passrate", rated.model, rated.settings, rated.revision, lines


def _rating(row: dict[str, Any]) -> Rated:
    said = [(name, row[name]) for name in _SETTINGS if row[name] not in (None, "")]
    return Rated(
        source=str(row["source"]),
        model=str(row["model"]),
        revision=str(row["revision"] or ""),
        settings=tuple(
            (name, f"{value:g}" if isinstance(value, float) else str(value)) for name, value in said
        ),
        thresholds=thresholds_of(row["source"], row["thresholds"]),
        tiers=row["tiers"],
        problems=row["problems"],
        samples=row["samples"],
        passes=row["passes"],
        mean=round(row["mean"], 4),
        width=round(row["width"], 4),
        bins=tuple(row[f"bin{number}"] for number in range(BINS)),
    )
