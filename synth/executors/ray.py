"""Makes shards on a Ray cluster: one task for each shard, with bounded retries.

A task makes its shard in a folder of its own and sends the files back; the driver
writes them. So the machines need no shared file system, and the bytes are those of a
local build.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from synth.executors.base import ShardReport
from synth.spec import Spec, from_json, to_json
from tracing.errors import InfrastructureError, MissingExtraError

__all__ = ["make_shards"]

RETRIES = 2
"""How often a shard is tried again where a worker or its machine died."""


def make_shards(
    spec: Spec, numbers: Iterable[int], folder: Path, workers: int, address: str = ""
) -> Iterator[ShardReport]:
    """Make shards as Ray tasks.

    Args:
        spec: What to build.
        numbers: Which shards.
        folder: Where each is written, as :func:`synth.shards.write` does.
        workers: How many tasks run at the same time.
        address: Address of a cluster; a new local one is started where it is empty.

    Yields:
        A report of each shard, as they are done.

    Raises:
        MissingExtraError: Ray is not installed.
        InfrastructureError: A task failed more often than it is tried again.
    """
    try:
        import ray
    except ImportError:
        raise MissingExtraError(
            'Ray is not installed; pip install "execverify[ray]", or use --executor local'
        ) from None

    own = not ray.is_initialized()
    if own:
        ray.init(
            address=address or None,
            num_cpus=None if address else workers,
            include_dashboard=False,
            configure_logging=True,
            logging_level="error",
            log_to_driver=False,
        )
    task = ray.remote(num_cpus=1, max_retries=RETRIES, retry_exceptions=False)(_shard_files)
    waiting = iter(numbers)
    running: list[Any] = []
    try:
        while True:
            while len(running) < workers and (number := next(waiting, None)) is not None:
                running.append(task.remote(to_json(spec), number))
            if not running:
                return
            done, running = ray.wait(running, num_returns=1)
            number, files = ray.get(done[0])
            yield _write(files, number, folder)
    except ray.exceptions.RayError as error:
        raise InfrastructureError(f"a Ray task failed: {error}") from error
    finally:
        if own:
            ray.shutdown()


def _shard_files(spec: str, number: int) -> tuple[int, dict[str, bytes]]:
    """Make a shard on the machine where this runs; give its files."""
    from synth import shards

    with tempfile.TemporaryDirectory(prefix="execverify-") as place:
        shards.write(from_json(spec), number, Path(place))
        made = shards.place_of(Path(place), number)
        return number, {path.name: path.read_bytes() for path in sorted(made.iterdir())}


def _write(files: dict[str, bytes], number: int, folder: Path) -> ShardReport:
    """Write a shard's files as the shard itself would have been written."""
    from synth import shards

    shards.write_files(files, number, folder)
    report = shards.report_of(folder, number)
    if report is None:
        raise InfrastructureError(f"shard {number} came back damaged")
    return report
