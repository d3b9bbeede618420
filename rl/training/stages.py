"""Both stages of reinforcement learning: GRPO by TRL, with our rows, order and rewards.

TRL makes the completions and the updates. What is ours is the sampler, which TRL's trainer
asks for in one method, and the rewards, which it gathers in another; both are extended here,
and nowhere else.

Source: ExecVerify, sections 3.3 and 3.4; TRL's GRPOTrainer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from curricula.difficulty.engines.base import require
from curricula.scoring import HIGHEST
from rl import rewards
from rl.training.callbacks import watch
from rl.training.configs import StageConfig, StageOneConfig, StageTwoConfig
from rl.training.finish import finish, finished, held_out
from rl.training.mixing import code_rows, some_of, white_box_rows
from rl.training.models import arguments, devices, fits, load_tokenizer, lora_of, seeded
from rl.training.outcome import Data, Outcome
from rl.training.pacing import BlockSampler, Pace, Pacing
from rl.training.public import public_rows
from rl.training.run import PROGRAMS, Run, append, open_run
from rl.training.source import open_source
from tracing.errors import ExecVerifyError, UsageError

__all__ = ["stage1", "stage2"]

_SAMPLES = 2
"""Completions of each batch that are kept as a table."""

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
    rows = white_box_rows(source, config)
    names = ((source.name, source.revision),)
    return _train(config, "stage1", rows, names, Counter(), reward or white_box)


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
    return _train(config, "stage2", rows, names, refused, reward or rewards.unit_tests)


def _train(
    config: StageConfig,
    stage: str,
    rows: Sequence[Mapping[str, Any]],
    names: Iterable[tuple[str, str]],
    refused: Mapping[str, int],
    reward: Reward,
) -> Outcome:
    """Train a stage on its rows."""
    tokenizer = load_tokenizer(config.model)
    kept = [row for row in rows if fits(tokenizer, row, config.prompt_length)]
    left_out = Counter(refused)
    left_out["prompt too long"] += len(rows) - len(kept)
    counts = Counter(str(row["origin"]) for row in kept if "origin" in row)
    data = Data(tuple(names), len(kept), dict(+left_out), dict(counts))
    if not kept:
        raise ExecVerifyError(f"no problem is left to learn from: {dict(+left_out)}")
    run = open_run(config, stage, data.as_dict())
    if run.is_finished:
        return finished(run)
    before = held_out(config, config.model)
    pacing = _pacing(config, kept, run)
    trainer = _trainer(config, kept, pacing, tokenizer, run, reward)
    seen = trainer.train(resume_from_checkpoint=str(run.checkpoint) if run.checkpoint else None)
    return finish(config, stage, run, data, trainer, tokenizer, seen.global_step, before)


def _pacing(config: StageConfig, rows: Sequence[Mapping[str, Any]], run: Run) -> Pacing:
    pace = Pace(config.threshold, config.share, config.window)
    tiers = [str(row.get("tier") or "") for row in rows]
    pacing = Pacing(
        tiers, config.batch, config.seed, pace if config.curriculum == "paced" else None
    )
    if run.pacing is not None:
        pacing.restore(run.pacing)
    return pacing


def _trainer(
    config: StageConfig,
    rows: Sequence[Mapping[str, Any]],
    pacing: Pacing,
    tokenizer: Any,
    run: Run,
    reward: Reward,
) -> Any:
    if config.use_vllm and config.vllm_mode == "colocate":
        require("vllm", "vllm", "set use_vllm to false")
    import trl
    from datasets import Dataset

    shared = devices(config.mini_batch * config.generations, config.device_batch)
    passes = shared["gradient_accumulation_steps"] * config.batch // config.mini_batch
    args = arguments(
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
        # A checkpoint in the middle of a batch would lose the rest of its completions.
        save_steps=-(-config.save_steps * config.mini_batch // config.batch)
        * (config.batch // config.mini_batch),
    )
    seeded(config)
    trainer = _paced(trl.GRPOTrainer)(
        pacing=pacing,
        folder=run.folder,
        keeps_programs=getattr(config, "keep_programs", False),
        model=config.model,
        processing_class=tokenizer,
        reward_funcs=reward,
        train_dataset=Dataset.from_list([_row(row) for row in rows]),
        args=args,
        peft_config=lora_of(config),
    )
    watch(trainer, run.folder, pacing)
    return trainer


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Write a row for the trainer: what the reward needs goes as one text, whatever it is."""
    needed = {name: value for name, value in row.items() if name != "prompt"}
    return {
        "prompt": row["prompt"],
        "tier": str(row.get("tier") or ""),
        "task": row["task"],
        "row": json.dumps(needed),
    }


def _paced(trainer: Any) -> Any:
    """Extend TRL's trainer by our order; what is overridden here is its and may change."""
    for name in ("_get_train_sampler", "_calculate_rewards"):
        if not hasattr(trainer, name):
            raise ExecVerifyError(
                f"this version of TRL has no {name}, without which the order of problems cannot "
                "be kept; install trl 1.16"
            )

    class PacedTrainer(trainer):  # type: ignore[misc]
        """GRPO whose problems come as :class:`Pacing` says, and which tells it the rewards."""

        def __init__(
            self, *args: Any, pacing: Pacing, folder: Path, keeps_programs: bool, **named: Any
        ) -> None:
            self._pacing = pacing
            self._folder = folder
            self._keeps_programs = keeps_programs
            super().__init__(*args, **named)

        def _get_train_sampler(self, dataset: Any = None) -> BlockSampler:
            passes = self.num_iterations * self.args.steps_per_generation
            return BlockSampler(self._pacing, self.num_generations, passes)

        def _calculate_rewards(
            self, inputs: Any, prompts: Any, completions: Any, completion_ids_list: Any
        ) -> Any:
            from accelerate.utils import gather_object

            # Gathered over all processes: every one of them paces in the same way.
            found = super()._calculate_rewards(inputs, prompts, completions, completion_ids_list)
            totals = [None if value != value else value for value in found[:, 0].tolist()]
            tiers = gather_object([row["tier"] for row in inputs])
            self._pacing.observe(tiers, [None if t is None else t / HIGHEST for t in totals])
            groups = [
                totals[first : first + self.num_generations]
                for first in range(0, len(totals), self.num_generations)
            ]
            # Such a group teaches nothing: its advantages are all 0.
            equal = sum(len({t for t in group if t is not None}) < 2 for group in groups)
            self._log_metric("groups_all_equal", float(equal))
            self._log_metric("groups", float(len(groups)))
            if self.accelerator.is_main_process:
                for place in range(min(_SAMPLES, len(inputs))):
                    self._keep(inputs[place], completions[place], totals[place])
            if self._keeps_programs:
                # A process has its own inputs, and the totals of all.
                first = self.accelerator.process_index * len(inputs)
                right = [
                    (row["row"], _said(completion))
                    for row, completion, total in zip(
                        inputs, completions, totals[first : first + len(inputs)], strict=True
                    )
                    if total == HIGHEST
                ]
                for row, said in gather_object(right):
                    self._keep_program(row, said)
            return found

        def _keep(self, row: Mapping[str, Any], completion: Any, total: float | None) -> None:
            entry = {"step": self.state.global_step + 1, "tier": row["tier"], "task": row["task"]}
            prompt, said = row["prompt"][-1]["content"], _said(completion)
            append(
                self._folder / "samples.jsonl",
                {**entry, "reward": total, "prompt": prompt, "text": said},
            )

        def _keep_program(self, row: str, said: str) -> None:
            if self.accelerator.is_main_process:
                entry = {"step": self.state.global_step + 1, "row": json.loads(row)}
                append(self._folder / PROGRAMS, {**entry, "completion": said})

    return PacedTrainer


def _said(completion: Any) -> str:
    said: str = completion if isinstance(completion, str) else completion[-1]["content"]
    return said
