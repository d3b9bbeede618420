"""What a forked child does: reads its job, confines itself, runs the program, replies.

Hostile code runs in this very process and can do to it what it likes; all that it can
gain is to choose the values that are sent. The job holds the program and its inputs and
nothing else: no expected output, no secret, no verdict.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import struct
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from tracing.errors import NoLiteralError
from tracing.literals import LiteralError, read_arguments
from tracing.sandbox import frames, probe
from tracing.sandbox.capture import Capture
from tracing.sandbox.confine import Policy, confine
from tracing.values import MAX_LITERAL, encode

__all__ = ["main"]

_LENGTH = struct.Struct("!Q")
_SCALE = 100
"""Arguments are data, not answers: they may be this many times longer than a value."""
_LONGEST = MAX_LITERAL * frames.RESULT_SCALE

_write, _exit = os.write, os._exit

Speaker = Callable[..., None]
Task = Callable[[Speaker, Capture], None]


def main(channel: int, scratch: str) -> NoReturn:
    """Run one job, and leave.

    Args:
        channel: A connected socket's descriptor: the job comes from there, frames go there.
        scratch: The folder that the program may write in.
    """
    try:
        job = json.loads(_receive(channel))
        random.seed(0)  # a program that draws must earn the same every time
        _run(job, channel, scratch)
    finally:
        # Whatever happened: this process must never go on into the server's loop.
        _exit(70)


def _receive(channel: int) -> bytes:
    (length,) = _LENGTH.unpack(_read_exactly(channel, _LENGTH.size))
    return _read_exactly(channel, length)


def _read_exactly(channel: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(channel, min(count, 1 << 20))
        if not part:
            _exit(71)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _run(job: dict[str, Any], channel: int, scratch: str) -> None:
    say = _speaker(channel)
    try:
        task = _TASKS[job["kind"]](job)
    except LiteralError as error:
        say(frames.REFUSED, f"the arguments are no literals: {error}")
        _exit(0)
    output = job["output"]
    inputs = [text.encode("utf-8", "surrogatepass") for text in job.get("inputs", ())]
    capture = Capture(scratch, output)
    longest = max(map(len, inputs), default=0)
    policy = Policy(
        scratch=scratch,
        memory=job["memory"],
        cpu=job["seconds"],
        # A little more than may be printed, so that printing too much is seen.
        file_size=max(output + 65536, longest),
        keep=(channel, *capture.descriptors),
    )
    try:
        layers = confine(policy)
    except OSError as error:
        say(frames.FAILED, f"a layer could not be laid: {error}")
        _exit(73)
    if missing := set(job["layers"]).difference(layers):
        say(frames.FAILED, f"a layer is missing that held before: {missing}")
        _exit(73)
    say(frames.READY, " ".join(layers))
    if _runs_out_of_memory(task, say, capture):
        say(frames.MEMORY)
    _exit(0)


def _runs_out_of_memory(task: Task, say: Speaker, capture: Capture) -> bool:
    """Run the task; on return the memory that it was short of is free again."""
    try:
        task(say, capture)
    except MemoryError:
        return True
    return False


def _speaker(channel: int) -> Speaker:
    def say(kind: bytes, text: str = "", stdout: bytes = b"") -> None:
        data = memoryview(frames.pack(kind, text, stdout))
        while data:
            data = data[_write(channel, data) :]

    return say


def _calls(job: dict[str, Any]) -> Task:
    """Prepare the calls of one function; all of them see the same module."""
    arguments = [read_arguments(text, scale=_SCALE) for text in job["arguments"]]

    def task(say: Speaker, capture: Capture) -> None:
        capture.start(b"")
        module = _module("solution")
        code = _compile(job["source"], say)
        try:
            exec(code, module.__dict__)
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 - the program may raise anything
            say(frames.FAILED, f"the program raised {_name(error)} before the first call")
            return
        find = _finder(module.__dict__, job["entry"])
        if find is None:
            say(frames.REFUSED, f"the program defines no function {job['entry']!r}")
            return
        for values, keywords in arguments:
            kind, text = _result(find, values, keywords)
            if not _report(say, capture, kind, text):
                return
            capture.start(b"")
        say(frames.END)

    return task


def _programs(job: dict[str, Any]) -> Task:
    """Prepare the runs of one program, each on its own standard input and in a new module."""
    inputs = [text.encode("utf-8", "surrogatepass") for text in job["inputs"]]

    def task(say: Speaker, capture: Capture) -> None:
        code = _compile(job["source"], say)
        depth = sys.getrecursionlimit()
        for data in inputs:
            sys.setrecursionlimit(depth)
            capture.start(data)
            kind, text = _program(code)
            if not _report(say, capture, kind, text):
                return
        say(frames.END)

    return task


def _program(code: types.CodeType) -> tuple[bytes, str]:
    """Run a program as the interpreter would: up to the end of its threads and exit handlers."""
    module = _module("__main__")
    kind, text = frames.VALUE, "None"
    try:
        exec(code, module.__dict__)
    except MemoryError:
        raise
    except BaseException as error:  # noqa: BLE001 - the program may raise anything
        if not _left_well(error):
            kind, text = frames.EXCEPTION, _name(error)
    _finish()
    return kind, text


def _left_well(error: BaseException) -> bool:
    if type(error) is not SystemExit:
        return False
    return error.code is None or (type(error.code) is int and error.code == 0)


def _finish() -> None:
    """Wait for the program's threads and call what it registered to be called at exit."""
    if (threading := sys.modules.get("threading")) is not None:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
    atexit._run_exitfuncs()


def _report(say: Speaker, capture: Capture, kind: bytes, text: str) -> bool:
    """Send a test's result; False when it printed too much."""
    printed = capture.stop()
    if printed is None:
        say(frames.OUTPUT)
        return False
    say(kind, text, printed)
    return True


def _result(
    find: Callable[[], Callable[..., Any]], values: list[Any], keywords: dict[str, Any]
) -> tuple[bytes, str]:
    """Call, and write what comes of it as a frame's kind and text."""
    try:
        return frames.VALUE, encode(find()(*values, **keywords), limit=_LONGEST)
    except MemoryError:
        raise
    except NoLiteralError as error:
        return frames.NO_LITERAL, error.reason
    except BaseException as error:  # noqa: BLE001 - the program may raise anything
        return frames.EXCEPTION, _name(error)


def _name(error: BaseException) -> str:
    """Give the name of an exception's class, asking the class and not the metaclass."""
    name = type.__dict__["__name__"].__get__(type(error))
    return str.__str__(name)[:200]


def _module(name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    sys.modules[name] = module
    return module


def _compile(source: str, say: Speaker) -> types.CodeType:
    try:
        return compile(source, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, OverflowError) as error:
        say(frames.REFUSED, f"the program does not parse: {type(error).__name__}")
        _exit(0)


def _finder(namespace: dict[str, Any], entry: str) -> Callable[[], Callable[..., Any]] | None:
    """Find the entry: a function of the module, or a method of its class ``Solution``."""
    if entry in namespace:
        return lambda: namespace[entry]
    solution = namespace.get("Solution")
    if isinstance(solution, type) and any(entry in base.__dict__ for base in solution.__mro__):
        return lambda: getattr(solution(), entry)
    return None


def _probe(job: dict[str, Any]) -> Task:
    """Prepare the attempt of every forbidden act."""

    def task(say: Speaker, capture: Capture) -> None:
        for act in probe.ACTS:
            say(frames.VALUE, repr((act, probe.attempt(act, job))))
        say(frames.END)

    return task


_TASKS: dict[str, Callable[[dict[str, Any]], Task]] = {
    "calls": _calls,
    "programs": _programs,
    "probe": _probe,
}
