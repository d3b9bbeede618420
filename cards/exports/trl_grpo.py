"""Prompts for TRL's GRPOTrainer, with the columns that ``rl.rewards.white_box`` needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cards.exports.base import copy_splits, export_format

__all__ = ["write"]


@export_format("trl_grpo", needs=("stage1",))
def write(place: Path, out: Path) -> Iterator[Path]:
    """Write ``SPLIT.parquet`` with the columns of ``stage1``."""
    yield from copy_splits(place, "stage1", out)
