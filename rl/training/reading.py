"""Reads the config of a training run: presets, a YAML file, single values, in this order.

What comes later wins. Names are checked before anything heavy is loaded, and a wrong one is
answered with the nearest that there is.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml

from rl.training.configs import RunConfig, StageOneConfig, StageTwoConfig, WarmupConfig
from tracing.errors import UsageError, in_a_line, shorten

__all__ = ["CONFIGS", "PRESETS", "read_config", "setting"]

CONFIGS: dict[str, type[RunConfig]] = {
    "warmup": WarmupConfig,
    "stage1": StageOneConfig,
    "stage2": StageTwoConfig,
}
"""The stages of training, and their configs."""

_MAPPINGS = ("options", "lora_options")
"""Fields that are names and values themselves, and are merged name by name."""

_CPU_STAGE = {
    "generations": 4,
    "batch": 2,
    "mini_batch": 2,
    "learning_rate": 1e-5,
    "epochs": 1.0,
    "device_batch": 8,
    "prompt_length": 512,
    "completion_length": 160,
    "window": 16,
}
_CPU = {
    "cpu": True,
    "precision": "float32",
    "lora": 8,
    "save_steps": 5,
    "heldout_tokens": 160,
    "options": {"gradient_checkpointing": False},
}
_GPUS = {"precision": "bfloat16", "options": {"gradient_checkpointing": True}}
_GPU_STAGE = {"use_vllm": True, "vllm_mode": "colocate", "device_batch": 8}
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    # Two cores and a model of 135M parameters: minutes.
    "cpu": {
        "warmup": {
            **_CPU,
            "learning_rate": 2e-4,
            "epochs": 1.0,
            "conversations": 64,
            "length": 512,
            "batch": 4,
            "device_batch": 2,
        },
        "stage1": {**_CPU, **_CPU_STAGE, "output_problems": 16, "input_problems": 8},
        "stage2": {**_CPU, **_CPU_STAGE, "problems": 16},
    },
    # Eight GPUs of 80 GB and a model of 7B parameters: the paper's numbers as they are.
    "8gpu": {
        "warmup": {**_GPUS, "device_batch": 4},
        "stage1": {**_GPUS, **_GPU_STAGE},
        "stage2": {**_GPUS, **_GPU_STAGE},
    },
}
"""What presets set, by stage."""


def read_config(
    stage: str,
    file: str | Path | None = None,
    *,
    preset: str | None = None,
    values: Mapping[str, Any] | None = None,
) -> RunConfig:
    """Read the config of a stage.

    Args:
        stage: ``"warmup"``, ``"stage1"`` or ``"stage2"``.
        file: A YAML file of the config's fields; its ``preset`` names one, too, and a
            ``stage`` in it must be this one.
        preset: ``"cpu"`` or ``"8gpu"``; wins over the file's.
        values: Fields that win over all; ``options`` and ``lora_options`` are merged name by
            name.

    Returns:
        The config.

    Raises:
        UsageError: There is no such stage, preset, field or file, or a value is wrong.

    Example:
        >>> read_config("stage1", preset="cpu", values={"model": "m", "dataset": "d"}).lora
        8
    """
    made = CONFIGS.get(stage)
    if made is None:
        raise UsageError(f"there is no stage {shorten(repr(stage))}; {_nearest(stage, CONFIGS)}")
    written = _read_file(Path(file), stage) if file is not None else {}
    named = preset or written.pop("preset", None)
    written.pop("preset", None)
    merged: dict[str, Any] = {}
    for layer in (_preset(named, stage), written, dict(values or {})):
        merged = _merge(merged, layer, made)
    if not merged.get("model"):
        raise UsageError(f"no model is named; give a folder or a name on the Hub ({stage})")
    for name in ("report_to", "public", "tasks"):
        if name in merged:
            merged[name] = _words(name, merged[name])
    return made(**merged)


def setting(text: str) -> tuple[str, Any]:
    """Read one value of the command line.

    Args:
        text: ``NAME=VALUE``; the value is read as YAML, and ``options.NAME`` is one of TRL's,
            ``lora_options.NAME`` one of peft's.

    Returns:
        The field, and its value.

    Raises:
        UsageError: It is not of this form.

    Example:
        >>> setting("options.top_p=0.9")
        ('options', {'top_p': 0.9})
    """
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise UsageError(f"a setting is NAME=VALUE, not {shorten(repr(text))}")
    try:
        read = _number_like(yaml.safe_load(value))
    except (yaml.YAMLError, ValueError, RecursionError):
        raise UsageError(f"{name}: {shorten(repr(value))} is no value; put it in quotes") from None
    first, dot, rest = name.strip().partition(".")
    if dot and first in _MAPPINGS:
        return first, {rest: read}
    return name.strip(), read


def _preset(name: Any, stage: str) -> dict[str, Any]:
    if name is None:
        return {}
    if not isinstance(name, str) or name not in PRESETS:
        raise UsageError(f"there is no preset {shorten(repr(name))}; choose {' or '.join(PRESETS)}")
    return PRESETS[name][stage]


def _read_file(path: Path, stage: str) -> dict[str, Any]:
    try:
        read = _number_like(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or "it is no text"
        raise UsageError(f"{shorten(str(path), 120)} cannot be read: {said}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"{shorten(str(path), 120)} is no YAML: {in_a_line(error)}") from None
    if not isinstance(read, dict) or not all(isinstance(name, str) for name in read):
        raise UsageError(f"{shorten(str(path), 120)} holds no fields, like `model: NAME`")
    told = read.pop("stage", stage)
    if told != stage:
        raise UsageError(f"{shorten(str(path), 120)} is for {shorten(repr(told))}, not for {stage}")
    return read


def _number_like(value: Any) -> Any:
    """Read what YAML 1.1 takes for text, though everyone means a number: ``1e-5``."""
    if isinstance(value, str):
        try:
            return float(value) if value[:1] in "0123456789-." and "e" in value.lower() else value
        except ValueError:
            return value
    if isinstance(value, dict):
        return {name: _number_like(item) for name, item in value.items()}
    return value


def _merge(below: dict[str, Any], above: Mapping[str, Any], made: type) -> dict[str, Any]:
    known = [field.name for field in fields(made)]
    for name, value in above.items():
        if name not in known:
            raise UsageError(
                f"{made.__name__} has no field {shorten(repr(name))}; {_nearest(name, known)} "
                "(TRL's own options go under options)"
            )
        if name in _MAPPINGS and not isinstance(value, Mapping):
            raise UsageError(f"{name} are names and values, not {shorten(repr(value))}")
    joined = {name: {**below.get(name, {}), **above.get(name, {})} for name in _MAPPINGS}
    return {**below, **above, **joined}


def _nearest(name: str, names: Any) -> str:
    near = difflib.get_close_matches(name, list(names), 1)
    return f"did you mean {near[0]}?" if near else f"choose one of {', '.join(names)}"


def _words(name: str, value: Any) -> tuple[str, ...]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
        raise UsageError(f"{name} is a list of texts, not {shorten(repr(value))}")
    return tuple(words)
