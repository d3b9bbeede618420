"""Makes shards on this machine, in worker processes of our own.

A worker is a fresh interpreter that takes shards on its standard input and answers with
lines of JSON: how far it is, and what became of a shard. So a script needs no
``__main__`` guard, and what the caller has loaded, torch or a notebook, is not copied.
A worker that dies is replaced, and its shard tried again with more care; one whose
parent dies ends at once, since its input ends.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from synth.executors.base import ShardReport, cores
from synth.shards import Care
from synth.spec import Spec, from_json, to_json
from tracing.errors import ExecVerifyError, InfrastructureError

__all__ = ["DEATHS", "RECYCLE", "main", "make_shards"]

DEATHS = 30
"""Workers that may die over one shard before the build is given up."""
RECYCLE = 60
"""Shards after which a worker is replaced, so that its memory stays small."""
_ROOT = str(Path(__file__).resolve().parents[2])


@dataclass(slots=True)
class _Pool:
    """What the threads that tend one worker each have in common."""

    spec: Spec
    folder: Path
    waiting: queue.SimpleQueue[int] = field(default_factory=queue.SimpleQueue)
    done: queue.SimpleQueue[ShardReport | BaseException] = field(default_factory=queue.SimpleQueue)
    lock: threading.Lock = field(default_factory=threading.Lock)
    processes: list[subprocess.Popen[str]] = field(default_factory=list)
    stopped: bool = False


def make_shards(
    spec: Spec, numbers: Iterable[int], folder: Path, workers: int | None, address: str = ""
) -> Iterator[ShardReport]:
    """Make shards in worker processes.

    Args:
        spec: What to build.
        numbers: Which shards.
        folder: Where each is written, as :func:`synth.shard_files.write` does.
        workers: How many processes; one for each core where it is None.
        address: Unused.

    Yields:
        A report of each shard, as they are done.

    Raises:
        InfrastructureError: A shard's workers died again and again.
        ExecVerifyError: A shard cannot be made or written.
    """
    pool = _Pool(spec, folder)
    count = 0
    for number in numbers:
        pool.waiting.put(number)
        count += 1
    crew = [
        threading.Thread(target=_tend, args=(pool,), daemon=True)
        for _ in range(min(workers or cores(), count))
    ]
    for thread in crew:
        thread.start()
    try:
        for _ in range(count):
            result = pool.done.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        with pool.lock:
            pool.stopped = True
            for process in pool.processes:
                process.kill()
        for thread in crew:
            thread.join()


def _tend(pool: _Pool) -> None:
    """Feed one worker after the other until no shard is left or the pool is stopped."""
    try:
        while not pool.stopped:
            with _worker(pool) as process:
                if not _feed(pool, process):
                    return
    except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
        pool.done.put(error)


def _feed(pool: _Pool, process: subprocess.Popen[str]) -> bool:
    """Give a worker shards until it is old; tell whether more may be left.

    A shard over which it dies is finished by workers of its own.
    """
    for _ in range(RECYCLE):
        try:
            number = pool.waiting.get_nowait()
        except queue.Empty:
            return False
        report, mark = _ask(process, number, Care())
        if report is not None:
            pool.done.put(report)
            continue
        report = _carefully(pool, number, Care().learn(mark))
        if report is not None:
            pool.done.put(report)
        return True
    return True


def _carefully(pool: _Pool, number: int, care: Care) -> ShardReport | None:
    """Make a shard over which a worker has died; None where the pool is stopped."""
    mark = ""
    for _ in range(DEATHS):
        if pool.stopped:
            return None
        with _worker(pool) as process:
            report, mark = _ask(process, number, care)
        if report is not None:
            return report
        care = care.learn(mark)
    raise InfrastructureError(
        f"{DEATHS} workers died over shard {number}, the last at {mark[:40]!r}; "
        f"is there enough memory? Fewer --workers need less"
    )


@contextmanager
def _worker(pool: _Pool) -> Iterator[subprocess.Popen[str]]:
    """Start a worker, and end it."""
    path = os.pathsep.join(filter(None, (_ROOT, os.environ.get("PYTHONPATH", ""))))
    process = subprocess.Popen(
        [sys.executable, "-m", "synth.executors.local", to_json(pool.spec), str(pool.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,  # a Ctrl-C is the parent's to handle
    )
    with pool.lock:
        pool.processes.append(process)
        if pool.stopped:
            process.kill()
    try:
        yield process
    finally:
        with pool.lock:
            pool.processes.remove(process)
        process.kill()
        process.communicate()


def _ask(process: subprocess.Popen[str], number: int, care: Care) -> tuple[ShardReport | None, str]:
    """Have a worker make a shard; give the report, or None and its last mark where it died."""
    stdin, stdout = process.stdin, process.stdout
    mark = ""
    if stdin is None or stdout is None:
        return None, mark
    try:
        known = (sorted(care.batches), sorted(care.suspects), sorted(care.poison))
        stdin.write(json.dumps([number, *known]) + "\n")
        stdin.flush()
    except OSError:
        return None, mark
    for line in stdout:
        if not line.endswith("\n"):
            break  # it died while it wrote
        plain = json.loads(line)
        if "mark" not in plain:
            return _report(plain), mark
        mark = plain["mark"]
    return None, mark


def _report(plain: dict[str, Any]) -> ShardReport:
    if "error" in plain:
        raise ExecVerifyError(plain["error"])
    return ShardReport(**{**plain, "quarantined": tuple(plain["quarantined"])})


def main(arguments: list[str]) -> None:
    """Be a worker: make the shards that standard input names, until it ends.

    Args:
        arguments: The spec as JSON, and the folder.
    """
    from synth import shard_files

    spec, folder = from_json(arguments[0]), Path(arguments[1])
    # Syntax trees are many small objects without cycles: looking for some took a tenth of the time.
    gc.set_threshold(50_000, 20, 100)
    # What a library prints must not stand among the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    orders: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()

    def mark(what: str) -> None:
        _say(answers, {"mark": what})

    while True:
        number, batches, suspects, poison = json.loads(orders.get())
        care = Care(frozenset(batches), frozenset(suspects), frozenset(poison))
        try:
            _say(answers, asdict(shard_files.write(spec, number, folder, care, mark)))
        except ExecVerifyError as error:
            _say(answers, {"error": f"shard {number}: {error}"})
        except OSError as error:
            # What is done is whole; a full disk is the usual reason.
            said = error.strerror or str(error)
            _say(answers, {"error": f"{folder}: {said}; mend that and run the same command again"})


def _listen(orders: queue.SimpleQueue[str]) -> None:
    """Take orders; leave at once where the parent is gone, whatever is being done."""
    for line in sys.stdin:
        orders.put(line)
    os._exit(1)


def _say(answers: IO[str], plain: dict[str, Any]) -> None:
    try:
        answers.write(json.dumps(plain) + "\n")
        answers.flush()
    except BrokenPipeError:
        os._exit(1)  # the parent is gone


if __name__ == "__main__":
    main(sys.argv[1:])
