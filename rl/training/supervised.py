"""The warm-up: supervised fine-tuning by TRL on conversations that walk through runs.

Only the reply is learned, not the prompt. Conversations are shuffled: the warm-up has no
curriculum.

Source: ExecVerify, section 3.2; TRL's SFTTrainer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rl.training.carrying_out import carry_out
from rl.training.configs import WarmupConfig
from rl.training.finish import check_held_out
from rl.training.mixing import conversation_rows
from rl.training.models import arguments, devices, fits, load_tokenizer, lora_of
from rl.training.needs import check_needs
from rl.training.outcome import Data, Outcome
from rl.training.run import Run
from rl.training.source import Source, open_source
from tracing.errors import ExecVerifyError

__all__ = ["fine_tune", "sft_arguments", "warmup"]


def warmup(config: WarmupConfig) -> Outcome:
    """Teach a model to walk through runs, and the form of an answer.

    The same call goes on from the last whole checkpoint.

    Args:
        config: What to train on what, and how.

    Returns:
        Where the final model is, and what was measured.

    Raises:
        MissingExtraError: The extra ``rl`` is not installed.
        UsageError: The config does not fit the data, or its folder is another run's.
        ExecVerifyError: Data or model cannot be read.
    """
    source = open_source(config.dataset, config.revision)
    args = sft_arguments(config)
    tokenizer = load_tokenizer(config.model)
    kept, too_long = _chosen(source, config, tokenizer)
    if not kept:
        raise ExecVerifyError(f"no conversation has at most {config.length} tokens")
    left_out = {"conversation too long": too_long} if too_long else {}
    data = Data(((source.name, source.revision),), len(kept), left_out)
    return fine_tune(config, "warmup", args, kept, data, tokenizer)


def fine_tune(
    config: WarmupConfig,
    stage: str,
    args: Any,
    rows: Sequence[Mapping[str, Any]],
    data: Data,
    tokenizer: Any,
) -> Outcome:
    """Learn the replies of conversations; the same call goes on where it was killed.

    Args:
        config: How they are learned, and where the model goes.
        stage: What the run is called in its folder.
        args: What :func:`sft_arguments` gave.
        rows: Conversations, as ``prompt`` and ``completion``.
        data: Names them.
        tokenizer: The model's tokenizer.

    Returns:
        Where the final model is, and what was measured.

    Raises:
        UsageError: The folder belongs to another run.
        ExecVerifyError: The trainer cannot be made, or an evaluation failed.
    """
    adapter = lora_of(config)

    def trainer_of(run: Run) -> Any:
        return _trainer(config, args, rows, tokenizer, adapter)

    return carry_out(config, stage, data, tokenizer, trainer_of)


def _chosen(
    source: Source, config: WarmupConfig, tokenizer: Any
) -> tuple[list[dict[str, Any]], int]:
    """Take the conversations that are short enough, as many of each task."""
    each, more = divmod(config.conversations, len(config.tasks))
    most = {task: each + (place < more) for place, task in enumerate(config.tasks)}
    taken: Counter[str] = Counter()
    kept, too_long = [], 0
    for row in conversation_rows(source, config):
        if taken[row["task"]] >= most[row["task"]]:
            continue
        if fits(tokenizer, row, config.length):
            taken[row["task"]] += 1
            kept.append(row)
        else:
            too_long += 1
        if len(kept) == config.conversations:
            break
    return kept, too_long


def sft_arguments(config: WarmupConfig) -> Any:
    """Make TRL's config, before anything that takes long.

    Args:
        config: The config.

    Returns:
        TRL's ``SFTConfig``.

    Raises:
        MissingExtraError: A package is not installed.
        UsageError: The machine, the launcher or TRL does not take what is asked for.
    """
    check_needs(config)
    check_held_out(config)
    import trl

    return arguments(
        trl.SFTConfig,
        config,
        **devices(config.batch, config.device_batch),
        max_length=config.length,
        lr_scheduler_type=config.scheduler,
        completion_only_loss=True,
    )


def _trainer(
    config: WarmupConfig, args: Any, rows: Sequence[Mapping[str, Any]], tokenizer: Any, adapter: Any
) -> Any:
    import trl
    from datasets import Dataset

    learned = [{"prompt": row["prompt"], "completion": row["completion"]} for row in rows]
    return trl.SFTTrainer(
        model=config.model,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(learned),
        args=args,
        peft_config=adapter,
    )
