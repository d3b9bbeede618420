"""Conversations for LLaMA-Factory: sharegpt form, with the ``dataset_info.json`` that names it.

Give the folder as ``dataset_dir`` and ``execverify_train`` as ``dataset``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cards.exports.base import export_format, splits_of, write_jsonl
from cards.files import write_json

__all__ = ["write"]

_ROLES = {"user": "human", "assistant": "gpt", "system": "system"}


@export_format("llama_factory", needs=("sft",))
def write(place: Path, out: Path) -> Iterator[Path]:
    """Write ``SPLIT.jsonl`` and ``dataset_info.json``."""
    described = {}
    for split, rows in splits_of(place, "sft"):
        yield write_jsonl(out / f"{split}.jsonl", _rows(rows))
        described[f"execverify_{split}"] = {
            "file_name": f"{split}.jsonl",
            "formatting": "sharegpt",
            # No tags: what is not named among them would have none.
            "columns": {"messages": "conversations"},
        }
    write_json(out / "dataset_info.json", described)
    yield out / "dataset_info.json"


def _rows(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        said = [{"from": _ROLES[m["role"]], "value": m["content"]} for m in row["messages"]]
        yield {"conversations": said}
