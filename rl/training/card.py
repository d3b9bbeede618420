"""The card of a trained model: what it learned from, in which revision, and its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from rl.training.configs import RunConfig
from rl.training.outcome import Outcome, score_text

__all__ = ["card"]


def card(config: RunConfig, outcome: Outcome) -> str:
    """Write the card of a model.

    Args:
        config: How it was trained.
        outcome: What has come of it.

    Returns:
        The text of its README.md, which names the revisions of the data and the results.
    """
    from huggingface_hub import ModelCardData

    hub = [name for name, _ in outcome.data["names"] if name.count("/") == 1 and ":" not in name]
    is_local = Path(config.model).exists()
    head = ModelCardData(
        base_model=None if is_local else config.model,
        datasets=[name for name in hub if not Path(name).exists()] or None,
        library_name="transformers",
        pipeline_tag="text-generation",
        tags=["execverify", outcome.stage, "trl"],
    )
    counts = outcome.data["counts"]
    learned = "\n".join(
        f"- `{name}`, revision `{revision}`" + (f", {counts.get(name, 0):,} rows" if counts else "")
        for name, revision in outcome.data["names"]
    )
    told = {
        f.name: getattr(config, f.name)
        for f in fields(config)
        if f.name not in ("dataset", "out", "resume")
    }
    settings = "\n".join(f"| {name} | `{value}` |" for name, value in told.items())
    return f"""---
{head.to_yaml()}
---

# {Path(config.out).name}

`{config.model}` after {_STAGES[outcome.stage]} of ExecVerify, {outcome.steps} updates.

## What it learned from

{learned}

{outcome.data["rows"]:,} rows; left out: {_counted(outcome.data["left_out"])}.

## Results

{_results(outcome)}

## Settings

| setting | value |
|---|---|
{settings}
"""


_STAGES = {
    "warmup": "the supervised warm-up",
    "stage1": "stage I (white-box rewards)",
    "stage2": "stage II (unit tests)",
    "comparison": "the fine-tuning of the comparison of datasets",
}


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count:,}" for reason, count in sorted(counts.items())) or "none"


def _results(outcome: Outcome) -> str:
    lines = ["| measured | before | after |", "|---|---|---|"]
    for task in outcome.after:
        old, new = outcome.before.get(task), outcome.after[task]
        lines.append(f"| held-out {task} | {score_text(old)} | {score_text(new)} |")
    for name in ("loss", "reward", "io", "white", "format"):
        if name in outcome.last:
            lines.append(f"| {name}, last step | | {outcome.last[name]:.4f} |")
    return "\n".join(lines)
