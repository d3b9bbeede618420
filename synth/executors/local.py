"""Makes shards on this machine, in worker processes of our own.

A worker is a fresh interpreter that takes shard numbers on its standard input and
answers each with a line of JSON. So a script needs no ``__main__`` guard, and what
the caller has loaded, torch or a notebook, is not copied. A worker that dies is
replaced and its shard tried once more.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from synth.executors.base import ShardReport
from synth.spec import Spec, from_json, to_json
from tracing.errors import ExecVerifyError, InfrastructureError

__all__ = ["main", "make_shards"]

_ROOT = str(Path(__file__).resolve().parents[2])


def make_shards(
    spec: Spec, numbers: Iterable[int], folder: Path, workers: int, address: str = ""
) -> Iterator[ShardReport]:
    """Make shards in worker processes.

    Args:
        spec: What to build.
        numbers: Which shards.
        folder: Where each is written, as :func:`synth.shards.write` does.
        workers: How many processes.
        address: Unused.

    Yields:
        A report of each shard, as they are done.

    Raises:
        InfrastructureError: A shard's worker died twice.
        ExecVerifyError: A shard cannot be made or written.
    """
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    count = 0
    for number in numbers:
        waiting.put(number)
        count += 1
    done: queue.SimpleQueue[ShardReport | BaseException] = queue.SimpleQueue()
    stop = threading.Event()
    crew = [
        threading.Thread(target=_tend, args=(spec, folder, waiting, done, stop), daemon=True)
        for _ in range(min(workers, count))
    ]
    for thread in crew:
        thread.start()
    try:
        for _ in range(count):
            result = done.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        stop.set()
        for thread in crew:
            thread.join()


def _tend(
    spec: Spec,
    folder: Path,
    waiting: queue.SimpleQueue[int],
    done: queue.SimpleQueue[ShardReport | BaseException],
    stop: threading.Event,
) -> None:
    """Feed one worker until no shard is left or another has failed."""
    process: subprocess.Popen[str] | None = None
    try:
        while not stop.is_set():
            try:
                number = waiting.get_nowait()
            except queue.Empty:
                return
            for attempt in (1, 2):
                if process is None:
                    process = _start(spec, folder)
                answer = _ask(process, number, stop)
                if answer is not None:
                    break
                _end(process)
                process = None
                if stop.is_set():
                    return
                if attempt == 2:
                    raise InfrastructureError(f"the worker of shard {number} died twice")
            done.put(_report(answer or ""))
    except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
        done.put(error)
    finally:
        if process is not None:
            _end(process)


def _start(spec: Spec, folder: Path) -> subprocess.Popen[str]:
    path = os.pathsep.join(filter(None, (_ROOT, os.environ.get("PYTHONPATH", ""))))
    return subprocess.Popen(
        [sys.executable, "-m", "synth.executors.local", to_json(spec), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,  # a Ctrl-C is the parent's to handle
    )


def _ask(process: subprocess.Popen[str], number: int, stop: threading.Event) -> str | None:
    """Have a worker make a shard; give its answer, or None where it died."""
    import select

    if process.stdin is None or process.stdout is None:
        return None
    try:
        process.stdin.write(f"{number}\n")
        process.stdin.flush()
    except OSError:
        return None
    while not select.select([process.stdout], [], [], 0.2)[0]:
        if stop.is_set():
            return None
    return process.stdout.readline() or None


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def _report(answer: str) -> ShardReport:
    plain = json.loads(answer)
    if "error" in plain:
        raise ExecVerifyError(plain["error"])
    return ShardReport(**{**plain, "quarantined": tuple(plain["quarantined"])})


def main(arguments: list[str]) -> None:
    """Be a worker: make the shards whose numbers come on standard input.

    Args:
        arguments: The spec as JSON, and the folder.
    """
    from synth import shards

    spec, folder = from_json(arguments[0]), Path(arguments[1])
    for line in sys.stdin:
        try:
            answer = asdict(shards.write(spec, int(line), folder))
        except ExecVerifyError as error:
            answer = {"error": f"shard {line.strip()}: {error}"}
        except OSError as error:
            # What is done is whole; a full disk is the usual reason.
            said = error.strerror or str(error)
            answer = {"error": f"{folder}: {said}; mend that and run the same command again"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
