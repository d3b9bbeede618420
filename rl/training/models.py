"""What trainers of all stages are made with: tokenizer, adapter, TRL's config, batch sizes."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from rl.training.configs import RunConfig
from rl.training.run import world_size
from tracing.errors import ExecVerifyError, UsageError, in_a_line, shorten

__all__ = ["arguments", "building", "devices", "fits", "load_tokenizer", "lora_of", "seeded"]


def load_tokenizer(model: str) -> Any:
    """Load the tokenizer of a model that talks.

    Args:
        model: A folder, or a name on the Hub.

    Returns:
        The tokenizer, which pads.

    Raises:
        ExecVerifyError: There is none, or it has no chat template.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(model)
    except Exception as error:
        # What goes wrong on the way to the Hub has no common base class.
        raise ExecVerifyError(
            f"the model {shorten(model, 120)} cannot be loaded: {in_a_line(error)}"
        ) from error
    if not tokenizer.chat_template:
        raise ExecVerifyError(
            f"the tokenizer of {shorten(model, 120)} has no chat template; take an instruct model"
        )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def fits(tokenizer: Any, row: Mapping[str, Any], most: int) -> bool:
    """Tell whether a row is short enough: a cut prompt asks something else.

    Args:
        tokenizer: The model's tokenizer.
        row: A row with a ``prompt``, and with a ``completion`` where that is learned, too.
        most: The most tokens.

    Returns:
        Whether it has at most so many, with the chat template's own.
    """
    text = tokenizer.apply_chat_template(
        [*row["prompt"], *row.get("completion", ())],
        tokenize=False,
        add_generation_prompt="completion" not in row,
    )
    return len(tokenizer(text, add_special_tokens=False)["input_ids"]) <= most


def devices(batch: int, device_batch: int) -> dict[str, int]:
    """Share a batch among devices, in passes of equal size.

    Args:
        batch: Conversations or completions of an update.
        device_batch: The most that go through a device at once.

    Returns:
        TRL's ``per_device_train_batch_size`` and ``gradient_accumulation_steps``.

    Raises:
        UsageError: The batch cannot be shared among so many processes.
    """
    count = world_size()
    if batch % count:
        raise UsageError(f"an update of {batch} cannot be shared among {count} processes")
    each = batch // count
    size = next(size for size in range(min(device_batch, each), 0, -1) if each % size == 0)
    return {"per_device_train_batch_size": size, "gradient_accumulation_steps": each // size}


def lora_of(config: RunConfig) -> Any:
    """Make the adapter that is trained.

    Args:
        config: Its rank, and the options that win over ours.

    Returns:
        A LoRA, of all linear layers where the options name no others; None to train all weights.

    Raises:
        UsageError: peft has no such option, or does not take its value.
    """
    if not config.lora:
        return None
    from peft import LoraConfig

    told = {
        "r": config.lora,
        "lora_alpha": 2 * config.lora,
        "lora_dropout": 0.0,
        "target_modules": "all-linear",
        "task_type": "CAUSAL_LM",
        **config.lora_options,
    }
    return _made(LoraConfig, told, "peft")


def arguments(made: Any, config: RunConfig, **own: Any) -> Any:
    """Make TRL's config; the user's options win.

    Args:
        made: TRL's class.
        config: Our config.
        own: What a stage sets.

    Returns:
        TRL's config.

    Raises:
        UsageError: TRL has no such option, or does not take its value.
    """
    told: dict[str, Any] = {
        "seed": config.seed,
        "learning_rate": config.learning_rate,
        "num_train_epochs": config.epochs,
        "max_steps": config.max_steps or -1,
        "use_cpu": config.cpu,
        # Weights stay in float32, where an update of 1e-6 is not rounded away.
        "bf16": config.precision == "bfloat16",
        "model_init_kwargs": {"dtype": "float32"},
        "save_strategy": "steps",
        "save_steps": config.save_steps,
        "save_total_limit": config.keep,
        "logging_steps": 1,
        "disable_tqdm": True,
        "report_to": list(config.report_to) or "none",
        **own,
        **config.options,
        # What is logged and gone on from is there.
        "output_dir": config.out,
    }
    args = _made(made, told, "TRL")
    if args.n_gpu > 1:
        raise UsageError(
            f"one process sees {args.n_gpu} GPUs: start the command with accelerate launch "
            "--num_processes, or let it see one by CUDA_VISIBLE_DEVICES"
        )
    return args


@contextmanager
def building() -> Iterator[None]:
    """Say in a sentence why a trainer cannot be made.

    Yields:
        Nothing; make the trainer inside.

    Raises:
        ExecVerifyError: TRL, transformers or peft refuse.
    """
    try:
        yield
    except (ImportError, RuntimeError, TypeError, ValueError) as error:
        raise ExecVerifyError(f"the trainer cannot be made: {in_a_line(error, 300)}") from error


def _made(made: Any, told: Mapping[str, Any], whose: str) -> Any:
    """Make a config of a library, whose names are checked first."""
    known = [field.name for field in fields(made)]
    for name in told:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UsageError(f"{made.__name__} has no option {shorten(repr(name))}{hint}")
    try:
        return made(**told)
    except (ImportError, RuntimeError, TypeError, ValueError) as error:
        raise UsageError(f"{whose} does not take these options: {in_a_line(error, 300)}") from error


def seeded(config: RunConfig) -> None:
    """Seed what new weights are drawn from.

    Args:
        config: The seed.
    """
    from transformers import set_seed

    set_seed(config.seed)
