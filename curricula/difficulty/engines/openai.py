"""``openai:MODEL@URL``: any server that speaks the OpenAI chat protocol.

``vllm serve``, llama.cpp, SGLang and others do. Asking side by side and again is
:mod:`curricula.difficulty.engines.chat_batch`'s business.

For all that a request does not name, a server's own defaults count: top_k, penalties, whether
the model thinks first. ``extra`` names more, and becomes the revision, since replies depend on
it: it stands in the journal and in each rate.

A key is sent only where ``EXECVERIFY_API_KEY`` is set. No seed is sent: servers differ in
what they make of it, and none promises to repeat itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from curricula.difficulty.engines.base import DEFAULT, Completion, Messages, Sampling, engine
from curricula.difficulty.engines.chat_batch import Batch, Server
from tracing.errors import UsageError, said, shorten

__all__ = ["OpenAIEngine"]

_SPEC = re.compile(r"(?P<model>\S+?)@(?P<url>https?://\S+)")
_OURS = ("model", "messages", "n", "temperature", "top_p", "max_tokens", "stream")
"""Fields that follow from how a problem is asked, or change what an answer looks like."""


def _parts(spec: str) -> tuple[str, str]:
    """Take ``MODEL@URL`` apart."""
    import httpx

    match = _SPEC.fullmatch(spec)
    try:
        is_url = match is not None and bool(httpx.URL(match["url"]).host)
    except (httpx.InvalidURL, UnicodeError):
        is_url = False
    if match is None or not is_url:
        raise UsageError(
            f"{shorten(spec, 120)!r} names no model and server; write "
            "openai:MODEL@URL, like openai:qwen@http://localhost:8000/v1"
        )
    return match["model"], match["url"].rstrip("/")


@engine("openai", _parts)
class OpenAIEngine:
    """Asks a server.

    Args:
        spec: ``MODEL@URL``, the URL up to and with ``/v1``.
        concurrency: Requests under way at the same time.
        attempts: How often one request is sent while the server answers others.
        patience: Seconds without any reply from the server after which it is given up.
        timeout: Seconds that one request may take.
        pause: Seconds before the first repetition; it doubles, up to half a minute.
        extra: More fields of each request, like ``{"top_k": 20}``.

    Raises:
        UsageError: The text is not ``MODEL@URL``, or a field cannot be sent.
    """

    def __init__(
        self,
        spec: str,
        *,
        concurrency: int = 32,
        attempts: int = 8,
        patience: float = 300.0,
        timeout: float = 600.0,
        pause: float = 0.5,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.model, url = _parts(spec)
        self.revision = _checked(extra) if extra else ""
        self._extra = dict(extra or {})
        self._server = Server(
            f"{url}/chat/completions", max(1, concurrency), attempts, patience, timeout, pause
        )

    def complete(
        self, prompts: Sequence[Messages], *, n: int = 1, sampling: Sampling = DEFAULT
    ) -> Iterator[Completion]:
        """Ask for n replies to each prompt; see :class:`curricula.difficulty.engines.Engine`.

        Args:
            prompts: The conversations.
            n: Replies to each.
            sampling: How they are drawn.

        Yields:
            One completion for each prompt, in the order in which they come.

        Raises:
            ExecVerifyError: The server does not know the model, or wants a key.
        """
        body = partial(self.body, sampling=sampling)
        yield from Batch(self._server, prompts, n, body).completions()

    def close(self) -> None:
        """Do nothing: connections are closed after each batch."""

    def body(self, messages: Messages, n: int, sampling: Sampling) -> dict[str, Any]:
        """Give the JSON of one request."""
        return {
            "model": self.model,
            "messages": [dict(message) for message in messages],
            "n": n,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            **self._extra,
        }


def _checked(extra: Mapping[str, Any]) -> str:
    """Write down the fields of a user, the same fields in the same way."""
    if not isinstance(extra, Mapping):
        raise UsageError(
            f"extra is {said(extra)}, and no mapping of a request's fields; "
            'write {"top_k": 20}, or in a shell --option \'extra={"top_k": 20}\''
        )
    taken = [name for name in _OURS if name in extra]
    if taken:
        raise UsageError(f"{', '.join(taken)} of each request cannot be set with extra")
    try:
        return json.dumps(extra, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise UsageError(f"the extra fields {said(extra, 120)} cannot be sent as JSON") from None
