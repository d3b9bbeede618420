"""Turns completions into rewards, trains on them, evaluates.

:mod:`rl.rewards` scores; training and evaluation need the extra ``rl`` and load it when
they are used.
"""

from rl import rewards

__all__ = ["rewards"]
