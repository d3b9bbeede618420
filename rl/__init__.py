"""Turns completions into rewards, trains on them, evaluates.

:mod:`rl.rewards` scores; training and evaluation need the extra ``rl`` and load it when
they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl import rewards
    from rl.evaluation import evaluate

__all__ = ["evaluate", "rewards"]

_FUNCTIONS = {"evaluate": "rl.evaluation"}
"""The public functions, and the modules that they are in."""


def __getattr__(name: str) -> Any:
    if name == "rewards":
        return import_module("rl.rewards")
    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
