"""Benchmarks of writing code: not asked here, but with the command of the package that asks them.

Those packages run hidden tests well, each with rules of its own. What is known here is how to
point each at a model; nothing of it is installed or run.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tracing.errors import UsageError

__all__ = ["OUTSIDE", "Asked", "check_asked_here"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A model as another package is to find it.

    Attributes:
        model: Its name or folder.
        engine: ``"transformers"``, ``"vllm"`` or ``"openai"``.
        url: The server, up to and with ``/v1``; empty where there is none.
    """

    model: str
    engine: str
    url: str = ""

    @property
    def backend(self) -> str:
        """The engine, as packages of this kind name it."""
        return {"transformers": "hf"}.get(self.engine, self.engine)


def _evalplus(dataset: str) -> Callable[[Asked], str]:
    def command(asked: Asked) -> str:
        server = f" --base-url {shlex.quote(asked.url)}" if asked.url else ""
        return (
            f"pip install evalplus && evalplus.evaluate --model {shlex.quote(asked.model)} "
            f"--dataset {dataset} --backend {asked.backend}{server} --greedy"
        )

    return command


def _bigcodebench(asked: Asked) -> str:
    server = f" --base_url {shlex.quote(asked.url)}" if asked.url else ""
    return (
        f"pip install bigcodebench && bigcodebench.evaluate --model {shlex.quote(asked.model)} "
        f"--execution local --backend {asked.backend}{server} --split complete --subset full"
    )


def _livecodebench(asked: Asked) -> str:
    # Its runner loads the weights itself, in a folder of its own; NAME picks its prompts' form.
    folder = str(Path(asked.model).resolve()) if Path(asked.model).is_dir() else asked.model
    return (
        "git clone https://github.com/LiveCodeBench/LiveCodeBench && cd LiveCodeBench && "
        "pip install -e . && python -m lcb_runner.runner.main --model NAME --local_model_path "
        f"{'FOLDER' if asked.url else shlex.quote(folder)} --scenario codegeneration "
        "--evaluate (NAME is the model of its lm_styles.py that yours descends from)"
    )


def _lm_eval(asked: Asked) -> str:
    if asked.url:
        extra, model = "api", "local-chat-completions"
        told = f"model={asked.model},base_url={asked.url}/chat/completions"
    else:
        extra, model, told = asked.backend, asked.backend, f"pretrained={asked.model}"
    return (
        f"pip install 'lm-eval[{extra}]' && HF_ALLOW_CODE_EVAL=1 lm_eval --model {model} "
        f"--model_args {shlex.quote(told)} --tasks humaneval_instruct,mbpp_instruct "
        "--apply_chat_template --confirm_run_unsafe_code"
    )


OUTSIDE: dict[str, tuple[str, Callable[[Asked], str]]] = {
    "humaneval": ("evalplus", _evalplus("humaneval")),
    "mbpp": ("evalplus", _evalplus("mbpp")),
    "evalplus": ("evalplus", _evalplus("humaneval")),
    "bigcodebench": ("bigcodebench", _bigcodebench),
    "livecodebench/codegeneration": ("lcb_runner", _livecodebench),
    "lm_eval": ("lm-eval", _lm_eval),
}
"""The packages by what they are asked for: their name, and what makes their command."""


def check_asked_here(benchmark: str, spec: str) -> None:
    """Refuse benchmarks of writing code, and say how to ask them.

    Args:
        benchmark: What a user wants to evaluate on.
        spec: The model with its engine, like ``"vllm:runs/stage2/final"``.

    Raises:
        UsageError: It is one of :data:`OUTSIDE`; the message has the command for this model.

    Example:
        >>> check_asked_here("mbpp", "vllm:m")
        Traceback (most recent call last):
        tracing.errors.UsageError: mbpp is about writing code, which the package evalplus tests \
with its own rules; run: pip install evalplus && evalplus.evaluate --model m --dataset mbpp \
--backend vllm --greedy
    """
    word = re.sub(r"[\s_-]+", "_", benchmark.strip().lower())
    word = re.sub(r"^(humaneval|mbpp)(_plus|\+)$", r"\1", word)
    word = re.sub(r"^livecodebench/(code_?generation|generation|code)$", _GENERATION, word)
    if word not in OUTSIDE:
        return
    package, command = OUTSIDE[word]
    raise UsageError(
        f"{benchmark.strip()} is about writing code, which the package {package} tests with its "
        f"own rules; run: {command(_asked(spec))}"
    )


_GENERATION = "livecodebench/codegeneration"


def _asked(spec: str) -> Asked:
    """Take the name of a model with its engine apart."""
    engine, _, model = re.sub(r"^ray:\d+:", "", spec).partition(":")
    name, at, url = model.partition("@")
    if engine == "openai" and at:
        return Asked(name, engine, url)
    return Asked(model, engine if engine in ("transformers", "vllm") else "vllm")
