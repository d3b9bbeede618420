"""What a child says to the parent: frames of a kind and two short texts.

A child that runs hostile code may send anything whatever, so :class:`Reader` believes
nothing: it counts, it bounds, and it tells the first thing that is wrong. No frame
holds more than text; what the text means is for others to read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = [
    "END",
    "EXCEPTION",
    "FAILED",
    "MAX_TEXT",
    "MEMORY",
    "NO_LITERAL",
    "OUTPUT",
    "READY",
    "REFUSED",
    "RESULTS",
    "RESULT_SCALE",
    "VALUE",
    "Frame",
    "FrameError",
    "Reader",
    "pack",
]

_HEADER = struct.Struct("!cII")
RESULT_SCALE = 10
"""What a program returns may be this many times longer than a value that is asked about."""
MAX_TEXT = 800_000
"""The longest first text, in bytes: a literal of 200,000 characters."""

READY = b"R"
"""The child is confined and starts; the text lists its layers."""
VALUE, EXCEPTION, NO_LITERAL = b"V", b"X", b"N"
"""One test's result: a literal, the name of an exception, why a value has no literal."""
REFUSED, FAILED = b"F", b"C"
"""The program cannot be run, or broke before the first test; the text says why."""
MEMORY, OUTPUT = b"M", b"O"
"""The memory or the output of a test grew past its limit."""
END = b"E"
"""Every test has its result."""
RESULTS = frozenset({VALUE, EXCEPTION, NO_LITERAL})
_KINDS = RESULTS | {READY, REFUSED, FAILED, MEMORY, OUTPUT, END}


class FrameError(Exception):
    """The bytes are no frames, or more than were asked for."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message.

    Attributes:
        kind: One of the kinds above.
        text: What it says.
        stdout: What the test printed.
    """

    kind: bytes
    text: str
    stdout: str


def pack(kind: bytes, text: str = "", stdout: bytes = b"") -> bytes:
    """Write a frame.

    Args:
        kind: One of the kinds above.
        text: What it says.
        stdout: What the test printed.

    Returns:
        The bytes to send.
    """
    data = text.encode("utf-8", "surrogatepass")
    return _HEADER.pack(kind, len(data), len(stdout)) + data + stdout


class Reader:
    """Cuts what arrives into frames.

    Args:
        stdout: The most bytes that one test may have printed.
        total: The most bytes of all frames together.
    """

    def __init__(self, stdout: int, total: int) -> None:
        self._stdout = stdout
        self._left = total
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Take in bytes.

        Args:
            data: What arrived.

        Yields:
            The frames that are complete now.

        Raises:
            FrameError: They are wrong, or too many.
        """
        self._left -= len(data)
        if self._left < 0:
            raise FrameError("it sent more than all its results may hold")
        self._buffer += data
        while (frame := self._next()) is not None:
            yield frame

    @property
    def is_empty(self) -> bool:
        """Whether no part of a frame is left over."""
        return not self._buffer

    def _next(self) -> Frame | None:
        if len(self._buffer) < _HEADER.size:
            return None
        kind, text, stdout = _HEADER.unpack_from(self._buffer)
        if kind not in _KINDS or text > MAX_TEXT or stdout > self._stdout:
            raise FrameError("it sent something else than results")
        size = _HEADER.size + text + stdout
        if len(self._buffer) < size:
            return None
        body = bytes(self._buffer[_HEADER.size : size])
        del self._buffer[:size]
        return Frame(kind, _decode(body[:text]), body[text:].decode("utf-8", "replace"))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise FrameError("it sent bytes that are no text") from None
