"""What an engine is, and the registry of engines.

An engine asks one model and gives its replies back as they come. One is one file of this
package: a class with ``complete``, registered under the word before the colon of its name.
Scoring, keeping and counting replies is not an engine's business.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tracing.errors import MissingExtraError, UsageError, said, shorten

__all__ = [
    "DEFAULT",
    "ENGINES",
    "Completion",
    "Engine",
    "Messages",
    "Sampling",
    "check_engine",
    "check_samples",
    "engine",
    "folder_revision",
    "open_engine",
    "options_of",
    "require",
    "too_long",
    "without_address",
]

Messages = Sequence[Mapping[str, str]]
"""A conversation: mappings with ``role`` and ``content``."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How replies are drawn.

    Attributes:
        temperature: Sampling temperature; 0 takes the most probable token.
        top_p: Share of the probability that is sampled from, in (0, 1].
        max_tokens: Most tokens of a reply.

    Source: ExecVerify, section 3.1 (temperature 1.0, top_p 0.9).
    """

    temperature: float = 1.0
    top_p: float = 0.9
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        if not 0 <= self.temperature <= 100:
            raise UsageError(f"a temperature is 0 or more, not {self.temperature}")
        if not 0 < self.top_p <= 1:
            raise UsageError(f"top_p lies above 0 and up to 1, not at {self.top_p}")
        if self.max_tokens < 1:
            raise UsageError(f"max_tokens is at least 1, not {self.max_tokens}")


DEFAULT = Sampling()
"""How the paper drew."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model replied to one prompt.

    Attributes:
        prompt: The prompt's place in the batch, from 0.
        texts: The replies; fewer than were asked for where ``error`` says why.
        tokens: Tokens of the replies together, 0 where the engine does not say.
        error: Why replies are missing, or an empty text.
        refused: Whether it would be the same if the prompt were sent again.
    """

    prompt: int
    texts: tuple[str, ...]
    tokens: int = 0
    error: str = ""
    refused: bool = False


class Engine(Protocol):
    """Asks one model.

    Attributes:
        model: The model's name.
        revision: Its revision, or an empty text where that is not known.
    """

    model: str
    revision: str

    def complete(
        self, prompts: Sequence[Messages], *, n: int = 1, sampling: Sampling = DEFAULT
    ) -> Iterator[Completion]:
        """Ask for n replies to each prompt.

        Args:
            prompts: The conversations.
            n: Replies to each, at least 1.
            sampling: How they are drawn.

        Yields:
            One completion for each prompt, in the order in which they come.
        """
        ...

    def close(self) -> None:
        """Give back what the engine holds: memory, connections, processes."""
        ...


ENGINES: dict[str, Callable[..., Engine]] = {}
"""The engines by name; each is called with the text after the colon, and options."""

_ADDRESS = re.compile(r"@https?://.*", re.DOTALL | re.IGNORECASE)
_CHECKS: dict[str, Callable[[str], object]] = {}
_Made = TypeVar("_Made", bound=Callable[..., Engine])


def engine(name: str, check: Callable[[str], object] | None = None) -> Callable[[_Made], _Made]:
    """Register an engine under a name.

    Args:
        name: The word before the colon.
        check: Raises for a text after the colon that can name no model, and for a package that
            is missing; opens nothing.

    Returns:
        A decorator for a class, or for a function that makes an engine.
    """

    def register(made: _Made) -> _Made:
        ENGINES[name] = made
        if check is not None:
            _CHECKS[name] = check
        return made

    return register


def open_engine(spec: str, **options: Any) -> Engine:
    """Open the engine that a text names.

    Args:
        spec: ``"vllm:MODEL"``, ``"openai:MODEL@URL"``, ``"transformers:MODEL"``.
        options: Passed on to the engine.

    Returns:
        The engine; close it after use.

    Raises:
        ExecVerifyError: There is no such engine, or it does not take these options.
        MissingExtraError: What it needs is not installed.
    """
    name, model = _checked(spec)
    try:
        return ENGINES[name](model, **options)
    except (TypeError, ValueError) as error:
        if not options:
            raise
        given = ", ".join(f"{option}={value!r}" for option, value in options.items())
        raise UsageError(
            f"the engine {name} does not take the options {shorten(given, 200)}: "
            f"{said(str(error), 300)}"
        ) from error


def options_of(texts: Sequence[str]) -> dict[str, Any]:
    """Read an engine's options as a command line gives them.

    Args:
        texts: ``NAME=VALUE`` each; a value that is JSON is read as such, others are text.

    Returns:
        The options for :func:`open_engine`.

    Raises:
        UsageError: One is not written so, or a name comes twice.

    Example:
        >>> options_of(["tensor_parallel_size=2", "dtype=float32"])
        {'tensor_parallel_size': 2, 'dtype': 'float32'}
    """
    made: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier() or name in made:
            raise UsageError(
                f"{shorten(text)!r} is no engine's option; write NAME=VALUE, each name once, "
                "like tensor_parallel_size=2"
            )
        try:
            made[name] = json.loads(value)
        except (ValueError, RecursionError):
            made[name] = value
    return made


def too_long(tokens: int, most: int) -> str:
    """Say that a prompt leaves a model no room to reply, as a completion's error."""
    return f"the prompt has {tokens:,} tokens, and the model reads and writes {most:,} at most"


def check_samples(samples: int, temperature: float) -> None:
    """Refuse to ask for no reply, or for the same one again and again.

    Args:
        samples: Replies to each prompt.
        temperature: At which they are drawn.

    Raises:
        UsageError: There are none, or all would be the same.
    """
    if samples < 1:
        raise UsageError(f"at least 1 sample is needed, not {samples}")
    if samples > 1 and temperature == 0:
        raise UsageError(
            f"at temperature 0 all {samples} replies to a prompt would all be the same; ask for "
            "1 sample, or set a temperature above 0"
        )


def without_address(spec: str) -> str:
    """Name an engine as it may be published: where a server is, and its password, is left out.

    Args:
        spec: As for :func:`open_engine`.

    Returns:
        The text without the address.

    Example:
        >>> without_address("openai:qwen@http://me:secret@10.0.0.3:8000/v1")
        'openai:qwen'
    """
    return _ADDRESS.sub("", spec)


def check_engine(spec: str) -> None:
    """Refuse a text that names no engine that could be opened here; open none.

    Args:
        spec: As for :func:`open_engine`.

    Raises:
        UsageError: There is no such engine, or it knows no such model.
        MissingExtraError: What it needs is not installed.
    """
    name, model = _checked(spec)
    if name in _CHECKS:
        _CHECKS[name](model)


def _checked(spec: str) -> tuple[str, str]:
    """Take a text apart into the engine's name and the model's."""
    name, colon, model = spec.partition(":")
    try:
        spec.encode()
    except UnicodeEncodeError:
        colon = ""  # half of a surrogate pair: no server and no file system knows such a name
    if name not in ENGINES or not colon or not model.strip():
        raise UsageError(
            f"{shorten(spec)!r} names no engine; write vllm:MODEL, openai:MODEL@URL or "
            f"transformers:MODEL (there are {', '.join(sorted(ENGINES))})"
        )
    return name, model.strip()


def require(package: str, extra: str, instead: str) -> None:
    """Make sure that an optional package is there before it is imported.

    Args:
        package: The package's import name.
        extra: The extra of this project that installs it.
        instead: What else the user may do, as the end of a sentence.

    Raises:
        MissingExtraError: It is not installed.
    """
    if importlib.util.find_spec(package) is None:
        raise MissingExtraError(
            f'{package} is not installed; pip install "execverify[{extra}]", or {instead}'
        )


def folder_revision(model: str) -> str:
    """Name the content of a local model folder.

    Args:
        model: A folder, or a name on the Hub.

    Returns:
        Twelve hexadecimal digits over the names, the sizes and the first megabyte of the
        configuration and of the weights; an empty text where it is no folder.
    """
    folder = Path(model)
    if not folder.is_dir():
        return ""
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.suffix in (".json", ".safetensors", ".bin", ".gguf"):
            digest.update(f"{file.name}\0{file.stat().st_size}\0".encode())
            with file.open("rb") as stream:
                digest.update(stream.read(1 << 20))
    return digest.hexdigest()[:12]
