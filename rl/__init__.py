"""Turns completions into rewards, trains on them, evaluates.

:mod:`rl.rewards` scores; training and evaluation need the extra ``rl`` and load it when
they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl import rewards
    from rl.evaluation import evaluate
    from rl.training.stages import stage1, stage2
    from rl.training.supervised import warmup

__all__ = ["evaluate", "rewards", "stage1", "stage2", "warmup"]

_FUNCTIONS = {
    "evaluate": "rl.evaluation",
    "stage1": "rl.training.stages",
    "stage2": "rl.training.stages",
    "warmup": "rl.training.supervised",
}
"""The public functions, and the modules that they are in."""


def __getattr__(name: str) -> Any:
    if name == "rewards":
        return import_module("rl.rewards")
    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
