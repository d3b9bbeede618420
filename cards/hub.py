"""Talks to the Hub through its own client, and says in one sentence what goes wrong.

What may succeed a moment later (a lost connection, 429, 5xx) is tried again; what may not
(401, 403, 404, 409) is not. The client's own messages are never passed on: they may quote
headers, and so a token.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, TypeVar

from cards.errors import HubError
from tracing.errors import UsageError, in_a_line, shorten

__all__ = ["PAUSES", "Lost", "check_token", "checked_repo_id", "client", "told", "trying"]

_T = TypeVar("_T")
PAUSES = (1.0, 4.0)
"""Seconds between tries; the client itself has waited before the first."""
_LONGEST_PAUSE = 60.0


class Lost(HubError):
    """The connection was lost, or the Hub failed: whether it did what was asked is not known."""


def checked_repo_id(repo_id: str) -> str:
    """Check the name of a repository.

    Args:
        repo_id: ``"owner/name"``.

    Returns:
        The same.

    Raises:
        UsageError: The Hub takes no such name.
    """
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

    try:
        validate_repo_id(repo_id)
        is_whole = "/" in str(repo_id)
    except HFValidationError:
        is_whole = False
    if not is_whole:
        raise UsageError(
            f"{shorten(repr(repo_id))} is no name of a repository; write owner/name, of letters, "
            "digits, -, _ and ."
        )
    return repo_id


def check_token(repo_id: str, token: str | bool | None = None) -> None:
    """Check that there is a token that the Hub accepts, before the work that needs it.

    Args:
        repo_id: The repository that is to be written, for the message.
        token: A token; None for the usual places.

    Raises:
        HubError: There is none, or the Hub does not accept it.
    """
    trying("begin the upload", repo_id, client(token).whoami)


def trying(what: str, repo_id: str, call: Callable[[], _T], *, again: bool = True) -> _T:
    """Call the Hub's client, again where that helps.

    Args:
        what: What is being done, for the message: ``"upload the data"``.
        repo_id: The repository.
        call: Calls the client.
        again: Whether it may be repeated after a lost connection.

    Returns:
        What the client gives.

    Raises:
        Lost: The connection was lost, and trying again did not help or is not allowed.
        HubError: The Hub refuses.
    """
    for place in range(len(PAUSES) + 1):
        try:
            return call()
        except Exception as error:
            known = told(error, what, repo_id)
            if known is None:
                raise
            is_last = place == len(PAUSES) or not _may_help(error, again)
            if is_last:
                raise known from None
            time.sleep(_pause(error, place))
    raise AssertionError("unreachable")


def _may_help(error: Exception, again: bool) -> bool:
    """Tell whether the same request may succeed a moment later."""
    status = _status(error)
    if status is None:
        return again
    return status == 429 or (again and status >= 500)


def _pause(error: Exception, place: int) -> float:
    response = getattr(_cause(error), "response", None)
    asked = getattr(response, "headers", {}).get("Retry-After", "")
    return min(float(asked), _LONGEST_PAUSE) if asked.isdigit() else PAUSES[place]


def _cause(error: Exception) -> BaseException:
    """Give the Hub's answer that a download wraps, or the error itself."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    if isinstance(error, LocalEntryNotFoundError) and error.__cause__ is not None:
        return error.__cause__
    return error


def _status(error: Exception) -> int | None:
    response = getattr(_cause(error), "response", None)
    status = getattr(response, "status_code", None)
    return status if isinstance(status, int) else None


def told(error: Exception, what: str, repo_id: str) -> HubError | None:
    """Word an error of the Hub's client.

    Args:
        error: What was raised.
        what: What was being done.
        repo_id: The repository.

    Returns:
        The error to raise instead, or None where it is none of the Hub's.
    """
    from huggingface_hub.errors import (
        BadRequestError,
        HfHubHTTPError,
        LocalEntryNotFoundError,
        LocalTokenNotFoundError,
    )

    failed = f"could not {what} of {repo_id}"
    if isinstance(error, LocalTokenNotFoundError):
        return HubError(f"{failed}: there is no token; run `hf auth login` or set HF_TOKEN")
    status = _status(error)
    if status is not None and isinstance(_cause(error), HfHubHTTPError):
        kind = Lost if status >= 500 else HubError
        return kind(f"{failed}: {_reason(status)}")
    if isinstance(error, json.JSONDecodeError):
        return Lost(f"{failed}: the Hub's answer is not whole; run the same again")
    if isinstance(error, ValueError) and isinstance(error.__cause__, BadRequestError):
        return HubError(f"{failed}: the Hub does not take the card; {in_a_line(error, 60)}")
    # The client's HTTP library changes between its versions; its base class is known by this.
    # A download that finds no connection says that the file is not on this machine.
    lost = (HfHubHTTPError.__mro__[1], LocalEntryNotFoundError, ConnectionError, TimeoutError)
    if isinstance(error, lost):
        return Lost(
            f"{failed}: the connection to the Hub was lost; run the same again, what has "
            "arrived is kept"
        )
    return None


def _reason(status: int) -> str:
    if status in _REASONS:
        return _REASONS[status]
    kind = "the Hub has a problem; try again later" if status >= 500 else "the Hub refuses it"
    return f"{kind} (status {status})"


_REASONS: dict[int, str] = {
    401: "the Hub does not accept the token, or asks for one; run `hf auth login` or set HF_TOKEN",
    403: "the token may not do this; use one that may write to this repository",
    404: "there is no such repository or revision, or the token may not see it",
    409: "somebody else changed the repository meanwhile, or it is there already; look, and try "
    "again",
    412: "somebody else changed the repository meanwhile; try again",
    413: "the Hub takes no file of this size",
    429: "the Hub asks to slow down; try again in some minutes",
}


def client(token: str | bool | None = None) -> Any:
    """Open the Hub's client.

    Args:
        token: A token; None for the usual places (HF_TOKEN, the login of ``hf``).

    Returns:
        A ``huggingface_hub.HfApi``.
    """
    from huggingface_hub import HfApi

    return HfApi(token=token)
