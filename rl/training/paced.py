"""TRL's GRPO trainer with our order of problems, and with a log of what it sees.

What is ours is the sampler, which TRL's trainer asks for in one method, and the rewards, which
it gathers in another. Both are extended here, and nowhere else; they are TRL's and may change.

Source: TRL's GRPOTrainer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curricula.scoring import HIGHEST
from rl.training.pacing import BlockSampler, Pacing
from rl.training.run import PROGRAMS, append
from tracing.errors import ExecVerifyError

__all__ = ["paced_trainer"]

_SAMPLES = 2
"""Completions of each batch that are kept as a table."""


def paced_trainer() -> Any:
    """Extend TRL's trainer by our order.

    Returns:
        A subclass of TRL's ``GRPOTrainer``.

    Raises:
        ExecVerifyError: This version of TRL has not what is extended.
    """
    from trl import GRPOTrainer

    for name in ("_get_train_sampler", "_calculate_rewards"):
        if not hasattr(GRPOTrainer, name):
            raise ExecVerifyError(
                f"this version of TRL has no {name}, without which the order of problems cannot "
                "be kept; install trl 1.16"
            )

    class PacedTrainer(GRPOTrainer):  # type: ignore[misc]
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
