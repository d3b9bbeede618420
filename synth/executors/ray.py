"""Makes shards on a Ray cluster: one task for each shard, with bounded retries.

A task makes its shard in a folder of its own and sends the files back; the driver
writes them. So the machines need no shared file system, and the bytes are those of a
local build. execverify must be installed on each of them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from synth.executors.base import ShardReport
from synth.spec import Spec, from_json, to_json
from tracing.errors import ExecVerifyError, InfrastructureError, MissingExtraError

__all__ = ["RETRIES", "make_shards"]

RETRIES = 2
"""How often a task is tried again where its worker or its machine died."""


def make_shards(
    spec: Spec, numbers: Iterable[int], folder: Path, workers: int, address: str = ""
) -> Iterator[ShardReport]:
    """Make shards as Ray tasks.

    Args:
        spec: What to build.
        numbers: Which shards.
        folder: Where each is written, as :func:`synth.shard_files.write` does.
        workers: How many tasks run at the same time.
        address: Address of a cluster; a new local one is started where it is empty.

    Yields:
        A report of each shard, as they are done.

    Raises:
        MissingExtraError: Ray is not installed.
        InfrastructureError: A task failed more often than it is tried again.
        ExecVerifyError: A shard cannot be made.
    """
    try:
        import ray
    except ImportError:
        raise MissingExtraError(
            'Ray is not installed; pip install "execverify[ray]", or use --executor local'
        ) from None

    usual = ray.remote(num_cpus=1, max_retries=1, retry_exceptions=False)(_shard_files)
    careful = ray.remote(num_cpus=1, max_retries=RETRIES, retry_exceptions=False)(_careful_files)
    waiting = iter(numbers)
    running: dict[Any, int] = {}
    suspects: set[int] = set()
    with _cluster(ray, workers, address):
        while True:
            while len(running) < workers and (number := next(waiting, None)) is not None:
                running[usual.remote(to_json(spec), number)] = number
            if not running:
                return
            task = ray.wait(list(running), num_returns=1)[0][0]
            number = running.pop(task)
            try:
                files = ray.get(task)
            except ray.exceptions.WorkerCrashedError:
                if number in suspects:
                    raise
                suspects.add(number)
                running[careful.remote(to_json(spec), number)] = number
            else:
                yield _write(files, number, folder)


@contextmanager
def _cluster(ray: Any, workers: int, address: str) -> Iterator[None]:
    """Connect to a cluster for a while; tell its errors as ours."""
    own = not ray.is_initialized()
    try:
        if own:
            ray.init(
                address=address or None,
                num_cpus=None if address else workers,
                include_dashboard=False,
                logging_level="error",
                log_to_driver=False,
            )
        yield
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ExecVerifyError):
            raise error.cause from None
        raise InfrastructureError(f"a Ray task failed: {error.cause!r}") from error
    except (ray.exceptions.RayError, ConnectionError, ValueError) as error:
        raise InfrastructureError(f"Ray failed: {error}") from error
    finally:
        if own:
            ray.shutdown()


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
