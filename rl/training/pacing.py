"""The order in which a trainer sees its problems: tier by tier, paced by measured reward.

An epoch is a permutation of the rows, cut into blocks of as many prompts as are answered
before the weights change. It begins with the easiest tier, and goes on to the next one when
the mean reward over the last completions of the tier exceeds a threshold, or when the tier
is used up but for a part that is held back. A share of each block comes from earlier tiers;
what they have left comes last. Every block that was drawn is remembered, so that a run that
was killed sees the rest of the order that it would have seen.

It knows nothing of trainers: a trainer draws blocks ahead, and hands rewards in when it has
them; so a change of pace is seen a block or two later.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tracing.errors import ExecVerifyError, UsageError

__all__ = ["ORDER", "BlockSampler", "Pace", "Pacing"]

ORDER = ("trivial", "easy", "medium", "hard", "unsolved", "unrated")
"""The tiers as they come; what no one has rated comes last."""

_MOST_HELD = 0.5
"""The largest part of a tier that is held back; where the last is huge, its share ends early."""


@dataclass(frozen=True, slots=True)
class Pace:
    """When the next tier begins, and what stays of the earlier ones.

    Attributes:
        threshold: Mean reward, as a share of the highest, above which the next tier begins.
        share: Share of a block that comes from earlier tiers, in [0, 1).
        window: Completions over which the mean is taken; with fewer there is none.
    """

    threshold: float = 0.6
    share: float = 0.2
    window: int = 512


class Pacing:
    """Draws blocks of rows, and learns from rewards when the next tier begins.

    Args:
        tiers: The tier of each row; one that is not in :data:`ORDER` counts as unrated.
        block: Rows of a block.
        seed: Decides the order within a tier.
        pace: None to shuffle all rows together.

    Raises:
        UsageError: There are too few rows for one block.
    """

    def __init__(self, tiers: Sequence[str], block: int, seed: int, pace: Pace | None) -> None:
        if len(tiers) < block:
            raise UsageError(
                f"{len(tiers)} prompts are too few for a batch of {block}; "
                "use more problems or set batch lower"
            )
        self.block = block
        self.count = len(tiers)
        self._pace = pace
        self._seed = seed
        self._tiers = [tier if tier in ORDER else ORDER[-1] for tier in tiers]
        self._names = [tier for tier in ORDER if tier in self._tiers]
        self._epoch = -1
        self._drawn: list[list[int]] = []
        self._reached = 0
        self._recent = self._empty()
        self._held = self._held_back()

    @property
    def tier(self) -> str:
        """The tier that is learned now."""
        return self._names[self._reached] if self._pace else "all"

    def blocks(self, epoch: int) -> Iterator[list[int]]:
        """Draw the blocks of an epoch; those that were drawn before come first.

        Args:
            epoch: The epoch, from 0.

        Yields:
            Numbers of rows; the rows that fill no block are left out.
        """
        if epoch != self._epoch:
            self._epoch, self._drawn, self._reached = epoch, [], 0
            self._recent = self._empty()
        queues = self._queues()
        place = 0
        while place < self.count // self.block:
            if place == len(self._drawn):
                self._drawn.append(self._draw(queues, random.Random(self._key("block", place))))
            yield self._drawn[place]
            place += 1

    def observe(self, tiers: Sequence[str], rewards: Sequence[float | None]) -> None:
        """Take in what completions earned.

        Args:
            tiers: The tier of each completion's row.
            rewards: What each earned, as a share of the highest; None counts for nothing.
        """
        for tier, reward in zip(tiers, rewards, strict=True):
            if reward is not None:
                self._recent[tier if tier in self._recent else ORDER[-1]].append(reward)

    def state(self) -> dict[str, Any]:
        """Give what a checkpoint must keep.

        Returns:
            What JSON can hold.
        """
        return {
            "epoch": self._epoch,
            "drawn": self._drawn,
            "reached": self._reached,
            "recent": {tier: list(rewards) for tier, rewards in self._recent.items()},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a checkpoint.

        Args:
            state: What :meth:`state` gave.

        Raises:
            ExecVerifyError: It is of other rows.
        """
        rows = [row for block in state["drawn"] for row in block]
        if not all(0 <= row < self.count for row in rows) or len(set(rows)) != len(rows):
            raise ExecVerifyError("the checkpoint is of another dataset; set resume to false")
        self._epoch = state["epoch"]
        self._drawn = [list(block) for block in state["drawn"]]
        self._reached = min(state["reached"], len(self._names) - 1)
        self._recent = self._empty()
        for tier, rewards in state["recent"].items():
            self.observe([tier] * len(rewards), rewards)

    def _empty(self) -> dict[str, deque[float]]:
        window = self._pace.window if self._pace else 1
        return {tier: deque(maxlen=window) for tier in (*self._names, ORDER[-1])}

    def _key(self, what: str, which: int | str) -> str:
        return f"pacing\0{self._seed}\0{self._epoch}\0{what}\0{which}"

    def _queues(self) -> list[list[int]]:
        """Shuffle each tier, without the rows that were drawn in this epoch."""
        gone = {row for block in self._drawn for row in block}
        queues = []
        for name in self._names if self._pace else ["all"]:
            rows = [n for n, tier in enumerate(self._tiers) if name in (tier, "all")]
            random.Random(self._key("tier", name)).shuffle(rows)
            queues.append([row for row in rows if row not in gone])
        return queues

    def _draw(self, queues: list[list[int]], rng: random.Random) -> list[int]:
        if self._pace is None:
            return [queues[0].pop(0) for _ in range(self.block)]
        self._move_on(queues)
        earlier = [row for queue in queues[: self._reached] for row in queue]
        kept = rng.sample(earlier, min(round(self._pace.share * self.block), len(earlier)))
        chosen = [*kept]
        # A tier that ends within a block gives way to the next one.
        while len(chosen) < self.block and (fresh := self._fresh(queues)):
            chosen += fresh[: self.block - len(chosen)]
            self._take(queues, chosen)
            if len(chosen) < self.block:
                self._move_on(queues)
        self._take(queues, chosen)
        rest = [row for queue in queues for row in queue]
        chosen += rng.sample(rest, self.block - len(chosen))
        self._take(queues, chosen)
        return chosen

    def _move_on(self, queues: list[list[int]]) -> None:
        while self._reached < len(queues) - 1 and (
            self._is_learned(self._names[self._reached]) or not self._fresh(queues)
        ):
            self._reached += 1

    def _is_learned(self, tier: str) -> bool:
        recent = self._recent[tier]
        pace = self._pace
        if pace is None or len(recent) < pace.window:
            return False
        return sum(recent) / len(recent) > pace.threshold

    def _fresh(self, queues: list[list[int]]) -> list[int]:
        """Give what the tier has left, without what is held back for later blocks."""
        queue = queues[self._reached]
        if self._reached == len(queues) - 1 or self._pace is None:
            return queue
        return queue[: max(0, len(queue) - self._held[self._reached])]

    def _held_back(self) -> list[int]:
        """Say how many rows of each tier wait for later blocks, so that their share lasts."""
        sizes = [self._tiers.count(name) for name in self._names]
        share = self._pace.share if self._pace else 0.0
        # All blocks after the first tier's take the share from what all but the last hold back.
        most = self.count - sizes[-1] - share * sizes[0]
        part = share * (self.count - sizes[0]) / most if most > 0 else 0.0
        return [math.ceil(min(part, _MOST_HELD) * size) for size in sizes[:-1]]

    @staticmethod
    def _take(queues: list[list[int]], rows: Sequence[int]) -> None:
        gone = set(rows)
        for queue in queues:
            queue[:] = [row for row in queue if row not in gone]


class BlockSampler:
    """A sampler for a data loader: each row as often as it has completions, block by block.

    Args:
        pacing: Draws the blocks.
        generations: How often a row stands in its block.
        passes: How often a block comes.
    """

    def __init__(self, pacing: Pacing, generations: int, passes: int) -> None:
        self._pacing = pacing
        self._generations = generations
        self._passes = passes
        self._epoch = 0

    def __len__(self) -> int:
        rows = self._pacing.count // self._pacing.block * self._pacing.block
        return rows * self._generations * self._passes

    def __iter__(self) -> Iterator[int]:
        for block in self._pacing.blocks(self._epoch):
            for _ in range(self._passes):
                for row in block:
                    yield from [row] * self._generations

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch; data loaders call it.

        Args:
            epoch: The epoch, from 0.
        """
        self._epoch = epoch
