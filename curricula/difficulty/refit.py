"""Fits the estimate to the rates of a model that a dataset holds.

What is fitted, and how good it is, is :mod:`curricula.difficulty.fit`'s business; here rates
that compare are chosen. Problems are read once and let go: what stays of each is a few numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from curricula.difficulty.base import Difficulty
from curricula.difficulty.estimate import Estimator
from curricula.difficulty.features import features_of
from curricula.difficulty.fit import Example, fit
from curricula.difficulty.grade import asker, problems_in, splits_of
from curricula.difficulty.plan import INPUT
from curricula.problem import Problem
from tracing.errors import ExecVerifyError, shorten

if TYPE_CHECKING:
    import datasets

__all__ = ["refit", "refit_to"]


@dataclass(slots=True)
class _Way:
    """The rates that were measured in one way.

    Attributes:
        first: One of them.
        lasts: How many of them are the last of their problem.
        samples: From how many replies they come.
        examples: What is fitted to.
    """

    first: Difficulty
    lasts: int = 0
    samples: set[int] = field(default_factory=set)
    examples: list[Example] = field(default_factory=list)


def refit(
    dataset: datasets.Dataset | datasets.DatasetDict,
    *,
    model: str | None = None,
    name: str | None = None,
    data: str = "a dataset",
) -> Estimator:
    """Fit the estimate to the rates of a model that was asked.

    Rates of other prompts, revisions or temperatures do not compare: of a model that was asked
    in several ways, the way that most rows hold is fitted to, and the others are left out.

    Args:
        dataset: A graded dataset, or a dict of splits.
        model: The model whose rates count; None for the one that most rows were asked last.
        name: Name for the estimate; None to name it after the model.
        data: What the problems are, for the sentence that says how good it is.

    Returns:
        The coefficients; :func:`curricula.difficulty.estimate.write` keeps them.

    Raises:
        ExecVerifyError: There are too few rates of that model, or all are alike.
    """
    problems = (problem for split in splits_of(dataset) for problem in problems_in(split))
    return refit_to(problems, model=model, name=name, data=data)


def refit_to(
    problems: Iterable[Problem],
    *,
    model: str | None = None,
    name: str | None = None,
    data: str = "a dataset",
) -> Estimator:
    """Fit the estimate to the rates of problems, as :func:`refit` does for a dataset.

    Args:
        problems: Graded problems.
        model: As for :func:`refit`.
        name: As for :func:`refit`.
        data: As for :func:`refit`.

    Returns:
        The coefficients.

    Raises:
        ExecVerifyError: There are too few rates of that model, or all are alike.
    """
    ways: dict[tuple[Any, ...], _Way] = {}
    for problem in problems:
        rates = [
            d for d in problem.difficulty if d.source == "passrate" and model in (None, d.model)
        ]
        features = features_of(problem) if rates else ()
        for rate in rates:
            way = ways.setdefault(_way(rate), _Way(rate))
            way.lasts += rate is rates[-1]
            way.samples.add(rate.samples)
            way.examples.append(Example(features, rate.rate, problem.family))
    if not ways:
        whose = "" if model is None else f" of {shorten(model)}"
        raise ExecVerifyError(
            f"0 problems have a measured rate{whose}: grade them before the estimate is fitted"
        )
    chosen = max(ways.values(), key=lambda way: way.lasts)
    asked = chosen.first
    made = fit(
        chosen.examples,
        name=name or f"estimate-of-{asked.model}",
        model=asked.model,
        data=f"{data} ({_how(chosen)})",
    )
    return replace(made, revision=asked.revision)


def _way(difficulty: Difficulty) -> tuple[Any, ...]:
    """Give all that rates of one model must share to compare, but for how many replies."""
    return (
        *asker(difficulty),
        difficulty.revision,
        difficulty.prompt,
        difficulty.temperature,
        difficulty.top_p,
        difficulty.max_tokens,
    )


def _how(way: _Way) -> str:
    """Say how a model was asked."""
    first, samples = way.first, sorted(way.samples)
    kinds = f", with {', '.join(first.kinds)}" if first.kinds else ""
    task = "input prediction" if first.kinds == (INPUT,) else f"output prediction{kinds}"
    counts = f"{samples[0]} to {samples[-1]}" if len(samples) > 1 else f"{samples[0]}"
    return f"{task}, {counts} samples at temperature {first.temperature:g}"
