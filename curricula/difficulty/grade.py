"""Grades whole datasets: measured rates and tiers into their rows, replies into a table.

Works on the two columns ``difficulty`` and ``tier`` and leaves all others as they are. Asking
and scoring are :mod:`curricula.difficulty.grading`'s business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from curricula.difficulty.base import Difficulty
from curricula.difficulty.engines import Engine, Sampling, open_engine
from curricula.difficulty.grading import Grading, Plan, Progress, measure_rates
from curricula.difficulty.replies import REPLIES, replies
from curricula.difficulty.tiers import Thresholds, tier_of
from curricula.problem import SCHEMA, Problem, from_row, to_row
from tracing.errors import ExecVerifyError, shorten

if TYPE_CHECKING:
    import datasets

__all__ = [
    "REPLIES",
    "asker",
    "entered",
    "grade",
    "graded",
    "measure",
    "only",
    "problems_in",
    "replies",
    "retier",
    "splits_of",
    "tiers_of",
    "with_rates",
]

_OURS = ("difficulty", "tier")
Data = TypeVar("Data", "datasets.Dataset", "datasets.DatasetDict")


def grade(
    dataset: Data,
    engine: Engine | str,
    *,
    samples: int = 10,
    temperature: float = 1.0,
    top_p: float = 0.9,
    max_tokens: int = 1024,
    kinds: Sequence[str] = (),
    shots: int = 0,
    tolerance: float | None = None,
    thresholds: Thresholds | None = None,
    journal: str | Path | None = None,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Data:
    """Measure how often a model solves each problem of a dataset, and set the tiers by it.

    Args:
        dataset: A dataset with the columns of :data:`curricula.problem.SCHEMA`, or a dict of
            splits.
        engine: ``"vllm:MODEL"``, ``"openai:MODEL@URL"``, ``"transformers:MODEL"``, or an open
            engine.
        samples: Replies to each problem, at most.
        temperature: Sampling temperature.
        top_p: Share of the probability that is sampled from.
        max_tokens: Most tokens of a reply.
        kinds: Kinds of the questions to ask beside the output; a reply is right where all of
            it is.
        shots: Worked examples before the prompt, for models too small to follow a described
            format; with the output alone.
        tolerance: None to take all samples; else the chance of another tier at which a problem
            is asked no more (see docs/difficulty.md for what that saves).
        thresholds: Where the tiers end; the rows keep them. None for the usual lines.
        journal: A file that keeps every reply; the same call goes on from it. None to keep
            nothing.
        progress: Called with how far the run is.
        options: Passed on to the engine that is opened.

    Returns:
        The dataset with the model's rate in ``difficulty``, beside those of other models, and
        with the tier that follows from it. Problems whose replies did not come keep what they
        had; a warning counts them.

    Raises:
        ExecVerifyError: The dataset has other columns, no problem was answered, or the engine
            or the journal cannot be used.

    Source: ExecVerify, section 3.1.
    """
    plan = Plan(
        samples=samples,
        sampling=Sampling(temperature, top_p, max_tokens),
        kinds=tuple(kinds),
        shots=shots,
        tolerance=tolerance,
        thresholds=thresholds,
    )
    measured = measure(dataset, engine, plan, options, journal=journal, progress=progress)
    return entered(dataset, measured, thresholds)


def measure(
    dataset: datasets.Dataset | datasets.DatasetDict,
    engine: Engine | str,
    plan: Plan,
    options: Mapping[str, Any],
    *,
    journal: str | Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Grading:
    """Do the asking of :func:`grade`, and leave the rows as they are.

    Args:
        dataset: As for :func:`grade`.
        engine: As for :func:`grade`.
        plan: How to ask.
        options: Passed on to the engine that is opened.
        journal: As for :func:`grade`.
        progress: As for :func:`grade`.

    Returns:
        The rates by problem, and why replies are missing where they are.

    Raises:
        ExecVerifyError: As :func:`grade`.
    """
    problems = [problem for split in splits_of(dataset) for problem in problems_in(split)]
    opened = open_engine(engine, **options) if isinstance(engine, str) else engine
    try:
        path = Path(journal) if journal is not None else None
        return measure_rates(problems, opened, plan, journal=path, progress=progress)
    finally:
        if isinstance(engine, str):
            opened.close()


def entered(dataset: Data, measured: Grading, thresholds: Thresholds | None = None) -> Data:
    """Enter what was measured into the rows of a dataset.

    Args:
        dataset: The dataset, or a dict of splits.
        measured: What :func:`measure` gave for it.
        thresholds: Where the tiers end; None for the usual lines.

    Returns:
        As :func:`grade`.
    """
    return _mapped(dataset, lambda problem: graded(problem, measured, thresholds))


def graded(problem: Problem, measured: Grading, thresholds: Thresholds | None = None) -> Problem:
    """Enter what was measured into a problem.

    Args:
        problem: The problem.
        measured: What a run measured.
        thresholds: Where the tiers end; None for the usual lines.

    Returns:
        The problem with the new rate instead of the same model's older one, and its tier; the
        problem as it is where no reply came.
    """
    new = measured.difficulties.get(problem.id)
    if new is None:
        return problem
    kept = [d for d in problem.difficulty if asker(d) != asker(new)]
    return _drawn(problem, kept, new, thresholds)


def _drawn(
    problem: Problem,
    others: Iterable[Difficulty],
    rate: Difficulty,
    thresholds: Thresholds | None,
) -> Problem:
    """Draw a problem's tier from a rate, which then stands last with the lines that were used."""
    own = astuple(thresholds) if thresholds is not None else ()
    last = replace(rate, thresholds=own)
    return replace(problem, difficulty=(*others, last), tier=tier_of(last))


def asker(difficulty: Difficulty) -> tuple[str, str, tuple[str, ...]]:
    """Give what a rate must share with another to stand in its place."""
    return difficulty.source, difficulty.model, difficulty.kinds


def tiers_of(problem: Problem, thresholds: Thresholds | None = None) -> dict[str, str]:
    """Name the tier of a problem for each model that was asked, and for the estimate.

    Args:
        problem: The problem.
        thresholds: Where the tiers end; None for the lines that each rate was last used with.

    Returns:
        The tiers by the models' names; of several rates of one model the last counts.
    """
    return {d.model: tier_of(d, thresholds) for d in problem.difficulty}


def retier(
    dataset: Data, thresholds: Thresholds | None = None, *, model: str | None = None
) -> Data:
    """Draw the tiers anew from the rates that a dataset holds; no model is asked.

    Args:
        dataset: A dataset, or a dict of splits.
        thresholds: Where the tiers end; None for the lines that fit measured rates and
            estimates.
        model: The model whose rates count; None for the last one that a row holds.

    Returns:
        The dataset with new tiers; the rate that a tier follows from stands last in its row,
        with the thresholds. Rows without a rate of that model stay as they are.
    """

    def drawn(problem: Problem) -> Problem:
        places = [n for n, d in enumerate(problem.difficulty) if model in (None, d.model)]
        if not places:
            return problem
        others = [d for n, d in enumerate(problem.difficulty) if n != places[-1]]
        return _drawn(problem, others, problem.difficulty[places[-1]], thresholds)

    return _mapped(dataset, drawn)


def only(dataset: Data, tier: str) -> Data:
    """Keep the problems of one tier.

    Args:
        dataset: A dataset, or a dict of splits.
        tier: One of :data:`curricula.difficulty.TIERS`, or ``"all"``.

    Returns:
        Its rows of that tier, in their order.
    """
    if tier == "all":
        return dataset
    return dataset.filter(lambda found: found == tier, input_columns=["tier"])


def splits_of(dataset: datasets.Dataset | datasets.DatasetDict) -> Iterable[datasets.Dataset]:
    """Give the splits of a dataset, which may be a single one."""
    return dataset.values() if isinstance(dataset, dict) else [dataset]


def problems_in(split: datasets.Dataset) -> Iterable[Problem]:
    """Read the problems of a split; raises where it has other columns or a damaged row."""
    missing = [name for name in SCHEMA.names if name not in split.column_names]
    if missing:
        raise ExecVerifyError(
            f"the dataset has no column {', '.join(missing)} (it has "
            f"{shorten(', '.join(split.column_names), 200)}); grade the problems config"
        )
    return (_read(number, row) for number, row in enumerate(split.with_format(None), 1))


def _read(number: int, row: dict[str, Any]) -> Problem:
    try:
        return from_row(row)
    except ExecVerifyError as error:
        raise ExecVerifyError(f"row {number}: {error}") from None


def _mapped(dataset: Data, change: Callable[[Problem], Problem]) -> Data:
    """Change difficulty and tier of every row."""
    if isinstance(dataset, dict):
        return type(dataset)({name: _changed(split, change) for name, split in dataset.items()})
    return _changed(dataset, change)


def _changed(split: datasets.Dataset, change: Callable[[Problem], Problem]) -> datasets.Dataset:
    import datasets

    table = with_rates(split.with_format("arrow")[:], map(change, problems_in(split)))
    # The features are taken from the new columns, not from what was told of the old.
    return datasets.Dataset(table.replace_schema_metadata(None), split=split.split)


def with_rates(table: pa.Table, problems: Iterable[Problem]) -> pa.Table:
    """Put what problems say of their difficulty into a table, and leave the rest as it is.

    Args:
        table: Rows of problems.
        problems: The same problems, with the difficulty and the tier that they get.

    Returns:
        The table, with the types of :data:`curricula.problem.SCHEMA` in these two columns.
    """
    rows = [{name: row[name] for name in _OURS} for row in map(to_row, problems)]
    for name in _OURS:
        field = SCHEMA.field(name)
        column = pa.array([row[name] for row in rows], field.type)
        table = table.set_column(table.column_names.index(name), field, column)
    return table
