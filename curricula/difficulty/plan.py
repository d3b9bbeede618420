"""How problems are graded: how many replies, how they are drawn, what is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from curricula import prompts
from curricula.difficulty.engines import Sampling, check_samples
from curricula.difficulty.shots import SHOTS
from curricula.difficulty.tiers import Thresholds
from curricula.questions.base import kind_of
from tracing.errors import UsageError

__all__ = ["INPUT", "Plan", "shots_in"]

INPUT = "input"
"""The kind that asks for arguments."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How problems are graded.

    Attributes:
        samples: Replies to each problem, at most.
        sampling: How they are drawn.
        kinds: Kinds of the questions to ask beside the output; ``("input",)`` asks for
            arguments that give the output, and for nothing else.
        shots: Worked examples before the prompt, for models that do not follow the format
            when it is only described; with the output alone.
        tolerance: None to take all samples; else the chance of another tier at which a problem
            is asked no more, looked at after every four replies.
        thresholds: Where the tiers end, for stopping early.
    """

    samples: int = 10
    sampling: Sampling = field(default_factory=Sampling)
    kinds: tuple[str, ...] = ()
    shots: int = 0
    tolerance: float | None = None
    thresholds: Thresholds | None = None

    def __post_init__(self) -> None:
        check_samples(self.samples, self.sampling.temperature)
        if self.tolerance is not None and not 0 <= self.tolerance < 1:
            raise UsageError(f"a tolerance lies from 0 to below 1, not at {self.tolerance}")
        if self.shots and (self.kinds or not 0 < self.shots <= len(SHOTS)):
            raise UsageError(
                f"there are {len(SHOTS)} worked examples, of the output alone; {self.shots} with "
                f"{', '.join(self.kinds) or 'the output'} cannot be shown"
            )
        if self.kinds != (INPUT,):
            for kind in self.kinds:
                kind_of(kind)

    @property
    def wording(self) -> str:
        """Name the wording of the prompts: its version, and the examples before it."""
        if self.shots:
            return f"{prompts.VERSION}, {self.shots} examples"
        return prompts.VERSION


def shots_in(wording: str) -> int:
    """Read from :attr:`Plan.wording` how many worked examples stood before a prompt.

    Example:
        >>> shots_in(Plan(shots=2).wording), shots_in(Plan().wording)
        (2, 0)
    """
    found = re.search(r", (\d+) examples$", wording)
    return int(found[1]) if found else 0
