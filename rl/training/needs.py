"""What a config needs of the machine and of its launcher, checked before a run begins.

A package that is missing, or a launcher, would otherwise be noticed by TRL, after the data are
made and the first model was asked. Nothing heavy is imported here.
"""

from __future__ import annotations

import importlib.util
import os

from curricula.difficulty.engines.base import require
from rl.training.configs import RunConfig, StageConfig
from tracing.errors import MissingExtraError, UsageError

__all__ = ["check_needs", "is_sharded"]

_ON = {"1", "true", "yes", "on", "y", "t"}
"""How accelerate's launcher says yes."""


def check_needs(config: RunConfig) -> None:
    """Make sure that what a config asks for is there.

    Args:
        config: The config of any stage.

    Raises:
        MissingExtraError: A package is not installed.
        UsageError: DeepSpeed has no launcher, or shards what an adapter should be merged into.
    """
    for package in ("torch", "transformers", "trl", "accelerate"):
        require(package, "rl", "train elsewhere with rl.rewards")
    if isinstance(config, StageConfig) and config.use_vllm:
        # TRL's client of a server imports it, too.
        require("vllm", "vllm", "set use_vllm to false")
    if config.lora:
        require("peft", "rl", "set lora to 0")
        if is_sharded(config):
            raise UsageError(
                "an adapter cannot be merged into weights that DeepSpeed or FSDP shards: set lora "
                "to 0, or options.deepspeed to null and launch without either"
            )
    if _has_deepspeed(config):
        _present("deepspeed", "set options.deepspeed to null")
        if "RANK" not in os.environ:
            raise UsageError(
                "DeepSpeed needs a launcher: start the command with accelerate launch (docs/"
                "training.md), or set options.deepspeed to null"
            )
    for name in config.report_to:
        if name == "tensorboard" and importlib.util.find_spec("tensorboardX") is None:
            require("tensorboard", "rl", "take it out of report_to")
        elif name in ("trackio", "wandb"):
            _present(name, "take it out of report_to")


def is_sharded(config: RunConfig) -> bool:
    """Tell whether weights are spread over the processes.

    Args:
        config: Its options may say so; the launcher may, too.

    Returns:
        Whether DeepSpeed or FSDP trains.
    """
    return _has_deepspeed(config) or bool(config.options.get("fsdp")) or _launched("FSDP")


def _has_deepspeed(config: RunConfig) -> bool:
    return bool(config.options.get("deepspeed")) or _launched("DEEPSPEED")


def _launched(what: str) -> bool:
    return os.environ.get(f"ACCELERATE_USE_{what}", "").lower() in _ON


def _present(package: str, instead: str) -> None:
    """Check for a package that is in no extra of ours."""
    if importlib.util.find_spec(package) is None:
        raise MissingExtraError(f"{package} is not installed; pip install {package}, or {instead}")
