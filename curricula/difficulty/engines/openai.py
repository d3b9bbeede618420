"""``openai:MODEL@URL``: any server that speaks the OpenAI chat protocol.

``vllm serve``, llama.cpp, SGLang and others do. Requests go out side by side, up to a bound,
each asking for all replies to one prompt at once. What fails is asked again with growing
pauses, so a run survives a server's restart; what the server refuses for good is reported.
Nothing of an answer is trusted: its size is bounded, and redirections are not followed.

A key is sent only where ``EXECVERIFY_API_KEY`` is set. No seed is sent: servers differ in
what they make of it, and none promises to repeat itself.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curricula.difficulty.engines.base import DEFAULT, Completion, Messages, Sampling, engine
from tracing.errors import ExecVerifyError, UsageError, said, shorten

if TYPE_CHECKING:
    import httpx
    from tenacity import RetryCallState

__all__ = ["OpenAIEngine"]

_SPEC = re.compile(r"(?P<model>\S+?)@(?P<url>https?://\S+)")
_GONE_FOR_GOOD = (401, 403, 404, 405)
_LARGEST = 64 << 20
"""Bytes of an answer that is read at most."""
_MOST_TOKENS = 1 << 40
"""A count beyond which a server's word for it is not taken."""
_log = logging.getLogger(__name__)


class _AgainError(Exception):
    """A request failed in a way that may pass."""


class _SilentError(_AgainError):
    """The request was sent, and no answer came."""


class _UnreachedError(_AgainError):
    """The server could not be reached, which says nothing about the request."""


class _RefusedError(Exception):
    """The server refuses this prompt, and would again."""


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
        patience: Seconds without any answer from the server after which it is given up.
        timeout: Seconds that one request may take.
        pause: Seconds before the first repetition; it doubles, up to half a minute.

    Raises:
        ExecVerifyError: The text is not ``MODEL@URL``.
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
    ) -> None:
        self.model, url = _parts(spec)
        self.revision = ""
        self._url = f"{url}/chat/completions"
        self._concurrency = max(1, concurrency)
        self._attempts, self._patience = attempts, patience
        self._timeout, self._pause = timeout, pause

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
        done: queue.SimpleQueue[Completion | BaseException | None] = queue.SimpleQueue()
        run = _Run(self, prompts, n, sampling, done)
        # A thread of its own, since the caller may stand in an event loop (a notebook does).
        thread = threading.Thread(target=run.start, name="openai-engine", daemon=True)
        thread.start()
        try:
            while (item := done.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            run.stop()
            thread.join()

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
        }


@dataclass
class _Run:
    """One batch under way, in the event loop of a thread of its own."""

    engine: OpenAIEngine
    prompts: Sequence[Messages]
    n: int
    sampling: Sampling
    done: queue.SimpleQueue[Completion | BaseException | None]
    heard: float = field(default_factory=time.monotonic)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    main: asyncio.Task[None] | None = None
    warned: bool = False
    gone: str = ""
    """Why the server was given up, until it is heard again."""

    def start(self) -> None:
        """Run the batch to its end, then say that nothing more will come."""
        try:
            self.main = self.loop.create_task(self.all())
            self.loop.run_until_complete(self.main)
        except asyncio.CancelledError:
            pass
        except BaseException as error:  # noqa: BLE001  handed to the caller's thread, which raises it
            self.done.put(error)
        finally:
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()
            self.done.put(None)

    def stop(self) -> None:
        """End the batch early; does nothing after its end."""
        try:
            self.loop.call_soon_threadsafe(lambda: self.main and self.main.cancel())
        except RuntimeError:
            return  # the loop is closed: all is done

    async def all(self) -> None:
        """Ask all prompts, a bounded number at a time."""
        import httpx

        key = os.environ.get("EXECVERIFY_API_KEY")
        todo = iter(enumerate(self.prompts))
        width = self.engine._concurrency
        async with httpx.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else None,
            limits=httpx.Limits(max_connections=width, max_keepalive_connections=width),
            timeout=httpx.Timeout(self.engine._timeout, connect=min(30.0, self.engine._timeout)),
            trust_env=False,
        ) as client:

            async def worker() -> None:
                for place, messages in todo:
                    self.done.put(await self.one(client, place, messages))

            workers = [asyncio.ensure_future(worker()) for _ in range(width)]
            try:
                await asyncio.gather(*workers)
            finally:
                for task in workers:
                    task.cancel()
                await asyncio.gather(*workers, return_exceptions=True)

    async def one(self, client: httpx.AsyncClient, place: int, messages: Messages) -> Completion:
        """Ask until all replies to one prompt are there, or it is given up."""
        texts: list[str] = []
        tokens = 0
        if self.gone:
            return Completion(place, (), error=self.gone)
        try:
            while len(texts) < self.n:  # some servers give one reply, however many are asked for
                more, used = await self.insist(client, messages, self.n - len(texts))
                texts += more
                tokens += used
        except (_AgainError, _RefusedError) as error:
            refused = isinstance(error, _RefusedError)
            return Completion(place, tuple(texts), tokens, str(error), refused)
        return Completion(place, tuple(texts), tokens)

    async def insist(
        self, client: httpx.AsyncClient, messages: Messages, n: int
    ) -> tuple[list[str], int]:
        """Send one request until it is answered."""
        import tenacity

        begun = failed = time.monotonic()
        counted = 0

        def is_hopeless(state: RetryCallState) -> bool:
            # Failures count against a request only where the server answered others meanwhile:
            # since the request began, or, where no answer comes, since its last failure.
            # Else a restart that outlasts a few pauses would use up the attempts. A server
            # that goes answers what it has while it takes nothing more; that counts for nobody.
            nonlocal failed, counted
            error = state.outcome.exception() if state.outcome else None
            if not isinstance(error, _UnreachedError):
                counted += self.heard > (failed if isinstance(error, _SilentError) else begun)
            failed = time.monotonic()
            if counted >= self.engine._attempts:
                return True
            if time.monotonic() - max(self.heard, begun) <= self.engine._patience:
                return False
            self.gone = str(error) if error else "no answer"
            return True

        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(_AgainError),
            stop=is_hopeless,
            wait=tenacity.wait_random_exponential(self.engine._pause, max=30),
            reraise=True,
        )
        async for attempt in retrying:
            with attempt:
                return await self.send(client, messages, n)
        raise _AgainError("the request was never sent")

    async def send(
        self, client: httpx.AsyncClient, messages: Messages, n: int
    ) -> tuple[list[str], int]:
        """Send one request once."""
        import httpx

        try:
            async with asyncio.timeout(self.engine._timeout):
                status, data, where = await self.post(client, messages, n)
        except (httpx.HTTPError, TimeoutError) as error:
            self.warn(f"{type(error).__name__}: {error}")
            unreached = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
            kind = _UnreachedError if unreached else _SilentError
            raise kind(f"no answer from the server ({type(error).__name__})") from None
        start = said(data[:800].decode("utf-8", "replace"), 200)
        if status in _GONE_FOR_GOOD or where:
            raise ExecVerifyError(
                f"{self.engine._url} answers {status} for the model "
                f"{shorten(self.engine.model)}: "
                + (f"ask {said(where, 200)} instead if you trust it" if where else start)
            )
        if 400 <= status < 500 and status not in (408, 409, 425, 429):
            self.heard_now()
            raise _RefusedError(f"the server refuses the prompt ({status}): {start}")
        if status != 200:
            raise _AgainError(f"the server answers {status}")
        texts, tokens = _read(data)
        self.heard_now()
        return texts[:n], tokens

    async def post(
        self, client: httpx.AsyncClient, messages: Messages, n: int
    ) -> tuple[int, bytes, str]:
        """Send one request and read its answer; give status, content, and where it redirects."""
        body = self.engine.body(messages, n, self.sampling)
        async with client.stream("POST", self.engine._url, json=body) as response:
            data = bytearray()
            async for piece in response.aiter_bytes(1 << 16):
                data += piece
                if len(data) > _LARGEST:
                    raise _AgainError(f"the server's answer is longer than {_LARGEST:,} bytes")
            where = response.headers.get("location", "") if response.is_redirect else ""
            return response.status_code, bytes(data), where

    def heard_now(self) -> None:
        """Note that the server is there."""
        self.heard, self.gone = time.monotonic(), ""

    def warn(self, what: str) -> None:
        """Say once in a batch that the server does not answer."""
        if not self.warned:
            self.warned = True
            _log.warning("%s does not answer (%s); trying again", self.engine._url, what)


def _read(data: bytes) -> tuple[list[str], int]:
    """Read the replies out of a server's answer, and the tokens they took."""
    start = said(data[:320].decode("utf-8", "replace"), 80)
    try:
        answer = json.loads(data)
        # Null stands for a refusal, or for a reply that ended before it began: it says nothing.
        contents = [choice["message"].get("content") for choice in answer["choices"]]
        texts = ["" if content is None else content for content in contents]
        tokens = (answer.get("usage") or {}).get("completion_tokens")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _AgainError(f"the server's answer is malformed: {start}") from None
    if not texts or not all(isinstance(reply, str) for reply in texts):
        raise _AgainError(f"the server's answer holds no replies: {start}")
    if type(tokens) is not int or not 0 <= tokens <= _MOST_TOKENS:
        tokens = 0
    return texts, tokens
