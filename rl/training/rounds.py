"""Which tier a learner has come to that trains in rounds, each on problems made for it.

A stage learns from problems that are there before it begins. Where they are made without end
(``synth.stream``), training is a chain of short runs, and what each of them earned decides how
hard the next one's problems are. Within a run :mod:`rl.training.pacing` decides.
"""

from __future__ import annotations

import random
from statistics import fmean

from curricula.scoring import HIGHEST
from rl.training.outcome import Outcome
from rl.training.pacing import Pace
from rl.training.run import read_log
from tracing.errors import UsageError, shorten

__all__ = ["CLIMB", "Climb"]

CLIMB = ("easy", "medium", "hard")
"""The tiers in which problems can be made, as they come."""


class Climb:
    """The tier of the next problems, from what the rounds before have earned.

    The same seed and outcomes give the same tiers, so a loop that was killed and starts again
    finds its finished rounds as it left them.

    Args:
        first: The tier to begin with.
        pace: When the next tier begins, and how many batches stay with earlier ones.
        seed: Decides which batches do.

    Raises:
        UsageError: There is no such tier.

    Example:
        >>> climb = Climb("medium", pace=Pace(share=0.0))
        >>> climb.tier()
        'medium'
    """

    def __init__(self, first: str = CLIMB[0], *, pace: Pace | None = None, seed: int = 0) -> None:
        if first not in CLIMB:
            raise UsageError(
                f"there is no tier {shorten(repr(first))} to begin with; choose of "
                f"{', '.join(CLIMB)}"
            )
        self.reached = first
        self._pace = pace or Pace()
        self._rng = random.Random(f"climb\0{seed}")

    def tier(self) -> str:
        """Choose a tier; ``synth.stream`` asks before each batch.

        Returns:
            The tier that is learned, or, as often as the pace's share says, an earlier one.
        """
        earlier = CLIMB[: CLIMB.index(self.reached)]
        if earlier and self._rng.random() < self._pace.share:
            return self._rng.choice(earlier)
        return self.reached

    def after(self, outcome: Outcome) -> None:
        """Go on to the next tier where a round has learned this one.

        Args:
            outcome: What :func:`rl.stage1` gave. The mean reward that its log has for the tier,
                over the second half of its steps, must exceed the pace's threshold.
        """
        name = f"reward_{self.reached}"
        earned = [
            entry[name] / HIGHEST for entry in read_log(outcome.model.parent) if name in entry
        ]
        later = CLIMB[CLIMB.index(self.reached) + 1 :]
        if earned and later and fmean(earned[len(earned) // 2 :]) > self._pace.threshold:
            self.reached = later[0]
