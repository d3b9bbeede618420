"""Sums up what is said of difficulty: rates by the model that was asked, or by the estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from cards.errors import DatasetError
from curricula.difficulty.thresholds import Thresholds, thresholds_of
from tracing.errors import UsageError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BINS", "Rated", "TiersBy", "rated_in", "tiers_by"]

BINS = 10
"""Bins of a histogram of rates: [0, 0.1), ..., [0.9, 1]."""


@dataclass(frozen=True, slots=True)
class Rated:
    """The rates of one model, or of the estimate.

    Attributes:
        source: ``"passrate"`` or ``"estimate"``.
        model: The model, or the estimate's name.
        revision: Its revision.
        settings: How replies were drawn: temperature, top_p, most tokens, wording.
        thresholds: Where the tiers end that follow from these rates.
        tiers: Problems whose tier follows from them: they stand last in their row.
        later: The most rates that stand after one of them in a row; what was asked first has most.
        problems: Problems that were rated.
        samples: Replies that were scored.
        most: The most of one problem.
        fewest: The fewest of one problem.
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
    later: int
    problems: int
    samples: int
    most: int
    fewest: int
    passes: int
    mean: float
    width: float
    bins: tuple[int, ...]


_SETTINGS = ("temperature", "top_p", "max_tokens", "prompt", "kinds")


@dataclass(frozen=True, slots=True)
class TiersBy:
    """What the tiers of a dataset follow from, in problems.

    Attributes:
        measured: What a model replied.
        models: Different models that it was.
        estimated: An estimate.
        unrated: Nothing that stands beside them.
    """

    measured: int
    models: int
    estimated: int
    unrated: int


def tiers_by(rated: Sequence[Rated], problems: int) -> TiersBy:
    """Tell what the tiers of a dataset follow from.

    Args:
        rated: Its rates.
        problems: Its problems.

    Returns:
        The problems by source of the rate that their tier follows from.
    """
    measured = [it for it in rated if it.source == "passrate" and it.tiers]
    by_models = sum(it.tiers for it in measured)
    estimated = sum(it.tiers for it in rated if it.source != "passrate")
    models = len({it.model for it in measured})
    return TiersBy(by_models, models, estimated, problems - by_models - estimated)


def rated_in(every: pl.LazyFrame) -> tuple[Rated, ...]:
    """Sum up the rates of a dataset, those of each model apart.

    Args:
        every: Its problems.

    Returns:
        The rates: measured ones first, by model.

    Raises:
        DatasetError: Thresholds stand beside a rate that are none.
    """
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
            (pl.col("from_last").max() - 1).alias("later"),
            pl.col("samples").max().alias("most"),
            pl.col("samples").min().alias("fewest"),
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
        later=row["later"],
        problems=row["problems"],
        samples=row["samples"],
        most=row["most"],
        fewest=row["fewest"],
        passes=row["passes"],
        mean=round(row["mean"], 4),
        width=round(row["width"], 4),
        bins=tuple(row[f"bin{number}"] for number in range(BINS)),
    )
