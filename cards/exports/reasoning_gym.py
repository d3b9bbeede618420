"""Entries as reasoning-gym's datasets give them: ``question``, ``answer``, ``metadata``.

``metadata.row`` is what ``rl.rewards.score`` needs, so an answer in other words can be
scored; comparing with ``answer`` alone is stricter than that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cards.exports.base import export_format, reward_row, splits_of, write_jsonl
from curricula.narrator.answers import right_answer
from curricula.scoring.rows import read_row

__all__ = ["write"]


@export_format("reasoning_gym", needs=("stage1",))
def write(place: Path, out: Path) -> Iterator[Path]:
    """Write ``SPLIT.jsonl``."""
    for split, rows in splits_of(place, "stage1"):
        yield write_jsonl(
            out / f"{split}.jsonl", (_entry(index, row) for index, row in enumerate(rows))
        )


def _entry(index: int, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "question": row["prompt"][-1]["content"],
        "answer": right_answer(read_row(row)),
        "metadata": {
            "source_dataset": f"execverify_{row['task']}",
            "source_index": index,
            "id": row["id"],
            "difficulty": {"tier": row["tier"]},
            "row": json.loads(reward_row(row)),
        },
    }
