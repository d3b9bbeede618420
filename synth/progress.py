"""Tells a person how a build goes: rate, time left, what was refused and why."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from synth.executors.base import ShardReport
from synth.log_lines import LogLines, lasting

if TYPE_CHECKING:
    from synth.report import BuildReport

__all__ = ["BuildProgress"]


_REASONS = 3
"""Reasons of refusal that a line names."""


class BuildProgress:
    """A progress bar on standard error; a line now and then where that is no terminal.

    Args:
        console: Standard error.
        total: Problems that are to be made.
        usual: What is said at the beginning, unless there is something else to say.
    """

    def __init__(self, console: Console, total: int, usual: str) -> None:
        self.console = console
        self.total = total
        self.usual = usual
        self.is_begun = False
        self.start = 0.0
        self.there = 0
        self.made = 0
        self.refused: Counter[str] = Counter()
        self.shown = ExitStack()
        self.bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self.task = self.bar.add_task("problems", total=total, rate="")

    def __enter__(self) -> BuildProgress:
        return self

    def begin(self, first: str = "") -> None:
        """Say what is done, and show how far it is from then on.

        Args:
            first: What there is to say of it, where it is not a usual build.
        """
        self.is_begun = True
        self.start = time.monotonic()
        self.console.print(first or self.usual, markup=False)
        if self.console.is_terminal:
            self.shown.enter_context(self.bar)
        else:
            self.shown.enter_context(LogLines(self.console, self._line))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.shown.close()

    def found(self, problems: int) -> None:
        """Take in what an earlier try had made, which tells nothing of the rate.

        Args:
            problems: How many.
        """
        self.there += problems
        self.bar.update(self.task, completed=self._done())

    def update(self, report: ShardReport) -> None:
        """Take in one more shard.

        Args:
            report: What became of it.
        """
        self.made += report.problems
        counts = {why: n for why, n in report.counts.items() if why not in ("tried", "kept")}
        self.refused = self.refused + Counter(counts)  # anew: another thread reads it
        rate = self._rate()
        self.bar.update(self.task, completed=self._done(), rate=f"{rate:,.1f}/s" if rate else "")

    def _done(self) -> int:
        # The last shard makes more than are needed, and the total is of those that are.
        return min(self.there + self.made, self.total)

    def _rate(self) -> float:
        seconds = time.monotonic() - self.start
        return self.made / seconds if seconds else 0.0

    def _line(self) -> str:
        """Say in a line how far the build is."""
        done, rate = self._done(), self._rate()
        line = f"  building   {done:,} of {self.total:,} problems"
        if done < self.total and rate:
            line += f", {rate:,.1f}/s, {lasting((self.total - done) / rate)} left"
        reasons = [f"{why} {n:,}" for why, n in self.refused.most_common(_REASONS) if n]
        return line + (f"; refused: {', '.join(reasons)}" if reasons else "")

    def summary(self, report: BuildReport, out: Path | str) -> None:
        """Print the funnel and what was written.

        Args:
            report: The whole build's report.
            out: The folder.
        """
        say = self.console.print
        refused = ", ".join(f"{reason} {number:,}" for reason, number in report.refused if number)
        tried, kept = report.programs_tried, report.programs_kept
        say(
            f"  programs   {kept:,} kept of {tried:,}"
            + (f" ({escape(refused)})" if refused else "")
        )
        say(f"  problems   {report.problems:,}   two tracers agree on {report.problems:,}")
        say(f"  tiers      {escape(report.tiers_line())}")
        files = f"{report.files} files, {report.bytes / 1e6:.1f} MB, sha256 in manifest.json"
        if self.is_begun:
            seconds = f"  in {report.seconds:.0f} s" if report.seconds else ""
            say(f"Wrote {escape(str(out))}/  ({files}){seconds}")
        else:
            say(f"{escape(str(out))}/ is there already  ({files})")
