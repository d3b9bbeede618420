"""Carries a run out, once its data are chosen: from its open folder to its final model.

All stages go this way, and whoever trains on data of their own; what differs is the trainer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rl.training.callbacks import watch
from rl.training.configs import RunConfig
from rl.training.finish import finish, finished, first_scores
from rl.training.models import building, seeded
from rl.training.outcome import Data, Outcome
from rl.training.pacing import Pacing
from rl.training.run import Run, open_run

__all__ = ["carry_out"]


def carry_out(
    config: RunConfig,
    stage: str,
    data: Data,
    tokenizer: Any,
    trainer_of: Callable[[Run], Any],
    pacing: Pacing | None = None,
) -> Outcome:
    """Train, or go on from the last whole checkpoint, or read what a finished run came to.

    Args:
        config: The config.
        stage: The stage's name.
        data: What is learned from.
        tokenizer: The model's tokenizer.
        trainer_of: Makes the trainer of the open run; not called where that is finished.
        pacing: The order of problems, where it is ours.

    Returns:
        Where the final model is, and what was measured.

    Raises:
        UsageError: The folder belongs to another run.
        ExecVerifyError: The trainer cannot be made, or an evaluation failed.
    """
    run = open_run(config, stage, data.as_dict())
    if run.is_finished:
        return finished(run)
    if pacing is not None and run.pacing is not None:
        pacing.restore(run.pacing)
    before = first_scores(config, run)
    seeded(config)
    with building():
        trainer = trainer_of(run)
    watch(trainer, run.folder, pacing)
    seen = trainer.train(resume_from_checkpoint=str(run.checkpoint) if run.checkpoint else None)
    return finish(config, stage, run, data, trainer, tokenizer, seen.global_step, before)
