"""The process that forks tracing workers: fresh, small, without secrets.

Started by exec with a fixed hash seed (see :mod:`tracing.workers`), it imports what
workers need, then forks one for each socket it is sent. A worker confines itself,
runs the jobs that come through its socket, and answers each with a record; the
server tells how a worker ended. Nothing but text crosses between the processes.
"""

from __future__ import annotations

import gc
import io
import json
import os
import resource
import signal
import socket
import struct
import sys
from typing import Any

from tracing.job import trace_here
from tracing.record import Record, to_json
from tracing.sandbox import confine, kernel, landlock, seccomp

__all__ = ["SPENT", "message_in", "receive", "send", "serve"]

SPENT = 77
"""Exit status of a worker whose memory earlier jobs have used up: the job is not to blame."""
_LENGTH = struct.Struct("!I")
_GARBAGE = 20_000


def send(channel: socket.socket, data: bytes) -> None:
    """Send one message.

    Args:
        channel: A stream socket.
        data: The message, at most 4 GiB.
    """
    channel.sendall(_LENGTH.pack(len(data)) + data)


def receive(channel: socket.socket, limit: int) -> bytes | None:
    """Receive one message.

    Args:
        channel: A stream socket.
        limit: The longest message that is taken, in bytes.

    Returns:
        The message; None where the other side is gone or sends more than it may.
    """
    header = _exactly(channel, _LENGTH.size)
    if header is None:
        return None
    (length,) = _LENGTH.unpack(header)
    return _exactly(channel, length) if length <= limit else None


def message_in(data: bytearray, limit: int) -> bytes | None:
    """Take the first message out of what was received so far.

    Args:
        data: What was received and not taken yet; shrinks.
        limit: The longest message that is taken, in bytes; a longer one never becomes whole.

    Returns:
        The message, or None where it is not whole yet.
    """
    if len(data) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack_from(data)
    end = _LENGTH.size + length
    if length > limit or len(data) < end:
        return None
    message = bytes(data[_LENGTH.size : end])
    del data[:end]
    return message


def _exactly(channel: socket.socket, length: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < length:
        part = channel.recv(min(length - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)


def serve(descriptor: int) -> None:
    """Serve a control socket until its other end is closed.

    Requests: ``F`` with a memory limit, and a socket beside it, forks a worker and answers
    with its pid; ``W`` with a pid waits for that worker and answers with its wait status.

    Args:
        descriptor: The control socket.
    """
    control = socket.socket(fileno=descriptor)
    confine.prepare()
    alive: set[int] = set()
    gc.freeze()
    while True:
        message, sockets, _, _ = socket.recv_fds(control, 64, 1)
        if not message:
            break
        number = int(message[1:])
        if message[:1] == b"F":
            pid = os.fork()
            if pid == 0:
                control.close()
                _work(socket.socket(fileno=sockets[0]), number)
            os.close(sockets[0])
            alive.add(pid)
            control.sendall(b"%d" % pid)
        else:
            alive.discard(number)
            control.sendall(b"%d" % os.waitpid(number, 0)[1])
    for pid in alive:
        os.kill(pid, signal.SIGKILL)


def _work(channel: socket.socket, memory: int) -> None:
    """Run jobs until the socket closes; never returns.

    What a job that met the memory limit leaves behind must change nothing for those after it:
    a job that lacks memory counts only where it was the worker's first, and after it the
    worker ends. The same jobs give the same records, whatever ran here before.
    """
    is_first, is_spent = True, False
    try:
        _confine(memory)
        gc.disable()
        while True:
            message = receive(channel, 64 << 20)
            if message is None:
                break
            for job in json.loads(message):
                if is_spent:
                    os._exit(SPENT)
                record = _answer(job)
                if _may_lack_memory(record):
                    if not is_first:
                        os._exit(SPENT)
                    is_spent = True
                send(channel, to_json(record).encode())
                is_first = False
    except BaseException:  # noqa: BLE001 - whatever it is, it ends this process
        os._exit(0 if is_first else SPENT)
    finally:
        os._exit(0)


def _may_lack_memory(record: Record) -> bool:
    """Tell whether a run may have gone another way with more memory."""
    return record.outcome == "memory" or record.reason.endswith("before it is called")


def _confine(memory: int) -> None:
    """Give up files, network, processes and privileges; nothing is written, so no scratch."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for kind, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        resource.setrlimit(kind, (limit, limit))
    if sys.platform.startswith("linux"):
        kernel.die_with_parent()
        kernel.set_dumpable(False)
        kernel.no_new_privileges()
        landlock.restrict(confine.readable_paths(), (os.devnull,))
        kernel.drop_capabilities()
        if seccomp.install():
            return
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def _answer(job: dict[str, Any]) -> Record:
    """Run one job under its CPU limit; at its end the default action of SIGPROF kills."""
    sys.stdout = sys.stderr = sink = _Sink(job["output"])
    signal.setitimer(signal.ITIMER_PROF, job["seconds"])
    record = trace_here(
        job["source"], job["call"], job["tracer"], steps=job["steps"], values=job["values"]
    )
    if gc.get_count()[0] > _GARBAGE:
        # Not during a run, where a generator's end would be a step; but within its limit.
        gc.collect()
    signal.setitimer(signal.ITIMER_PROF, 0)
    if sink.left < 0:
        record = Record("unsupported", reason=f"the program prints more than {job['output']} bytes")
    return record


class _Sink(io.TextIOBase):
    """Takes what a program prints, up to a limit, and keeps none of it."""

    def __init__(self, limit: int) -> None:
        self.left = limit

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.left -= len(text)
        if self.left < 0:
            raise OSError("too much output")
        return len(text)
