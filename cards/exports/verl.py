"""Rows for verl: ``data_source``, ``prompt``, ``ability``, ``reward_model``, ``extra_info``.

``reward_model.ground_truth`` is the row as JSON text, which
``rl.adapters.verl.compute_score`` reads (``custom_reward_function.path``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from cards.exports.base import export_format, reward_row, splits_of, write_parquet
from curricula.views.stage1 import MESSAGES

__all__ = ["SCHEMA", "write"]

SCHEMA = pa.schema(
    [
        ("data_source", pa.string()),
        ("prompt", MESSAGES),
        ("ability", pa.string()),
        ("reward_model", pa.struct([("style", pa.string()), ("ground_truth", pa.string())])),
        (
            "extra_info",
            pa.struct(
                [
                    ("split", pa.string()),
                    ("index", pa.int64()),
                    ("id", pa.string()),
                    ("task", pa.string()),
                    ("tier", pa.string()),
                ]
            ),
        ),
    ]
)
"""The columns that verl's ``RLHFDataset`` reads."""


@export_format("verl", needs=("stage1", "stage2"))
def write(place: Path, out: Path) -> Iterator[Path]:
    """Write ``stage1_SPLIT.parquet`` and ``stage2_SPLIT.parquet``."""
    for config in ("stage1", "stage2"):
        for split, rows in splits_of(place, config):
            path = out / f"{config}_{split}.parquet"
            yield write_parquet(path, _rows(split, rows), SCHEMA)


def _rows(split: str, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for index, row in enumerate(rows):
        yield {
            "data_source": f"execverify/{row['task']}",
            "prompt": row["prompt"],
            "ability": "code" if row["task"] == "code" else "execution",
            "reward_model": {"style": "rule", "ground_truth": reward_row(row)},
            "extra_info": {
                "split": split,
                "index": index,
                **{name: row[name] for name in ("id", "task", "tier")},
            },
        }
