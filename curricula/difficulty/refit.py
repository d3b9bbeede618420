"""Fits the estimate to the rates of a model that a dataset holds.

What is fitted, and how good it is, is :mod:`curricula.difficulty.fit`'s business; here rates
that compare are chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from curricula.difficulty.base import Difficulty
from curricula.difficulty.estimate import Estimator
from curricula.difficulty.features import features_of
from curricula.difficulty.fit import Example, fit
from curricula.difficulty.grade import asker, problems_in, splits_of
from curricula.difficulty.plan import INPUT
from tracing.errors import ExecVerifyError, shorten

if TYPE_CHECKING:
    import datasets

__all__ = ["refit"]


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
    problems = [problem for split in splits_of(dataset) for problem in problems_in(split)]
    rates = [
        [d for d in problem.difficulty if d.source == "passrate" and model in (None, d.model)]
        for problem in problems
    ]
    ways = Counter(_way(found[-1]) for found in rates if found)
    if not ways:
        whose = "" if model is None else f" of {shorten(model)}"
        raise ExecVerifyError(
            f"0 problems have a measured rate{whose}: grade them before the estimate is fitted"
        )
    ((way, _),) = ways.most_common(1)
    chosen = [
        (problem, difficulty)
        for problem, found in zip(problems, rates, strict=True)
        for difficulty in found
        if _way(difficulty) == way
    ]
    examples = [Example(features_of(problem), difficulty.rate) for problem, difficulty in chosen]
    asked = chosen[0][1]
    made = fit(
        examples,
        name=name or f"estimate-of-{asked.model}",
        model=asked.model,
        data=f"{data} ({_how([difficulty for _, difficulty in chosen])})",
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


def _how(difficulties: Sequence[Difficulty]) -> str:
    """Say how a model was asked."""
    first = difficulties[0]
    kinds = f", with {', '.join(first.kinds)}" if first.kinds else ""
    task = "input prediction" if first.kinds == (INPUT,) else f"output prediction{kinds}"
    samples = sorted({difficulty.samples for difficulty in difficulties})
    counts = f"{samples[0]} to {samples[-1]}" if len(samples) > 1 else f"{samples[0]}"
    return f"{task}, {counts} samples at temperature {first.temperature:g}"
