"""How far a grading run is; the only place that looks at a clock, and nothing depends on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from curricula.difficulty.journal import Entry

__all__ = ["Progress", "Told"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        done: Problems that are asked no more.
        problems: All problems.
        replies: Replies that were scored, in this run.
        tokens: Tokens of them.
        seconds: Seconds since this run began.
        left: Seconds that it will still take, or None before that can be said; at most so many
            where problems may be decided before they have all samples.
    """

    done: int
    problems: int
    replies: int
    tokens: int
    seconds: float
    left: float | None


class Told:
    """Tells how far a run is: after each completion, and at once what earlier runs have done.

    Args:
        problems: How many problems there are.
        samples: Replies to each, at most.
        progress: Who is told, or None.
    """

    def __init__(
        self, problems: int, samples: int, progress: Callable[[Progress], None] | None
    ) -> None:
        self.problems, self.samples, self.progress = problems, samples, progress
        self.began = time.monotonic()
        self.missing = problems * samples
        self.done = self.replies = self.tokens = 0

    def begin(self, missing: Iterable[int]) -> None:
        """Count what problems have before they are asked.

        Args:
            missing: For each, the replies that may still be asked for.
        """
        before = self.done
        for count in missing:
            self.missing -= self.samples - count
            self.done += count == 0
        if self.done > before:
            self._tell()

    def after(self, entry: Entry, before: int, missing: int) -> None:
        """Count what came, and tell.

        Args:
            entry: What came.
            before: Replies that might have been asked for before it came.
            missing: Those that may be asked for now; 0 where the problem is asked no more.
        """
        self.replies += len(entry.replies)
        self.tokens += entry.tokens
        self.missing -= before - missing
        self.done += missing == 0
        self._tell()

    def _tell(self) -> None:
        if self.progress is None:
            return
        seconds = time.monotonic() - self.began
        # From replies, since with a tolerance no problem may be done for a long time.
        left = seconds / self.replies * self.missing if self.replies else None
        self.progress(Progress(self.done, self.problems, self.replies, self.tokens, seconds, left))
