"""Both stages of reinforcement learning: GRPO by TRL, with our rows, order and rewards.

TRL makes the completions and the updates (:mod:`rl.training.paced`); here is what goes in.

Source: ExecVerify, sections 3.3 and 3.4; TRL's GRPOTrainer.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rl import rewards
from rl.training.carrying_out import carry_out
from rl.training.configs import StageConfig, StageOneConfig, StageTwoConfig
from rl.training.finish import check_held_out
from rl.training.mixing import code_rows, some_of, white_box_rows
from rl.training.models import arguments, devices, fits, load_tokenizer, lora_of
from rl.training.needs import check_needs
from rl.training.outcome import Data, Outcome
from rl.training.paced import paced_trainer
from rl.training.pacing import Pace, Pacing
from rl.training.public import public_rows
from rl.training.run import Run
from rl.training.source import open_source
from tracing.errors import ExecVerifyError, UsageError

__all__ = ["stage1", "stage2"]

Reward = Callable[..., Sequence[float | None]]
"""A reward as TRL calls it."""


def stage1(config: StageOneConfig, *, reward: Reward | None = None) -> Outcome:
    """Train by white-box rewards: outputs with questions about the run, and inputs.

    The same call goes on from the last whole checkpoint.

    Args:
        config: What to train on what, and how.
        reward: Called instead of :func:`rl.rewards.white_box`, as a control.

    Returns:
        Where the final model is, and what was measured.

    Raises:
        MissingExtraError: The extra ``rl`` is not installed.
        UsageError: The config does not fit the data, or its folder is another run's.
        ExecVerifyError: Data or model cannot be read.
    """

    def white_box(prompts: Any, completions: Any, **columns: Any) -> Sequence[float | None]:
        columns |= {"alpha": config.alpha, "gate": config.gate}
        return rewards.white_box(prompts, completions, **columns)

    source = open_source(config.dataset, config.revision)
    args = _arguments(config)
    rows = white_box_rows(source, config)
    names = ((source.name, source.revision),)
    return _train(config, "stage1", args, rows, names, Counter(), reward or white_box)


def stage2(config: StageTwoConfig, *, reward: Reward | None = None) -> Outcome:
    """Train by unit tests: programs that must pass all of them.

    The same call goes on from the last whole checkpoint.

    Args:
        config: What to train on what, and how.
        reward: Called instead of :func:`rl.rewards.unit_tests`, as a control.

    Returns:
        Where the final model is, and what was measured.

    Raises:
        MissingExtraError: The extra ``rl`` is not installed.
        UsageError: The config does not fit the data, or its folder is another run's.
        ExecVerifyError: Data or model cannot be read.
        SandboxLevelError: This system cannot confine programs as is required.
    """
    if not config.dataset and not config.public:
        raise UsageError("stage2 has neither a dataset nor a public set to learn from")
    args = _arguments(config)
    names: list[tuple[str, str]] = []
    rows: list[dict[str, Any]] = []
    refused: Counter[str] = Counter()
    if config.dataset:
        source = open_source(config.dataset, config.revision)
        rows += ({**row, "origin": source.name} for row in code_rows(source))
        names.append((source.name, source.revision))
    for told in config.public:
        public = public_rows(told, most_tests=config.most_tests)
        rows += ({**row, "origin": told} for row in public.rows)
        refused += public.refused
        names.append((told, public.revision))
    rows = some_of(rows, config.problems, config.seed)
    return _train(config, "stage2", args, rows, names, refused, reward or rewards.unit_tests)


def _train(
    config: StageConfig,
    stage: str,
    args: Any,
    rows: Sequence[Mapping[str, Any]],
    names: Iterable[tuple[str, str]],
    refused: Mapping[str, int],
    reward: Reward,
) -> Outcome:
    """Train a stage on its rows; nothing is written before all that can be checked is."""
    tokenizer = load_tokenizer(config.model)
    kept = [row for row in rows if fits(tokenizer, row, config.prompt_length)]
    left_out = Counter(refused)
    left_out["prompt too long"] += len(rows) - len(kept)
    counts = Counter(str(row["origin"]) for row in kept if "origin" in row)
    data = Data(tuple(names), len(kept), dict(+left_out), dict(counts))
    if not kept:
        raise ExecVerifyError(f"no problem is left to learn from: {dict(+left_out)}")
    pacing = _pacing(config, kept)
    adapter = lora_of(config)

    def trainer_of(run: Run) -> Any:
        return paced_trainer()(
            pacing=pacing,
            folder=run.folder,
            keeps_programs=getattr(config, "keep_programs", False),
            model=config.model,
            processing_class=tokenizer,
            reward_funcs=reward,
            train_dataset=_dataset(kept),
            args=args,
            peft_config=adapter,
        )

    return carry_out(config, stage, data, tokenizer, trainer_of, pacing)


def _pacing(config: StageConfig, rows: Sequence[Mapping[str, Any]]) -> Pacing:
    pace = Pace(config.threshold, config.share, config.window)
    tiers = [str(row.get("tier") or "") for row in rows]
    return Pacing(tiers, config.batch, config.seed, pace if config.curriculum == "paced" else None)


def _arguments(config: StageConfig) -> Any:
    """Make TRL's config, before anything that takes long."""
    check_needs(config)
    check_held_out(config)
    import trl

    shared = devices(config.mini_batch * config.generations, config.device_batch)
    passes = shared["gradient_accumulation_steps"] * config.batch // config.mini_batch
    return _in_whole_batches(
        config,
        arguments(
            trl.GRPOConfig,
            config,
            **shared,
            steps_per_generation=passes,
            num_generations=config.generations,
            max_completion_length=config.completion_length,
            beta=config.kl,
            temperature=config.temperature,
            use_vllm=config.use_vllm,
            vllm_mode=config.vllm_mode,
            shuffle_dataset=False,
            remove_unused_columns=False,
        ),
    )


def _in_whole_batches(config: StageConfig, args: Any) -> Any:
    """Check what options have made of a batch, and save between batches alone.

    A checkpoint in the middle of a batch would lose the rest of its completions, and the order
    of problems is drawn in blocks of a batch.
    """
    made = (args.generation_batch_size, args.num_generations)
    if made != (config.batch * config.generations, config.generations):
        raise UsageError(
            f"the options make batches of {made[0]} completions, {made[1]} to a prompt, but the "
            f"order of problems is built on batch {config.batch} and generations "
            f"{config.generations}; set those, mini_batch and device_batch instead of options"
        )
    passes = args.steps_per_generation * args.num_iterations
    updates, rest = divmod(passes, args.gradient_accumulation_steps)
    if rest:
        raise UsageError(
            f"a batch passes {passes} times, which is no whole number of updates of "
            f"{args.gradient_accumulation_steps} passes; set batch, mini_batch and device_batch "
            "instead of options.gradient_accumulation_steps"
        )
    if args.save_steps < 1:
        raise UsageError("options.save_steps is a whole number here; or set save_steps")
    args.save_steps = math.ceil(args.save_steps / updates) * updates
    return args


def _dataset(rows: Sequence[Mapping[str, Any]]) -> Any:
    from datasets import Dataset

    return Dataset.from_list([_row(row) for row in rows])


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Write a row for the trainer: what the reward needs goes as one text, whatever it is."""
    needed = {name: value for name, value in row.items() if name != "prompt"}
    return {
        "prompt": row["prompt"],
        "tier": str(row.get("tier") or ""),
        "task": row["task"],
        "row": json.dumps(needed),
    }
