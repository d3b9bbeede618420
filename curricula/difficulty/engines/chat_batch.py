"""A batch of prompts under way at a server that speaks the OpenAI chat protocol.

Requests go out side by side, up to a bound, each asking for all replies to one prompt at
once, or for as many as the server gives. What fails is asked again with growing pauses, so a
run survives a server's restart; what the server refuses for good is reported. What one
answer means is :mod:`curricula.difficulty.engines.chat_request`'s business.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from curricula.difficulty.engines.base import Completion, Messages
from curricula.difficulty.engines.chat_request import (
    AgainError,
    BusyError,
    FailedError,
    RefusedError,
    SilentError,
    UnreachedError,
    send,
)

if TYPE_CHECKING:
    import httpx
    from tenacity import RetryCallState

__all__ = ["Batch", "Server"]

_REFUSING, _FAILING = (400, 422), (500, 501)
"""What servers answer that do not give several replies to one request."""
_ACCIDENTS = 3
"""Times that a request for several may fail before fewer are asked for: a server that fails now
and then gives other replies to several requests than to one."""
_DECLINED = 2
"""Times that a server must have declined to give several replies; one may be an accident."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Server:
    """A server, how it is asked, and how many replies it was found to give at once.

    Attributes:
        url: Where requests go.
        concurrency: Requests under way at the same time.
        attempts: How often one request is sent while the server answers others.
        patience: Seconds without any reply from the server after which it is given up.
        timeout: Seconds that one request may take.
        pause: Seconds before the first repetition; it doubles, up to half a minute.
        given: Most replies that one request has brought.
        declined: Requests for more that failed where one for as many was answered.
    """

    url: str
    concurrency: int
    attempts: int
    patience: float
    timeout: float
    pause: float
    given: int = 1
    declined: int = 0

    def take(self, replies: int) -> None:
        """Note that a request brought so many replies."""
        if replies > self.given:
            self.given, self.declined = replies, 0

    def fitting(self, missing: int) -> int:
        """Say how many replies to ask for at once where so many are missing."""
        return missing if self.declined < _DECLINED else min(missing, self.given)


@dataclass
class Batch:
    """One batch under way, in the event loop of a thread of its own.

    Attributes:
        server: Whom to ask.
        prompts: The conversations.
        n: Replies to each.
        body: Makes the JSON of a request for so many replies.
    """

    server: Server
    prompts: Sequence[Messages]
    n: int
    body: Callable[[Messages, int], dict[str, Any]]
    _done: queue.SimpleQueue[Completion | BaseException | None] = field(
        default_factory=queue.SimpleQueue
    )
    _heard: float = field(default_factory=time.monotonic)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _main: asyncio.Task[None] | None = None
    _warned: bool = False
    _gone: str = ""
    """Why the server was given up, until it is heard again."""

    def completions(self) -> Iterator[Completion]:
        """Ask all prompts.

        Yields:
            One completion for each, in the order in which they come.

        Raises:
            ExecVerifyError: The server does not know the model, or wants a key.
        """
        # A thread of its own, since the caller may stand in an event loop (a notebook does).
        thread = threading.Thread(target=self._run, name="openai-engine", daemon=True)
        thread.start()
        try:
            while (item := self._done.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            self._stop()
            thread.join()

    def _run(self) -> None:
        """Run the batch to its end, then say that nothing more will come."""
        try:
            self._main = self._loop.create_task(self._all())
            self._loop.run_until_complete(self._main)
        except asyncio.CancelledError:
            pass
        except BaseException as error:  # noqa: BLE001  handed to the caller's thread, which raises it
            self._done.put(error)
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()
            self._done.put(None)

    def _stop(self) -> None:
        """End the batch early; does nothing after its end."""
        try:
            self._loop.call_soon_threadsafe(lambda: self._main and self._main.cancel())
        except RuntimeError:
            return  # the loop is closed: all is done

    async def _all(self) -> None:
        """Ask all prompts, a bounded number at a time."""
        import httpx

        key = os.environ.get("EXECVERIFY_API_KEY")
        todo = iter(enumerate(self.prompts))
        width, timeout = self.server.concurrency, self.server.timeout
        async with httpx.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else None,
            limits=httpx.Limits(max_connections=width, max_keepalive_connections=width),
            timeout=httpx.Timeout(timeout, connect=min(30.0, timeout)),
            trust_env=False,
        ) as client:

            async def worker() -> None:
                for place, messages in todo:
                    self._done.put(await self._one(client, place, messages))

            workers = [asyncio.ensure_future(worker()) for _ in range(width)]
            try:
                await asyncio.gather(*workers)
            finally:
                for task in workers:
                    task.cancel()
                await asyncio.gather(*workers, return_exceptions=True)

    async def _one(self, client: httpx.AsyncClient, place: int, messages: Messages) -> Completion:
        """Ask until all replies to one prompt are there, or it is given up."""
        texts: list[str] = []
        tokens = 0
        if self._gone:
            return Completion(place, (), error=self._gone)
        try:
            while len(texts) < self.n:  # some servers give one reply, however many are asked for
                more, used = await self._insist(client, messages, self.n - len(texts))
                texts += more
                tokens += used
        except FailedError as error:
            refused = isinstance(error, RefusedError)
            return Completion(place, tuple(texts), tokens, str(error), refused)
        return Completion(place, tuple(texts), tokens)

    async def _insist(
        self, client: httpx.AsyncClient, messages: Messages, missing: int
    ) -> tuple[list[str], int]:
        """Ask for the missing replies until some come."""
        import tenacity

        begun = failed = time.monotonic()
        counted = 0

        def is_hopeless(state: RetryCallState) -> bool:
            # Failures count against a request only where the server answered others meanwhile:
            # since the request began, or, where no answer comes, since its last failure.
            # Else a restart that outlasts a few pauses would use up the attempts. A server
            # that goes answers what it has while it takes nothing more; that counts for nobody.
            # Nor does it where the server is asked too often: that is not the prompt's fault.
            nonlocal failed, counted
            error = state.outcome.exception() if state.outcome else None
            if not isinstance(error, (UnreachedError, BusyError)):
                counted += self._heard > (failed if isinstance(error, SilentError) else begun)
            failed = time.monotonic()
            if counted >= self.server.attempts:
                return True
            if time.monotonic() - max(self._heard, begun) <= self.server.patience:
                return False
            self._gone = str(error) if error else "no answer"
            return True

        growing = tenacity.wait_random_exponential(self.server.pause, max=30)

        def pause(state: RetryCallState) -> float:
            # Both, lest all who were told the same come back at the same moment.
            error = state.outcome.exception() if state.outcome else None
            return growing(state) + (error.after if isinstance(error, FailedError) else 0.0)

        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(AgainError),
            stop=is_hopeless,
            wait=pause,
            reraise=True,
        )
        async for attempt in retrying:
            with attempt:
                number = attempt.retry_state.attempt_number
                return await self._ask(client, messages, missing, number > _ACCIDENTS)
        raise AgainError("the request was never sent")

    async def _ask(
        self, client: httpx.AsyncClient, messages: Messages, missing: int, has_failed: bool
    ) -> tuple[list[str], int]:
        """Ask for the missing replies once; where several may be too many, for fewer at once."""
        n = self.server.fitting(missing)
        try:
            return await self._send(client, messages, n)
        except FailedError as error:
            fewer = self.server.given
            too_many = error.status in _REFUSING or (has_failed and error.status in _FAILING)
            if n <= fewer or not too_many:
                raise
        found = await self._send(client, messages, fewer)
        self.server.declined += 1
        return found

    async def _send(
        self, client: httpx.AsyncClient, messages: Messages, n: int
    ) -> tuple[list[str], int]:
        """Send one request once, and note what it tells of the server."""
        server = self.server
        try:
            texts, tokens = await send(client, server.url, self.body(messages, n), server.timeout)
        except RefusedError:
            self._hear()
            raise
        except AgainError as error:
            self._warn(error)
            raise
        self._hear()
        server.take(len(texts))
        return texts, tokens

    def _hear(self) -> None:
        """Note that the server is there."""
        self._heard, self._gone = time.monotonic(), ""

    def _warn(self, error: AgainError) -> None:
        """Say once in a batch that the server fails."""
        if not self._warned:
            self._warned = True
            cause = f" ({error.__cause__})" if error.__cause__ else ""
            _log.warning("%s: %s%s; trying again", self.server.url, error, cause)
