"""Problems without end, for training that makes its data on the fly, and datasets of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from curricula.problem import Problem, to_row
from synth.spec import Spec, check_int

__all__ = ["dataset_of", "stream"]


def stream(
    tier: str | Callable[[], str] = "all",
    *,
    seed: int = 0,
    like: str | None = None,
    kinds: Sequence[str] | None = None,
    questions: int = 10,
    start: int = 0,
) -> Iterator[Problem]:
    """Make problems without end, in this process and its confined workers.

    Args:
        tier: ``"easy"``, ``"medium"``, ``"hard"`` or ``"all"``; or a function that is asked
            before each batch, for a learner whose needs change.
        seed: Another seed gives other programs.
        like: ``"cruxeval"`` to imitate its statistics, or None.
        kinds: Question kinds to ask, or None for all.
        questions: The most questions of a problem.
        start: Number of the first batch, to go on where an earlier stream stopped or to
            share the numbers among processes.

    Yields:
        One problem after the other; batch n of a tier and seed is the same in every process.
        Near-duplicates are dropped within a batch.

    Raises:
        UsageError: An argument is not what it may be.

    Example:
        >>> next(stream("hard", seed=1)).tier  # doctest: +SKIP
        'hard'
    """
    from synth import shards

    chosen = tier if callable(tier) else lambda: tier
    asked = None if kinds is None else tuple(kinds)
    number = start
    while True:
        # The smallest shard: what a learner needs may change soon.
        spec = Spec(chosen(), shards.LEAST_ROWS, seed, like=like, kinds=asked, questions=questions)
        yield from shards.make(spec, number).problems
        number += 1


def dataset_of(problems: Iterable[Problem], count: int) -> dict[str, list[dict[str, Any]]]:
    """Take problems as a dataset that a stage of training learns from.

    Args:
        problems: Problems, as from :func:`stream`; the next call goes on behind those taken.
        count: How many to take.

    Returns:
        Their rows as the train split, each program with its call once; fewer where the
        problems end.

    Raises:
        UsageError: The count is not a positive whole number.

    Example:
        >>> dataset = dataset_of(stream("easy", seed=1), 500)  # doctest: +SKIP
        >>> rl.stage1(StageOneConfig(model="m", dataset=dataset))  # doctest: +SKIP
    """
    check_int("count", count, 1, 10_000_000)
    return {"train": [to_row(problem) for problem in islice(_new(problems), count)]}


def _new(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Leave out what came before; batches of a stream do not know each other."""
    seen: set[str] = set()
    for problem in problems:
        if problem.id not in seen:
            seen.add(problem.id)
            yield problem
