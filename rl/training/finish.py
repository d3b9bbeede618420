"""How a run ends: the model as a folder that anything loads, and what was measured."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from rl.training.card import card
from rl.training.configs import RunConfig
from rl.training.curves import draw_curves
from rl.training.needs import is_sharded
from rl.training.outcome import Data, Outcome, Scores
from rl.training.run import Run, RunError, read_log, world_size
from tracing.errors import UsageError, shorten

__all__ = ["check_held_out", "finish", "finished", "first_scores", "held_out"]


def check_held_out(config: RunConfig) -> None:
    """Make sure that held-out problems can be asked, where they shall be.

    Args:
        config: How many problems of which dataset.

    Raises:
        UsageError: It cannot be done with several processes, or for a dataset in memory.
    """
    if not config.heldout:
        return
    has_name = isinstance(config.dataset, (str, Path)) and bool(config.dataset)
    if world_size() > 1 or is_sharded(config) or not has_name:
        raise UsageError(
            "heldout problems are asked with one process, without DeepSpeed or FSDP, and a "
            "dataset that has a name; set heldout to 0 and run synth evaluate on the final model"
        )


def first_scores(config: RunConfig, run: Run) -> Scores:
    """Ask the first model held-out problems; a run that goes on has its answers.

    Args:
        config: How many problems of which dataset.
        run: The open run.

    Returns:
        What :func:`held_out` gives.

    Raises:
        ExecVerifyError: The evaluation failed, or its result is damaged.
    """
    if not config.heldout:
        return {}
    if (known := run.before()) is not None:
        return known
    scores = held_out(config, config.model)
    run.keep_before(scores)
    return scores


def held_out(config: RunConfig, model: str) -> Scores:
    """Ask a model held-out problems, greedily.

    Args:
        config: How many problems of which dataset.
        model: The model's folder or name.

    Returns:
        Rate, low and high end of its interval, the number of items and that of their
        families, by task.

    Raises:
        ExecVerifyError: The evaluation failed.
    """
    if not config.heldout:
        return {}
    from rl.evaluation import evaluate

    report = evaluate(
        model,
        "heldout",
        data=_data_of(config),
        limit=config.heldout,
        max_tokens=config.heldout_tokens,
        device="cpu" if config.cpu else None,
    )
    return {
        score.task: {
            "rate": score.rate,
            "low": score.low,
            "high": score.high,
            "n": score.units,
            "families": score.groups,
        }
        for score in report.scores
        if score.rule == "ours" and score.k == 1
    }


def _data_of(config: RunConfig) -> str:
    """Name what the run learns from, in the very revision: a card names that one."""
    data = str(config.dataset)
    is_on_hub = config.revision is not None and not Path(data).expanduser().exists()
    return f"{data}@{config.revision}" if is_on_hub else data


def finish(
    config: RunConfig,
    stage: str,
    run: Run,
    data: Data,
    trainer: Any,
    tokenizer: Any,
    steps: int,
    before: Scores,
) -> Outcome:
    """Save the final model with its card and results, whole.

    Args:
        config: The config.
        stage: The stage.
        run: The run.
        data: What was learned from.
        trainer: The trainer, which has trained.
        tokenizer: The model's tokenizer.
        steps: Updates.
        before: Held-out scores of the first model.

    Returns:
        The outcome.

    Raises:
        ExecVerifyError: The evaluation of the final model failed.
    """
    is_first = trainer.accelerator.is_main_process
    staged = run.folder / ".model"
    _save(config, trainer, tokenizer, staged)
    after = held_out(config, str(staged))
    outcome = Outcome(run.final, stage, steps, data.as_dict(), _last(run), before, after)
    if is_first:
        (staged / "results.json").write_text(
            json.dumps(outcome.as_dict(), indent=2, default=str) + "\n", encoding="utf-8"
        )
        (staged / "README.md").write_text(card(config, outcome), encoding="utf-8")
        draw_curves(run.folder)
        # TRL's own card of the run knows neither data nor results.
        (run.folder / "README.md").unlink(missing_ok=True)
        run.put(staged)
    trainer.accelerator.wait_for_everyone()
    return outcome


def finished(run: Run) -> Outcome:
    """Read the outcome of a run that has ended.

    Args:
        run: The run.

    Returns:
        The outcome.

    Raises:
        RunError: Its results are damaged.
    """
    file = run.final / "results.json"
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        named = {field.name: plain[field.name] for field in fields(Outcome)}
        return Outcome(**{**named, "model": run.final})
    except (OSError, ValueError, KeyError, TypeError):
        raise RunError(
            f"{shorten(str(file), 120)} is damaged; set resume to false to begin anew"
        ) from None


def _save(config: RunConfig, trainer: Any, tokenizer: Any, place: Path) -> None:
    """Save the model as one that transformers loads, adapters merged into it."""
    import torch

    if trainer.is_deepspeed_enabled or trainer.is_fsdp_enabled:
        trainer.save_model(str(place))  # gathers what the processes hold; all of them must come
    elif trainer.accelerator.is_main_process:
        model = trainer.accelerator.unwrap_model(trainer.model)
        plain = model.merge_and_unload() if config.lora else model
        if config.precision == "bfloat16":
            plain = plain.to(torch.bfloat16)
        plain.save_pretrained(place)
    if trainer.accelerator.is_main_process:
        tokenizer.save_pretrained(place)


def _last(run: Run) -> dict[str, float]:
    logged = [entry for entry in read_log(run.folder) if "loss" in entry]
    last = logged[-1] if logged else {}
    return {name: value for name, value in last.items() if isinstance(value, (int, float))}
