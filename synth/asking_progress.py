"""Tells a person how far a model has been asked: a bar, or a line now and then in a log."""

from __future__ import annotations

import threading
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from curricula.difficulty.progress import Progress as Asked

__all__ = ["AskingProgress"]

LINE_SECONDS = 30.0
"""Between two lines where standard error is no terminal; also while no reply comes."""


class AskingProgress:
    """Shows the last that was told; a context manager.

    Args:
        console: Standard error.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.last: Asked | None = None
        self.over = threading.Event()
        self.lines = threading.Thread(target=self._lines, daemon=True)
        self.bar = Progress(
            TextColumn("graded"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[said]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        )
        self.task = self.bar.add_task("graded", total=None, said="")

    def __enter__(self) -> AskingProgress:
        if self.console.is_terminal:
            self.bar.start()
        else:
            self.lines.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.over.set()
        if self.console.is_terminal:
            self.bar.stop()
        else:
            self.lines.join()

    def update(self, far: Asked) -> None:
        """Take in how far it is.

        Args:
            far: What the run tells after each completion.
        """
        self.last = far
        if self.console.is_terminal:
            self.bar.update(self.task, total=far.problems, completed=far.done, said=_said(far))

    def _lines(self) -> None:
        while not self.over.wait(LINE_SECONDS):
            far = self.last
            line = (
                f"{far.done:,} of {far.problems:,} problems, {_said(far)}" if far else "0 replies"
            )
            self.console.print(f"  graded     {line}", markup=False, soft_wrap=True)


def _said(far: Asked) -> str:
    """Say how many replies came, how fast, and how long the others will take."""
    speed = far.tokens / far.seconds if far.seconds else 0.0
    left = "" if far.left is None else f", {_time(far.left)} left"
    return f"{far.replies:,} replies, {speed:,.0f} tokens/s{left}"


def _time(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
