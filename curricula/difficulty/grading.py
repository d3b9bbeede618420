"""Measures pass rates: asks a model about problems, and counts what it replied.

Asking, scoring and keeping replies are :mod:`curricula.difficulty.asking`'s business. A problem
whose replies do not come is named, and never taken for a failed one.
"""

from __future__ import annotations

import logging
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from curricula.difficulty.asking import Ask, Part, ask
from curricula.difficulty.base import Count, Difficulty
from curricula.difficulty.engines import Engine, open_engine
from curricula.difficulty.intervals import wilson
from curricula.difficulty.plan import Plan
from curricula.difficulty.progress import Progress, Told
from curricula.difficulty.reasons import without_values
from curricula.problem import Problem
from tracing.errors import ExecVerifyError, shorten

__all__ = ["Grading", "Plan", "Progress", "measure_rates", "rates_of", "without_values"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Grading:
    """What a run measured.

    Attributes:
        difficulties: By problem id; problems without any reply are missing.
        unanswered: By problem id, why replies are missing.
    """

    difficulties: dict[str, Difficulty]
    unanswered: dict[str, str]


def measure_rates(
    problems: Iterable[Problem],
    engine: Engine | str,
    plan: Plan | None = None,
    *,
    journal: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Grading:
    """Measure a model's pass rate on problems.

    Args:
        problems: The problems; one that comes twice is asked once.
        engine: The model to ask: an open engine, or a text that names one.
        plan: How to ask; None for the paper's way.
        journal: Where to keep the replies, and to go on from; None to keep them nowhere.
        progress: Called after each scored completion.

    Returns:
        The rates, with their intervals and the reasons of failures.

    Raises:
        ExecVerifyError: There is no reply to any problem, the engine cannot be opened or used,
            or the journal belongs to something else.
    """
    asked = plan or Plan()
    once = {problem.id: problem for problem in problems}
    told = Told(len(once), asked.samples, progress)
    opened = open_engine(engine) if isinstance(engine, str) else engine
    try:
        with tempfile.TemporaryDirectory() as scratch:
            path = journal or Path(scratch) / "journal.jsonl"
            asks = ask([Part(once.values(), path)], opened, asked, told)
    finally:
        if isinstance(engine, str):
            opened.close()
    unanswered = {one.asked.id: one.error for one in asks if one.error}
    if asks and not any(one.reasons for one in asks):
        error = next(iter(unanswered.values()), "no reply came")
        raise ExecVerifyError(f"none of {len(asks)} problems was answered: {error}")
    if unanswered:
        name, error = next(iter(unanswered.items()))
        _log.warning(
            "%d of %d problems are not fully answered and can be asked again (%s: %s)",
            len(unanswered), len(asks), name, shorten(error, 200),
        )  # fmt: skip
    return Grading(rates_of(asks, opened, asked), unanswered)


def rates_of(asks: Iterable[Ask], engine: Engine, plan: Plan) -> dict[str, Difficulty]:
    """Work out the rates of problems that were asked.

    Args:
        asks: What came of each problem.
        engine: The model that was asked; it may be closed by now.
        plan: How it was asked.

    Returns:
        By problem id; problems without any reply are missing.
    """
    return {one.asked.id: _rate(one.reasons, engine, plan) for one in asks if one.reasons}


def _rate(every: Sequence[str], engine: Engine, plan: Plan) -> Difficulty:
    # A journal may hold more replies than this run asks for.
    reasons = every[: plan.samples]
    passes, samples = reasons.count(""), len(reasons)
    low, high = wilson(passes, samples)
    failures = Counter(reason for reason in reasons if reason)
    return Difficulty(
        source="passrate",
        model=engine.model,
        samples=samples,
        passes=passes,
        rate=passes / samples,
        low=low,
        high=high,
        revision=engine.revision,
        temperature=plan.sampling.temperature,
        top_p=plan.sampling.top_p,
        max_tokens=plan.sampling.max_tokens,
        prompt=plan.wording,
        kinds=plan.kinds,
        reasons=tuple(
            Count(reason, count)
            for reason, count in sorted(failures.items(), key=lambda item: (-item[1], item[0]))
        ),
    )
