"""Prompts and conversations for OpenRLHF, with a reward function in its form.

Training reads ``prompts_train.jsonl`` (``--data.input_key prompt --data.label_key label
--data.apply_chat_template``) and ``reward.py``; the first stage reads ``sft_train.jsonl``
(``--data.input_key messages``, the whole conversation).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cards.exports.base import export_format, reward_row, splits_of, write_jsonl

__all__ = ["write"]

_REWARD = '''"""The reward of execverify, as OpenRLHF calls it (--remote_rm_url reward.py)."""

import json

import torch
from rl.rewards import score_many


def reward_func(queries, prompts, labels, **kwargs):
    """Score completions; a label is the row as JSON text."""
    completions = [
        query[len(prompt) :] if query.startswith(prompt) else query
        for query, prompt in zip(queries, prompts, strict=True)
    ]
    rewards = score_many(completions, [json.loads(label) for label in labels])
    # OpenRLHF knows no missing reward: where the machine failed it is 0, and counted.
    scores = torch.tensor([reward.total or 0.0 for reward in rewards])
    right = torch.tensor([reward.io for reward in rewards])
    failed = torch.tensor([float(reward.total is None) for reward in rewards])
    return {
        "rewards": scores,
        "scores": scores / 2,
        "extra_logs": {"io": right, "machine_failed": failed},
    }
'''


@export_format("openrlhf", needs=("stage1", "sft"))
def write(place: Path, out: Path) -> Iterator[Path]:
    """Write ``prompts_SPLIT.jsonl``, ``sft_SPLIT.jsonl`` and ``reward.py``."""
    for split, rows in splits_of(place, "stage1"):
        prompts = (
            {
                "prompt": row["prompt"],
                "label": reward_row(row),
                "datasource": f"execverify/{row['task']}",
            }
            for row in rows
        )
        yield write_jsonl(out / f"prompts_{split}.jsonl", prompts)
    for split, rows in splits_of(place, "sft"):
        conversations = ({"messages": row["messages"]} for row in rows)
        yield write_jsonl(out / f"sft_{split}.jsonl", conversations)
    (out / "reward.py").write_text(_REWARD, encoding="utf-8")
    yield out / "reward.py"
