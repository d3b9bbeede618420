"""The parent's side of the tracing workers: starts, feeds, recycles and ends them.

A :class:`Lane` holds one worker for each hash seed and is used by one thread at a
time. Workers are forked from small servers that this process starts by exec, one for
each hash seed, and that live as long as it does. A worker that dies says something
about the job that it was at (a :class:`Death`); the jobs behind that one go to a new
worker.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tracing.errors import InfrastructureError
from tracing.job import Tracer
from tracing.limits import Limits
from tracing.server import SPENT, message_in, send

__all__ = ["Death", "Job", "Lane", "lane"]

RECYCLE = 500
"""Jobs after which a worker is replaced, so that what programs leave behind is dropped."""
MAX_LOSSES = 2
"""Workers that may be lost to somebody else's kill before a run is given up."""
MAX_REPLY = 32 << 20
"""The longest record that is taken, in bytes."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run in a worker.

    Attributes:
        source: The program.
        call: The call.
        tracer: How it is traced.
        values: Whether the values of variables are recorded.
        alone: The program is not tame: its worker runs nothing else, before or after.
    """

    source: str
    call: str
    tracer: Tracer
    values: bool
    alone: bool


@dataclass(frozen=True, slots=True)
class Death:
    """How a worker ended during a job.

    Attributes:
        outcome: ``"timeout"`` or ``"unsupported"``.
        reason: A sentence.
        by_kill: It was killed, by the program or by somebody else.
        is_spent: It ended itself, since earlier jobs had used up its memory.
    """

    outcome: str
    reason: str
    by_kill: bool = False
    is_spent: bool = False


# The packages' own __init__ would load what only this side needs, into every worker.
_SERVE = """\
import sys, types
for name in ("tracing", "tracing.sandbox"):
    sys.modules[name] = package = types.ModuleType(name)
    package.__path__ = [{here!r} + name[7:].replace(".", "/")]
sys.modules["tracing"].sandbox = package
import tracing.server as server
server.serve({control})
"""


class _Server:
    """A process that forks workers with one hash seed."""

    def __init__(self, seed: int) -> None:
        self.lock = threading.Lock()
        self.control, theirs = socket.socketpair()
        code = _SERVE.format(here=str(Path(__file__).resolve().parent), control=theirs.fileno())
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-S", "-s", "-P", "-B", "-c", code],
                env={"PYTHONHASHSEED": str(seed), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # a Ctrl-C is the parent's to handle
            )

    def fork(self, memory: int) -> tuple[int, socket.socket]:
        """Start a worker; give its pid and our end of its socket."""
        ours, theirs = socket.socketpair()
        with theirs, self.lock:
            socket.send_fds(self.control, [b"F%d" % memory], [theirs.fileno()])
            reply = self.control.recv(64)
        if not reply:
            ours.close()
            raise BrokenPipeError("the server of the tracing workers is gone")
        return int(reply), ours

    def end(self, pid: int) -> int:
        """Kill a worker that may be dead already; give its wait status."""
        # Its pid is not reused: the server has not waited for it yet.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with self.lock:
            self.control.sendall(b"W%d" % pid)
            reply = self.control.recv(64)
        if not reply:
            raise BrokenPipeError("the server of the tracing workers is gone")
        return int(reply)

    def stop(self) -> None:
        self.control.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class _Worker:
    """A process that runs jobs one after the other."""

    def __init__(self, server: _Server, limits: Limits) -> None:
        self.server = server
        self.memory = limits.memory
        self.jobs = 0
        self.unread = bytearray()
        self.pid, self.channel = server.fork(limits.memory)

    def give(self, jobs: Sequence[Job], limits: Limits) -> None:
        """Send jobs; the worker reads all of them before it runs the first."""
        self.jobs += len(jobs)
        shared = {"steps": limits.steps, "seconds": limits.seconds, "output": limits.output}
        plain = [
            {"source": j.source, "call": j.call, "tracer": j.tracer, "values": j.values, **shared}
            for j in jobs
        ]
        send(self.channel, json.dumps(plain).encode())

    def take(self, limits: Limits) -> bytes | Death:
        """Wait for the next record, or for the worker's end."""
        while True:
            record = message_in(self.unread, MAX_REPLY)
            if record is not None:
                return record
            # Never a blocking read: a program may send half a message and then sleep.
            if not self.wait(limits):
                self.end()
                return Death("timeout", f"the run waited for longer than {limits.seconds} s")
            try:
                data = self.channel.recv(1 << 18)
            except ConnectionError:
                data = b""
            if not data or len(self.unread) > MAX_REPLY:
                return _death(self.end(), limits)
            self.unread += data

    def wait(self, limits: Limits) -> bool:
        """Wait for data; give up on a worker that sleeps, not on one that gets no CPU."""
        start = time.monotonic()
        asleep = 0
        while not select.select([self.channel], [], [], limits.seconds if not asleep else 0.1)[0]:
            asleep = asleep + 1 if _sleeps(self.pid) else 0
            if asleep >= 5 or time.monotonic() - start > 20 * limits.seconds + 60:
                return False
        return True

    def end(self) -> int:
        self.channel.close()
        return self.server.end(self.pid)


def _sleeps(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True  # no /proc here: only the clock is left
    return stat.rpartition(")")[2].split()[0] in "SDT"


def _death(status: int, limits: Limits) -> Death:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number in (signal.SIGPROF, signal.SIGXCPU):
            return Death("timeout", f"the run needs more than {limits.seconds} s of CPU time")
        reason = f"the interpreter died by {signal.Signals(number).name}"
        return Death("unsupported", reason, by_kill=number == signal.SIGKILL)
    is_spent = os.WEXITSTATUS(status) == SPENT
    return Death("unsupported", "the program left the interpreter", is_spent=is_spent)


class Lane:
    """One worker for each hash seed, for one thread at a time."""

    def __init__(self) -> None:
        self.workers: dict[int, _Worker] = {}

    def run(self, seed: int, jobs: Sequence[Job], limits: Limits) -> Iterator[bytes | Death]:
        """Run jobs under one hash seed.

        Args:
            seed: PYTHONHASHSEED of the worker.
            jobs: The jobs; they are sent before the first result is asked for.
            limits: Limits of each.

        Returns:
            An iterator over the records (JSON), or deaths, in the order of the jobs.

        Raises:
            InfrastructureError: No worker can be started.
        """
        batches = list(_batches(jobs))
        first = self._start(seed, batches[0], limits) if batches else None
        return self._results(seed, batches, first, limits)

    def _results(
        self, seed: int, batches: list[list[Job]], given: _Worker | None, limits: Limits
    ) -> Iterator[bytes | Death]:
        losses = 0
        for batch in batches:
            left = list(batch)
            while left:
                worker = given or self._start(seed, left, limits)
                given = None
                while left:
                    result = self._taken(seed, worker, limits, is_last_try=losses >= MAX_LOSSES)
                    if isinstance(result, Death) and result.is_spent and not batch[0].alone:
                        break  # no job to blame, and a fresh worker answers its first one
                    if result is None or (
                        isinstance(result, Death)
                        and result.by_kill
                        and not batch[0].alone
                        and losses < MAX_LOSSES
                    ):
                        # A tame program cannot kill its worker: somebody else did.
                        losses += 1
                        break
                    left.pop(0)
                    yield result
                    if isinstance(result, Death):
                        break
            if batch[0].alone or seed not in self.workers or worker.jobs >= RECYCLE:
                self._drop(seed)

    def _taken(
        self, seed: int, worker: _Worker, limits: Limits, *, is_last_try: bool
    ) -> bytes | Death | None:
        """Take a result; None where the worker was lost together with its server."""
        try:
            result = worker.take(limits)
        except OSError as error:
            self.workers.pop(seed, None)
            _forget(seed)
            if is_last_try:
                raise InfrastructureError(f"a tracing worker was lost: {error}") from None
            return None
        if isinstance(result, Death):
            self.workers.pop(seed, None)
        return result

    def _start(self, seed: int, jobs: Sequence[Job], limits: Limits) -> _Worker:
        """Give jobs to a worker that is fit for them, starting one where there is none."""
        for attempt in (1, 2, 3):
            worker = self.workers.get(seed)
            if worker is not None and (jobs[0].alone or worker.memory != limits.memory):
                self._drop(seed)
                worker = None
            try:
                if worker is None:
                    worker = self.workers[seed] = _Worker(_server(seed), limits)
                worker.give(jobs, limits)
            except OSError as error:
                self.workers.pop(seed, None)
                _forget(seed)
                if attempt == 3:
                    raise InfrastructureError(
                        f"no tracing worker could be started: {error}"
                    ) from None
            else:
                return worker
        raise AssertionError("unreachable")

    def _drop(self, seed: int) -> None:
        worker = self.workers.pop(seed, None)
        if worker is not None:
            with suppress(OSError):
                worker.end()

    def close(self) -> None:
        """End all workers of this lane."""
        for seed in list(self.workers):
            self._drop(seed)


def _batches(jobs: Sequence[Job]) -> Iterator[list[Job]]:
    """Split jobs so that one that must be alone is."""
    batch: list[Job] = []
    for job in jobs:
        if batch and (job.alone or batch[0].alone):
            yield batch
            batch = []
        batch.append(job)
    if batch:
        yield batch


class _Pool:
    """The servers and idle lanes of this process."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.lock = threading.Lock()
        self.servers: dict[int, _Server] = {}
        self.idle: list[Lane] = []

    def close(self) -> None:
        if self.pid != os.getpid():
            return
        for idle in self.idle:
            idle.close()
        for server in self.servers.values():
            server.stop()
        self.idle.clear()
        self.servers.clear()


_pool = _Pool()


def _current() -> _Pool:
    """Give this process's pool; a forked child must not use its parent's sockets."""
    global _pool
    if _pool.pid != os.getpid():
        _pool = _Pool()
    return _pool


def _server(seed: int) -> _Server:
    pool = _current()
    with pool.lock:
        server = pool.servers.get(seed)
        if server is None or server.process.poll() is not None:
            server = pool.servers[seed] = _Server(seed)
        return server


def _forget(seed: int) -> None:
    """Drop a server that does not answer, so that a new one is started."""
    pool = _current()
    with pool.lock:
        server = pool.servers.pop(seed, None)
    if server is not None:
        server.process.kill()
        server.stop()


@contextmanager
def lane() -> Iterator[Lane]:
    """Borrow a lane of this process, or make one.

    Yields:
        A lane that no other thread uses meanwhile.
    """
    pool = _current()
    with pool.lock:
        borrowed = pool.idle.pop() if pool.idle else Lane()
    try:
        yield borrowed
    except BaseException:
        # Something may be left unread in its sockets.
        borrowed.close()
        raise
    with pool.lock:
        pool.idle.append(borrowed)


@atexit.register
def close() -> None:
    """End all workers and servers of this process; the next run starts new ones."""
    _current().close()
