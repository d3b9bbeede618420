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
        left: Seconds that it will still take, or None before that can be said.
    """

    done: int
    problems: int
    replies: int
    tokens: int
    seconds: float
    left: float | None


class Told:
    """Tells how far a run is.

    Args:
        problems: How many problems there are.
        finished: Ids of those that need not be asked.
        progress: Who is told, or None.
    """

    def __init__(
        self,
        problems: int,
        finished: Iterable[str],
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.problems, self.progress = problems, progress
        self.begun = time.monotonic()
        self.done = set(finished)
        self.before = len(self.done)
        self.replies = self.tokens = 0

    def after(self, problem: str, entry: Entry, *, done: bool) -> None:
        """Count what came, and tell.

        Args:
            problem: The problem's id.
            entry: What came.
            done: Whether the problem is asked no more.
        """
        self.replies += len(entry.replies)
        self.tokens += entry.tokens
        if done:
            self.done.add(problem)
        if self.progress is None:
            return
        count, seconds = len(self.done), time.monotonic() - self.begun
        fresh = count - self.before
        left = seconds / fresh * (self.problems - count) if fresh else None
        self.progress(Progress(count, self.problems, self.replies, self.tokens, seconds, left))
