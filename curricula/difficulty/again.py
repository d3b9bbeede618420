"""Works out again what a problem's row says of its difficulty.

An estimate follows from the row, an interval from its counts, the tier from the last rate and
its lines. What a model replied cannot be had again.
"""

from __future__ import annotations

from dataclasses import replace

from curricula.difficulty.base import Difficulty
from curricula.difficulty.estimate import estimate
from curricula.difficulty.intervals import wilson
from curricula.difficulty.tiers import tier_of
from curricula.problem import Problem

__all__ = ["rated_again"]


def rated_again(problem: Problem) -> Problem:
    """Give a problem the rates and the tier that follow from what it says.

    Args:
        problem: A problem with at least one rate.

    Returns:
        The same problem where its rates and its tier are right.
    """
    rates = tuple(_rate_again(problem, said) for said in problem.difficulty)
    return replace(problem, difficulty=rates, tier=tier_of(rates[-1]))


def _rate_again(problem: Problem, said: Difficulty) -> Difficulty:
    if said.source == "estimate":
        return replace(estimate(problem), thresholds=said.thresholds)
    if not 0 <= said.passes <= said.samples or said.samples == 0:
        return replace(said, samples=0, passes=0, rate=0.0, low=0.0, high=1.0)
    low, high = wilson(said.passes, said.samples)
    return replace(said, rate=said.passes / said.samples, low=low, high=high)
