"""Tells a person how a build goes: rate, time left, what was refused and why."""

from __future__ import annotations

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
from synth.spec import Spec

if TYPE_CHECKING:
    from synth.report import BuildReport

__all__ = ["BuildProgress"]


class BuildProgress:
    """A progress bar on standard error; silent lines where it is no terminal."""

    def __init__(self, spec: Spec, console: Console) -> None:
        self.spec = spec
        self.console = console
        self.is_begun = False
        self.made = 0
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
        self.task = self.bar.add_task("problems", total=spec.size, rate="")

    def __enter__(self) -> BuildProgress:
        return self

    def begin(self, first: str = "") -> None:
        """Say what is done, and show the bar.

        Args:
            first: What there is to say of it, where it is not a usual build.
        """
        self.is_begun = True
        what = "problems" if self.spec.tier == "all" else f"{self.spec.tier} problems"
        usual = f"Building {self.spec.size:,} {what}, seed {self.spec.seed}"
        self.console.print(first or usual, markup=False)
        self.bar.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.bar.live.is_started:
            self.bar.stop()

    def update(self, report: ShardReport) -> None:
        """Take in one more shard.

        Args:
            report: What became of it.
        """
        self.made += report.problems
        speed = self.bar.tasks[0].speed
        self.bar.update(
            self.task,
            completed=min(self.made, self.spec.size),
            rate=f"{speed:.0f}/s" if speed else "",
        )

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
