"""The order in which a trainer sees its problems: tier by tier, paced by measured reward.

An epoch has as many rows as there are, cut into blocks of as many prompts as are answered
before the weights change. It begins with the easiest tier, and goes on to the next one when
the mean reward over the last completions of the tier exceeds a threshold, or when the tier
is used up but for a part that is held back. A share of each block comes from earlier tiers,
as long as they have rows that did not come yet, and never more. So where no tier is learned
early, each row comes once; where one is, the last tier comes again, shuffled anew, in the
place of what is known already. Every block that was drawn is remembered, so that a run that
was killed sees the rest of the order that it would have seen.

It knows nothing of trainers: a trainer draws blocks ahead, and hands rewards in when it has
them; so a change of pace is seen a block or two later.
"""

from __future__ import annotations

import math
import random
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tracing.errors import ExecVerifyError, UsageError

__all__ = ["ORDER", "BlockSampler", "Pace", "Pacing"]

ORDER = ("trivial", "easy", "medium", "hard", "unsolved", "unrated")
"""The tiers as they come; what no one has rated comes last."""

_ALL = "all"
"""What stands for a tier where all rows are shuffled together."""
_MOST_HELD = 0.5
"""The largest part of a tier that is held back; before huge tiers, its share ends early."""


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
        self._sizes = Counter(self._tiers)
        self._epoch = -1
        self._drawn: list[list[int]] = []
        self._reached = 0
        self._recent = self._empty()
        # A block of earlier tiers alone would never come to an end.
        self._kept = min(round(pace.share * block), block - 1) if pace else 0
        self._held = self._held_back()

    @property
    def tier(self) -> str:
        """The tier that is learned now."""
        return self._names[self._reached] if self._pace else _ALL

    def blocks(self, epoch: int) -> Iterator[list[int]]:
        """Draw the blocks of an epoch; those that were drawn before come first.

        Args:
            epoch: The epoch, from 0.

        Yields:
            Numbers of rows; rows that fill no block are left out.
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
        if not all(0 <= row < self.count for row in rows):
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
        """Shuffle each tier, without the rows that were drawn in this epoch.

        The last tier stands there as often as it may be needed, shuffled anew each time.
        """
        drawn = [row for block in self._drawn for row in block]
        *earlier, last = self._names if self._pace else [_ALL]
        gone = set(drawn)
        queues = [[row for row in self._shuffled(name, 0) if row not in gone] for name in earlier]
        size = len(self._rows(last))
        rows = [
            row
            for time in range(math.ceil(self.count / size))
            for row in self._shuffled(last, time)
        ]
        return [*queues, rows[len([row for row in drawn if last in (_ALL, self._tiers[row])]) :]]

    def _rows(self, name: str) -> list[int]:
        return [row for row, tier in enumerate(self._tiers) if name in (tier, _ALL)]

    def _shuffled(self, name: str, time: int) -> list[int]:
        rows = self._rows(name)
        random.Random(self._key(f"tier {time}" if time else "tier", name)).shuffle(rows)
        return rows

    def _draw(self, queues: list[list[int]], rng: random.Random) -> list[int]:
        self._move_on(queues)
        earlier = [row for queue in queues[: self._reached] for row in queue]
        chosen = rng.sample(earlier, min(self._kept, len(earlier)))
        gone = set(chosen)
        for queue in queues[: self._reached]:
            queue[:] = [row for row in queue if row not in gone]
        # A tier that ends within a block gives way to the next one.
        while len(chosen) < self.block:
            fresh = self._fresh(queues)[: self.block - len(chosen)]
            del queues[self._reached][: len(fresh)]
            chosen += fresh
            if len(chosen) < self.block:
                self._move_on(queues)
        return chosen

    def _move_on(self, queues: list[list[int]]) -> None:
        while self._reached < len(queues) - 1 and (
            self._is_learned(queues) or not self._fresh(queues)
        ):
            self._reached += 1

    def _is_learned(self, queues: list[list[int]]) -> bool:
        name, pace = self._names[self._reached], self._pace
        recent = self._recent[name]
        # Rewards of the last epoch may still come in: they do not make a tier be passed over.
        is_new = len(queues[self._reached]) == self._sizes[name]
        if pace is None or is_new or len(recent) < pace.window:
            return False
        return sum(recent) / len(recent) > pace.threshold

    def _fresh(self, queues: list[list[int]]) -> list[int]:
        """Give what the tier has left, without what is held back for later blocks."""
        queue = queues[self._reached]
        if self._reached == len(queues) - 1:
            return queue
        # Never more than later blocks will take: else it would not come in this epoch.
        later = self._kept * (self.count // self.block - len(self._drawn) - 1)
        held = later - sum(map(len, queues[: self._reached]))
        return queue[: len(queue) - max(0, min(held, self._held[self._reached]))]

    def _held_back(self) -> list[int]:
        """Say how many rows of each tier wait for later blocks, so that their share lasts.

        What the blocks of a tier take from earlier ones is held back by all of these alike.
        """
        sizes = [self._sizes[name] for name in self._names]
        held = [0.0] * len(sizes)
        for later in range(len(sizes) - 1, 0, -1):
            held[later] = min(held[later], _MOST_HELD * sizes[later])
            taken = self._kept / (self.block - self._kept) * (sizes[later] - held[later])
            for tier in range(later):
                held[tier] += taken * sizes[tier] / sum(sizes[:later])
        return [
            min(math.ceil(most), int(_MOST_HELD * size))
            for most, size in zip(held, sizes, strict=True)
        ]


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
