"""One request to a server that speaks the OpenAI chat protocol, and what its answer means.

Nothing of an answer is trusted: its size is bounded, and redirections are not followed.
Asking again is :mod:`curricula.difficulty.engines.chat_batch`'s business.
"""

from __future__ import annotations

import asyncio
import email.utils
import json
import math
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tracing.errors import ExecVerifyError, said, shorten

if TYPE_CHECKING:
    import httpx

__all__ = [
    "AgainError",
    "BusyError",
    "FailedError",
    "RefusedError",
    "SilentError",
    "UnreachedError",
    "send",
]

_GONE_FOR_GOOD = (401, 403, 404, 405)
_BUSY = 429
_MAY_PASS = (408, 409, 425)
"""Statuses that blame the request and may be others when it is sent again."""
_LARGEST = 64 << 20
"""Bytes of an answer that is read at most."""
_MOST_TOKENS = 1 << 40
"""A count beyond which a server's word for it is not taken."""
_LONGEST_PAUSE = 120.0
"""Seconds that are waited at most because a server asks for it."""


class FailedError(Exception):
    """A request brought no replies.

    Attributes:
        status: The answer's status, 0 where there is no answer or its content is at fault.
        after: Seconds for which the server wants to be left alone.
    """

    def __init__(self, what: str, *, status: int = 0, after: float = 0.0) -> None:
        super().__init__(what)
        self.status = status
        self.after = after


class AgainError(FailedError):
    """It failed in a way that may pass."""


class BusyError(AgainError):
    """The server counts requests, and there were too many."""


class SilentError(AgainError):
    """The request was sent, and no answer came."""


class UnreachedError(AgainError):
    """The server could not be reached, which says nothing about the request."""


class RefusedError(FailedError):
    """The server refuses this prompt, and would again."""


async def send(
    client: httpx.AsyncClient, url: str, body: Mapping[str, Any], timeout: float
) -> tuple[list[str], int]:
    """Send one request once.

    Args:
        client: What sends.
        url: Where to.
        body: The request, as JSON can hold it.
        timeout: Seconds that it may take.

    Returns:
        The replies, at most as many as were asked for, and the tokens they took.

    Raises:
        FailedError: There are none.
        ExecVerifyError: The server does not know the model, or wants a key.
    """
    import httpx

    try:
        async with asyncio.timeout(timeout):
            status, data, headers = await _post(client, url, body)
    except (httpx.HTTPError, TimeoutError) as error:
        unreached = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
        kind = UnreachedError if unreached else SilentError
        raise kind(f"no answer from the server ({type(error).__name__})") from error
    start = f": {said(data[:800].decode('utf-8', 'replace'), 200)}" if data else ""
    where = headers.get("location", "") if 300 <= status < 400 else ""
    if status in _GONE_FOR_GOOD or where:
        raise ExecVerifyError(
            f"{url} answers {status} for the model {shorten(str(body['model']))}"
            + (f": ask {said(where, 200)} instead if you trust it" if where else start)
        )
    if 400 <= status < 500 and status not in (*_MAY_PASS, _BUSY):
        raise RefusedError(f"the server refuses the prompt ({status}){start}", status=status)
    if status != 200:
        after = _pause(headers.get("retry-after", ""))
        passing = BusyError if status == _BUSY else AgainError
        raise passing(f"the server answers {status}{start}", status=status, after=after)
    texts, tokens = _read(data)
    return texts[: body["n"]], tokens


async def _post(
    client: httpx.AsyncClient, url: str, body: Mapping[str, Any]
) -> tuple[int, bytes, httpx.Headers]:
    """Send one request and read its answer: its status, content and headers."""
    async with client.stream("POST", url, json=body) as response:
        data = bytearray()
        async for piece in response.aiter_bytes(1 << 16):
            data += piece
            if len(data) > _LARGEST:
                raise AgainError(f"the server's answer is longer than {_LARGEST:,} bytes")
        return response.status_code, bytes(data), response.headers


def _pause(asked: str) -> float:
    """Read how many seconds a server wants to be left alone: a number of them, or a date."""
    try:
        seconds = float(asked)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(asked).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError, OSError):
            return 0.0
    return 0.0 if math.isnan(seconds) else min(max(seconds, 0.0), _LONGEST_PAUSE)


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
        raise AgainError(f"the server's answer is malformed: {start}") from None
    if not texts or not all(isinstance(reply, str) for reply in texts):
        raise AgainError(f"the server's answer holds no replies: {start}")
    if type(tokens) is not int or not 0 <= tokens <= _MOST_TOKENS:
        tokens = 0
    return texts, tokens
