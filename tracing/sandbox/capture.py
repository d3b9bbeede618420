"""Catches what a program prints, at the level of descriptors, and feeds it its input.

Descriptors 0 and 1 are files of their own, so that ``print``, ``os.write`` and
``sys.stdout.buffer`` all count, and a flood ends at the limit on file sizes.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TextIO

__all__ = ["Capture"]


class Capture:
    """The standard streams of one child.

    Args:
        scratch: A folder for the files where the system has none without a name.
        limit: The most that one test may print, in bytes.
    """

    def __init__(self, scratch: str, limit: int) -> None:
        self._limit = limit
        self._in, self._out = _file(scratch), _file(scratch)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.close(null)

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What must stay open."""
        return self._in, self._out

    def start(self, data: bytes) -> None:
        """Begin a test: an input to read, an empty output, and new ``sys`` streams.

        Args:
            data: What standard input holds.
        """
        for descriptor in self.descriptors:
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.ftruncate(descriptor, 0)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._in, rest) :]
        os.lseek(self._in, 0, os.SEEK_SET)
        os.dup2(self._in, 0)
        os.dup2(self._out, 1)
        for name, stream in (("stdin", _text(0, "r")), ("stdout", _text(1, "w"))):
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)

    def stop(self) -> bytes | None:
        """End a test.

        Returns:
            What it printed, or None when that is too much.
        """
        for stream in (sys.stdout, sys.__stdout__):
            _flush(stream)
        size = os.fstat(self._out).st_size
        return None if size > self._limit else os.pread(self._out, size, 0)


def _flush(stream: TextIO | None) -> None:
    """Flush as the interpreter does when it exits: whatever goes wrong is passed over."""
    with contextlib.suppress(BaseException):
        stream.flush()  # type: ignore[union-attr]


def _file(folder: str) -> int:
    """Open a file that has no name."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("stream")
    import tempfile  # loads much, and Linux does without

    descriptor, path = tempfile.mkstemp(dir=folder)
    os.unlink(path)
    return descriptor


def _text(descriptor: int, mode: str) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, mode, closefd=False)
    buffer: io.BufferedReader | io.BufferedWriter
    buffer = io.BufferedReader(raw) if mode == "r" else io.BufferedWriter(raw)
    # As the interpreter opens them: no line ending is translated.
    stream: io.TextIOWrapper = io.TextIOWrapper(
        buffer, encoding="utf-8", errors="surrogateescape", newline="\n"
    )
    stream.mode = mode  # type: ignore[misc]
    return stream
