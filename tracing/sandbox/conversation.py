"""Talks to one child: gives it its job, watches its clock, hears it out, ends it.

The clock starts when the child says that it is confined, and starts again with each
result. What a child waits for a processor is not its own time. Frames that are wrong,
missing, doubled or followed by more are a crash, whatever they say.
"""

from __future__ import annotations

import json
import signal
import struct
import time
from dataclasses import dataclass, field
from typing import Any

from tracing.errors import InfrastructureError, shorten
from tracing.limits import Limits
from tracing.sandbox import client, frames
from tracing.sandbox.confine import SCRATCH_FACTOR
from tracing.sandbox.records import Outcome

__all__ = ["ALL_TESTS", "PATIENCE", "Heard", "converse"]

ALL_TESTS = 10
"""All tests together may take this many times as long as one."""
PATIENCE = 2.0
"""How many times its own time a test may take by the clock on the wall, others included."""
STARVED = 0.2
"""Who got or used less than this part of its time when it is up is tried again."""
_START_SECONDS = 60.0
_LOOK_SECONDS = 0.1
"""How often to look at a scratch folder that nothing else bounds."""
_CHUNK = 1 << 16
_TEXTS = 8 << 20
"""The most bytes of all texts together, besides what is printed."""

_ENDS: dict[bytes, tuple[Outcome, str]] = {
    frames.END: ("finished", ""),
    frames.REFUSED: ("refused", ""),
    frames.FAILED: ("crashed", ""),
    frames.MEMORY: ("memory", "it needs more memory than it may use"),
    frames.OUTPUT: ("output", "it printed more than it may"),
}


class _ChildError(Exception):
    """The child ended in another way than by finishing."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome: Outcome = outcome
        self.reason = reason


@dataclass(slots=True)
class Heard:
    """What a child said, and how it ended.

    Attributes:
        outcome: As in :class:`tracing.sandbox.records.Execution`.
        reason: Why it did not finish; empty when it did.
        results: The frames of the tests that were completed, in order.
        layers: The layers that it confined itself with.
        seconds: Its CPU time.
        idle: Whether its time went by with next to no CPU time: it slept, or the machine
            stood still, which nobody inside a machine can tell apart.
    """

    outcome: Outcome = "crashed"
    reason: str = ""
    results: list[frames.Frame] = field(default_factory=list)
    layers: tuple[str, ...] = ()
    seconds: float = 0.0
    idle: bool = False


class _Clock:
    """The own time of a child: by the wall, less what it waited for a processor.

    Threads that keep each other waiting do not count as waiting: what all of them use of
    the processors is own time too.
    """

    def __init__(self, child: client.Child, seconds: float) -> None:
        self.child = child
        self.seconds = seconds
        self.restart()

    def restart(self) -> None:
        self.started = time.monotonic()
        self.waited = self.child.waited()
        self.used = self.child.used()

    def wall(self) -> float:
        return time.monotonic() - self.started

    def own(self) -> float:
        used = self.child.used() - self.used
        waited = self.child.waited()
        if self.waited is None or waited is None:
            return used
        return max(used, self.wall() - (waited - self.waited))

    def left(self) -> float:
        """How long to listen before looking again; not positive when the time is up."""
        if (wall := self.wall()) < self.seconds:
            return self.seconds - wall
        return min(self.seconds - self.own(), PATIENCE * self.seconds - wall)

    def starved(self) -> bool:
        """Whether the time went by with others at the processors: that is no verdict."""
        if self.wall() < PATIENCE * self.seconds or self.child.waited() is None:
            return False
        return self.own() < STARVED * self.seconds

    def idle(self) -> bool:
        """Whether the time is up with next to none of it used."""
        return self.left() <= 0 and self.child.used() - self.used < STARVED * self.seconds


def converse(job: dict[str, Any], count: int, limits: Limits) -> Heard:
    """Have one job done by a new child.

    Args:
        job: What the child gets, see :mod:`tracing.sandbox.child`; the limits are added.
        count: How many results it has to give.
        limits: Its limits.

    Returns:
        What came of it; the child is gone, and so are its files.

    Raises:
        InfrastructureError: The machine failed.
    """
    seconds = limits.seconds * min(count, ALL_TESTS)
    allowed = {"seconds": seconds, "memory": limits.memory, "output": limits.output}
    text = json.dumps({**job, **allowed}).encode()
    try:
        child = client.current().spawn()
    except OSError as error:
        raise InfrastructureError(f"no sandboxed child could be started: {error}") from error
    talk = _Talk(child, count, limits)
    failure: _ChildError | None = None
    try:
        talk.send(text)
        talk.listen()
    except _ChildError as error:
        failure = error
    finally:
        ended = child.end()
    heard = talk.heard
    heard.seconds = ended.seconds
    failure = failure or talk.judge(ended)
    if failure is not None:
        heard.outcome, heard.reason = failure.outcome, failure.reason
    return heard


class _Talk:
    """One conversation: what was heard so far, and the clocks that run."""

    def __init__(self, child: client.Child, count: int, limits: Limits) -> None:
        self.child = child
        self.count = count
        self.heard = Heard()
        self.last: frames.Frame | None = None
        self.reader = frames.Reader(limits.output, _TEXTS + 8 * limits.output)
        self.clocks: tuple[_Clock, ...] = ()
        self.over: _ChildError | InfrastructureError | None = None
        self.space = SCRATCH_FACTOR * limits.output + (1 << 20)
        self.seconds = (limits.seconds, limits.seconds * min(count, ALL_TESTS))

    def send(self, text: bytes) -> None:
        """Send the job; what takes it is still our own code."""
        self.child.channel.settimeout(_START_SECONDS)
        try:
            self.child.channel.sendall(struct.pack("!Q", len(text)) + text)
        except OSError as error:
            raise InfrastructureError(f"a sandboxed child took no job: {error}") from error

    def listen(self) -> None:
        """Hear the child out, up to the end of what it sends."""
        while data := self.receive():
            try:
                for frame in self.reader.feed(data):
                    self.hear(frame)
            except frames.FrameError as error:
                raise _ChildError("crashed", str(error)) from None

    def receive(self) -> bytes:
        """Wait for the next bytes; none are the end."""
        while True:
            left = self.left()
            if left <= 0 and self.over is None:
                # What it said in time counts, even when this thread comes late to hear it.
                self.over = self.why_over()
                self.child.kill()
            self.child.channel.settimeout(max(left, 0.002) if self.over is None else _START_SECONDS)
            try:
                return self.child.channel.recv(_CHUNK)
            except TimeoutError:
                if not self.clocks or self.over is not None:
                    raise InfrastructureError("a sandboxed child does not answer") from None
            except ConnectionError:
                return b""

    def left(self) -> float:
        """How long to listen before looking at the clocks and the scratch folder again."""
        if not self.clocks:
            return _START_SECONDS
        left = min(clock.left() for clock in self.clocks)
        if "scratch" in self.heard.layers:
            return left
        return 0.0 if self.child.written() > self.space else min(left, _LOOK_SECONDS)

    def why_over(self) -> _ChildError | InfrastructureError:
        if "scratch" not in self.heard.layers and self.child.written() > self.space:
            return _ChildError("output", "it wrote more to files than it may")
        if any(clock.starved() for clock in self.clocks):
            return InfrastructureError("a sandboxed child got next to no processor time")
        self.heard.idle = any(clock.idle() for clock in self.clocks)
        return _ChildError("timeout", "it ran out of time")

    def hear(self, frame: frames.Frame) -> None:
        """Take in one frame."""
        if self.last is not None:
            raise frames.FrameError("it sent more after its end")
        if frame.kind == frames.READY and not self.clocks:
            self.heard.layers = tuple(frame.text.split())
            self.clocks = tuple(_Clock(self.child, seconds) for seconds in self.seconds)
        elif frame.kind in frames.RESULTS and self.clocks and self.missing:
            self.heard.results.append(frame)
            self.clocks[0].restart()
        elif frame.kind in _ENDS:
            self.last = frame
        else:
            raise frames.FrameError("it sent results that nobody asked for")

    @property
    def missing(self) -> int:
        """How many results have not come."""
        return self.count - len(self.heard.results)

    def judge(self, ended: client.Ended) -> _ChildError | None:
        """Tell what is wrong with a child that went by itself; sets the outcome if nothing is."""
        if not self.clocks and (self.last is None or self.last.kind == frames.FAILED):
            reason = self.last.text if self.last is not None else f"it {_status(ended)}"
            raise InfrastructureError(f"a sandboxed child could not start: {reason}")
        if not self.reader.is_empty and self.over is None:
            return _ChildError("crashed", "it ended in the middle of a result")
        if self.last is None and self.over is not None:
            if isinstance(self.over, InfrastructureError):
                raise self.over
            return self.over
        if self.last is None:
            return _early(ended)
        outcome, reason = _ENDS[self.last.kind]
        if outcome == "finished" and self.missing:
            return _ChildError("crashed", "it ended before it had given all results")
        if outcome == "finished" and ended.code not in (0, -signal.SIGKILL):
            return _ChildError("crashed", f"it gave all results but {_status(ended)}")
        self.heard.outcome, self.heard.reason = outcome, reason or shorten(self.last.text, 200)
        return None


def _early(ended: client.Ended) -> _ChildError:
    """Say why a child ended without saying so."""
    if ended.code == -signal.SIGXCPU:
        return _ChildError("timeout", "it ran out of time")
    return _ChildError("crashed", f"it {_status(ended)} before it had given all results")


def _status(ended: client.Ended) -> str:
    if ended.code >= 0:
        return f"left with status {ended.code}"
    try:
        return f"was ended by {signal.Signals(-ended.code).name}"
    except ValueError:
        return f"was ended by signal {-ended.code}"
