"""Problems without end, for training that makes its data on the fly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from curricula.problem import Problem
from synth.spec import Spec

__all__ = ["stream"]


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
