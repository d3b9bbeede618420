"""Makes shards on a Ray cluster: one task for each shard, with bounded retries.

A task makes its shard in a folder of its own and sends the files back; the driver
writes them. So the machines need no shared file system, and the bytes are those of a
local build. execverify must be installed on each of them, and a file of a benchmark that
must not be made must stand on each of them, too.
"""

from __future__ import annotations

import socket
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from synth.executors.base import ShardReport, cores
from synth.spec import Spec, from_json, to_json
from tracing.errors import (
    ExecVerifyError,
    InfrastructureError,
    MissingExtraError,
    in_a_line,
    shorten,
)

__all__ = ["RETRIES", "make_shards"]

RETRIES = 2
"""How often a shard is given out again where its worker or machine died, or its files were lost.

Ray itself tries each of these tasks once more."""

_ANSWER_SECONDS = 10.0
"""How long a cluster may take to answer when its address is tried."""


def make_shards(
    spec: Spec, numbers: Iterable[int], folder: Path, workers: int | None, address: str = ""
) -> Iterator[ShardReport]:
    """Make shards as Ray tasks.

    Args:
        spec: What to build.
        numbers: Which shards.
        folder: Where each is written, as :func:`synth.shard_files.write` does.
        workers: How many tasks run at the same time; as many as the cluster has cores where
            it is None.
        address: Address of a cluster; where it is empty a new one is started on this machine,
            whatever runs already or ``RAY_ADDRESS`` says.

    Yields:
        A report of each shard, as they are done.

    Raises:
        MissingExtraError: Ray is not installed.
        InfrastructureError: There is no cluster, or a task failed more often than it is tried
            again.
        ExecVerifyError: A shard cannot be made.
    """
    try:
        import ray
    except ImportError:
        raise MissingExtraError(
            'Ray is not installed; pip install "execverify[ray]", or use --executor local'
        ) from None

    usual = ray.remote(num_cpus=1, max_retries=1, retry_exceptions=False)(_shard_files)
    careful = ray.remote(num_cpus=1, max_retries=1, retry_exceptions=False)(_careful_files)
    waiting = iter(numbers)
    running: dict[Any, int] = {}
    losses: Counter[int] = Counter()
    with _cluster(ray, workers, address) as most:
        while True:
            while len(running) < most and (number := next(waiting, None)) is not None:
                running[usual.remote(to_json(spec), number)] = number
            if not running:
                return
            task = ray.wait(list(running), num_returns=1)[0][0]
            number = running.pop(task)
            try:
                files = ray.get(task)
            except _losses_of(ray) as error:
                losses[number] += 1
                if losses[number] > RETRIES:
                    raise InfrastructureError(
                        f"shard {number} was lost {losses[number]} times on the cluster, at last "
                        f"so: {in_a_line(error)}; the same command goes on"
                    ) from error
                running[careful.remote(to_json(spec), number)] = number
            else:
                yield _write(files, number, folder)


def _losses_of(ray: Any) -> tuple[type[Exception], ...]:
    """Name Ray's errors that say nothing of a shard but that it did not come back."""
    errors = ray.exceptions
    return (
        errors.WorkerCrashedError,
        errors.OutOfMemoryError,
        errors.NodeDiedError,
        errors.ObjectLostError,
    )


@contextmanager
def _cluster(ray: Any, workers: int | None, address: str) -> Iterator[int]:
    """Connect to a cluster for a while; give the number of workers, tell its errors as ours."""
    own = not ray.is_initialized()
    try:
        if own:
            _connect(ray, workers, address)
        yield workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ExecVerifyError):
            raise error.cause from None
        raise InfrastructureError(f"a Ray task failed: {error.cause!r}") from error
    except ray.exceptions.RayError as error:
        raise InfrastructureError(f"Ray failed: {in_a_line(error)}") from error
    finally:
        if own:
            ray.shutdown()


def _connect(ray: Any, workers: int | None, address: str) -> None:
    try:
        _check_answers(ray, address)
        ray.init(
            # Without an address Ray would join whatever cluster it finds.
            address=address or "local",
            num_cpus=None if address else workers or cores(),
            include_dashboard=False,
            logging_level="error",
            log_to_driver=False,
        )
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        raise InfrastructureError(
            f"there is no Ray cluster at {shorten(address)} ({in_a_line(error)}); start one with "
            "ray start --head, or let --executor ray do so"
            if address
            else f"Ray cannot be started here ({in_a_line(error)}); use --executor local"
        ) from error


def _check_answers(ray: Any, address: str) -> None:
    """Refuse HOST:PORT where nothing listens: Ray tries it for minutes before it says so."""
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal():
        return
    host = host.strip("[]")
    if host in ("localhost", "127.0.0.1", "::1"):
        host = ray.util.get_node_ip_address()  # as Ray itself takes these
    socket.create_connection((host, int(port)), timeout=_ANSWER_SECONDS).close()


def _shard_files(spec: str, number: int) -> dict[str, bytes]:
    """Make a shard in the process where this runs; give its files."""
    from synth import shard_files

    with tempfile.TemporaryDirectory(prefix="execverify-") as place:
        shard_files.write(from_json(spec), number, Path(place))
        return _files(number, Path(place))


def _careful_files(spec: str, number: int) -> dict[str, bytes]:
    """Make a shard that has ended its worker in processes that learn from that."""
    from synth.executors import local

    with tempfile.TemporaryDirectory(prefix="execverify-") as place:
        for _ in local.make_shards(from_json(spec), [number], Path(place), 1):
            pass
        return _files(number, Path(place))


def _files(number: int, place: Path) -> dict[str, bytes]:
    from synth.shard_files import place_of

    return {path.name: path.read_bytes() for path in sorted(place_of(place, number).iterdir())}


def _write(files: dict[str, bytes], number: int, folder: Path) -> ShardReport:
    """Write a shard's files as the shard itself would have been written."""
    from synth import shard_files

    shard_files.write_files(files, number, folder)
    report = shard_files.report_of(folder, number)
    if report is None:
        raise InfrastructureError(f"shard {number} came back damaged")
    return report
