"""The problems as JSON lines, one file for each split."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cards.exports.base import export_format, splits_of, write_jsonl
from cards.layout import DEFAULT

__all__ = ["write"]


@export_format("jsonl", needs=())
def write(place: Path, out: Path) -> Iterator[Path]:
    """Write ``SPLIT.jsonl`` with the columns of ``problems``."""
    for split, rows in splits_of(place, DEFAULT):
        yield write_jsonl(out / f"{split}.jsonl", rows)
