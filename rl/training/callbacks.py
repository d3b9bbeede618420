"""What happens beside training: the log, the line on the terminal, the mark of a checkpoint."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rl.training.pacing import Pacing
from rl.training.run import append, mark_whole, world_size

__all__ = ["watch"]

_SHOWN = ("loss", "reward", "io", "white", "format", "groups_all_equal", "learning_rate")


def watch(trainer: Any, folder: Path, pacing: Pacing | None = None) -> None:
    """Log what a trainer does, and mark its checkpoints.

    Args:
        trainer: A trainer that has not begun.
        folder: The run's folder.
        pacing: The curriculum, whose state goes with each checkpoint; None where there is none.
    """
    from transformers import PrinterCallback, TrainerCallback

    class Keeper(TrainerCallback):  # type: ignore[misc]
        """Logs each step, and marks checkpoints that are whole."""

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if not state.is_world_process_zero or not logs:
                return
            tier = {} if pacing is None else {"tier": pacing.tier}
            append(folder / "log.jsonl", {"step": state.global_step, **tier, **logs})
            said = "  ".join(f"{name} {float(logs[name]):.4g}" for name in _SHOWN if name in logs)
            if said:
                sys.stderr.write(
                    f"  step {state.global_step} of {state.max_steps}  {said}"
                    f"{f'  tier {pacing.tier}' if pacing else ''}\n"
                )

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if world_size() > 1:
                # The others write their part of the checkpoint, too.
                from accelerate import PartialState

                PartialState().wait_for_everyone()
            place = Path(args.output_dir) / f"checkpoint-{state.global_step}"
            if state.is_world_process_zero and place.is_dir():
                mark_whole(place, None if pacing is None else pacing.state())

    # It prints to standard output, where results go.
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(Keeper())
