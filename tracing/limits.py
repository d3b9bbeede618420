"""The limits of a traced run."""

from __future__ import annotations

from dataclasses import dataclass

from tracing.errors import ExecVerifyError

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one run may use.

    Attributes:
        seconds: CPU time of the run, in seconds.
        memory: Address space of the worker, in bytes.
        steps: Steps that are recorded; a longer run is unsupported, never cut.
        output: What the program may print, in bytes.

    Example:
        >>> Limits(seconds=1.0).steps
        5000
    """

    seconds: float = 2.0
    memory: int = 512 << 20
    steps: int = 5000
    output: int = 1 << 20

    def __post_init__(self) -> None:
        for name in ("seconds", "memory", "steps", "output"):
            if getattr(self, name) <= 0:
                raise ExecVerifyError(
                    f"the limit {name} must be positive, not {getattr(self, name)}"
                )
