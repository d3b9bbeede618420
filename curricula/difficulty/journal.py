"""The journal of a grading run: what was replied and how it scored, on disk as it comes.

A file of lines of JSON that only grows. Every line is handed to the system before the next is
made, so a killed run loses nothing that it had written; a line that a kill or a full disk cut
short is dropped when the file is opened again, and asked for again. One process writes at a
time; a lock sees to that where the file system has them. Scoring is not done
here, nor are results worked out.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from tracing.errors import ExecVerifyError, said, shorten

__all__ = ["Entry", "Journal", "entries_of", "prompt_digest"]

SYNC_SECONDS = 1.0
"""At most so much work is lost where not the process but the machine dies."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Replies to one prompt that came together.

    Attributes:
        problem: The problem's id.
        prompt: Hash of the prompt, by :func:`prompt_digest`.
        first: How many replies to the prompt came before these.
        replies: The texts.
        reasons: For each, why it is wrong; an empty text for a right one.
        tokens: Tokens of the replies together.
    """

    problem: str
    prompt: str
    first: int
    replies: tuple[str, ...]
    reasons: tuple[str, ...]
    tokens: int


def prompt_digest(messages: Sequence[Mapping[str, str]]) -> str:
    """Name a prompt in a journal.

    Args:
        messages: The conversation.

    Returns:
        Sixteen hexadecimal digits of its hash.
    """
    text = json.dumps([dict(message) for message in messages], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Journal:
    """An open journal; a context manager.

    Args:
        path: The file; made where there is none.
        header: What the replies depend on; must be the same each time.

    Raises:
        ExecVerifyError: The file is another run's, is in use, or is no journal.
    """

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self._synced = time.monotonic()
        if path.exists() and not path.is_file():  # a pipe would be waited for, a device never ends
            raise ExecVerifyError(f"{path} is no file; choose another journal")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise ExecVerifyError(f"{path} cannot be written: {error.strerror}") from None
        try:
            self._lock()
            self._open(_line(header))
        except BaseException:
            self._file.close()
            raise

    def read(self) -> Iterator[Entry]:
        """Read what the journal holds.

        Yields:
            The entries in the order in which they came.

        Raises:
            ExecVerifyError: A line is no entry.
        """
        return entries_of(self.path)

    def add(self, entry: Entry) -> None:
        """Put an entry on disk.

        Args:
            entry: Replies that were scored.

        Raises:
            ExecVerifyError: The disk is full, or gone.
        """
        self._write(_line(asdict(entry)))

    def close(self) -> None:
        """Put everything on disk and let others have the file."""
        if not self._file.closed:
            os.fsync(self._file.fileno())
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ExecVerifyError(
                f"{self.path} is in use by another run; wait for it, or choose another journal"
            ) from None
        except OSError:
            pass  # a file system without locks, as some networks have

    def _open(self, header: bytes) -> None:
        """Check whose journal this is, and drop a line that was cut short."""
        first, whole = b"", 0
        with self.path.open("rb") as stream:
            for line in stream:
                first = first or line
                whole += len(line) if line.endswith(b"\n") else 0
        if first != header and not (whole == 0 and header.startswith(first)):
            # Before anything is dropped: the file may be no journal at all.
            begun = shorten(first.decode("utf-8", "replace").strip(), 300)
            raise ExecVerifyError(
                f"{self.path} was begun with {begun}, not with "
                f"{shorten(header.decode().strip(), 300)}; delete it if its replies are not "
                "wanted, or choose another journal"
            )
        self._file.truncate(whole)
        if not whole:
            self._write(header)

    def _write(self, line: bytes) -> None:
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) :]
            if time.monotonic() - self._synced > SYNC_SECONDS:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
        except OSError as error:
            raise ExecVerifyError(
                f"{self.path} cannot be written: {error.strerror}; what it holds is kept, "
                "and the run goes on from there when started again"
            ) from None


def entries_of(path: Path) -> Iterator[Entry]:
    """Read the entries of a journal, but for one that is just being written.

    Args:
        path: The file.

    Yields:
        Its entries in the order in which they came.

    Raises:
        ExecVerifyError: It cannot be read, or is no journal.
    """
    try:
        with path.open("rb") as stream:
            stream.readline()
            for line in stream:
                if line.endswith(b"\n"):
                    yield _entry(line, path)
    except OSError as error:
        raise ExecVerifyError(f"{path} cannot be read: {error.strerror}") from None


def _line(columns: Mapping[str, Any]) -> bytes:
    # Text of a model may hold half of a surrogate pair, which only an escape can carry.
    return json.dumps(columns, separators=(",", ":")).encode("ascii") + b"\n"


def _entry(line: bytes, path: Path) -> Entry:
    try:
        columns = json.loads(line)
        lists = {name: _texts(columns[name]) for name in ("replies", "reasons")}
        if len(lists["replies"]) != len(lists["reasons"]):
            raise ValueError("there are not as many reasons as replies")
        for name in ("problem", "prompt"):
            if not isinstance(columns[name], str):
                raise ValueError(f"{name} is {said(columns[name])}, and no text")
        for name in ("first", "tokens"):
            if type(columns[name]) is not int or columns[name] < 0:
                raise ValueError(f"{name} is {said(columns[name])}, and no count")
        return Entry(**{**columns, **lists})
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ExecVerifyError(
            f"{path} is no journal of a grading run: {shorten(str(error))}"
        ) from None


def _texts(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise ValueError(f"{said(given)} is no list of texts")
    return tuple(given)
