"""Says now and then how far some work is, where there is no terminal: a job's log."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType

from rich.console import Console

__all__ = ["LINE_SECONDS", "LogLines", "lasting"]

LINE_SECONDS = 30.0
"""Between two lines; they come also while nothing else does, so that a log shows life."""


class LogLines:
    """Prints a line every :data:`LINE_SECONDS`; a context manager.

    Args:
        console: Standard error.
        line: Says how far the work is; it is called in another thread.
    """

    def __init__(self, console: Console, line: Callable[[], str]) -> None:
        self.console = console
        self.line = line
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._print, daemon=True)

    def __enter__(self) -> LogLines:
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.over.set()
        self.thread.join()

    def _print(self) -> None:
        while not self.over.wait(LINE_SECONDS):
            self.console.print(self.line(), markup=False, highlight=False, soft_wrap=True)


def lasting(seconds: float) -> str:
    """Say how long something lasts, as exactly as a person cares.

    Args:
        seconds: The time.

    Returns:
        Seconds, minutes, or hours with minutes.

    Example:
        >>> lasting(42.3), lasting(90), lasting(7500)
        ('42 s', '2 min', '2 h 5 min')
    """
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
