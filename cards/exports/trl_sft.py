"""Conversations for TRL's SFTTrainer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cards.exports.base import copy_splits, export_format

__all__ = ["write"]


@export_format("trl_sft", needs=("sft",))
def write(place: Path, out: Path) -> Iterator[Path]:
    """Write ``SPLIT.parquet`` with the columns of ``sft``; ``messages`` is what TRL reads."""
    yield from copy_splits(place, "sft", out)
