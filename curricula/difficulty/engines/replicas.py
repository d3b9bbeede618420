"""``ray:COUNT:ENGINE``: several copies of an engine on a Ray cluster, each with GPUs of its own.

``ray:8:vllm:MODEL`` runs eight copies of vLLM, wherever the cluster has a GPU free. Prompts
go in batches to the copy that is free, so that a slow one holds nobody up; a copy that dies
is started again and its batch asked once more. What each reply is does not
depend on the number of copies, as far as the engine itself repeats its answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from curricula.difficulty.engines.base import (
    DEFAULT,
    Completion,
    Engine,
    Messages,
    Sampling,
    check_engine,
    engine,
    open_engine,
    require,
)
from tracing.errors import ExecVerifyError, InfrastructureError, UsageError, shorten

__all__ = ["ReplicaEngine", "open_replicas"]

LOST = 3
"""Batches that may end their copies twice, for each copy, before the run is given up."""


def _parts(spec: str) -> tuple[int, str]:
    """Take the number of copies and the engine's own name apart."""
    count, _, name = spec.partition(":")
    if not (count.isascii() and count.isdigit() and 1 <= int(count[:5]) <= 1000 and name):
        raise UsageError(
            f"{shorten('ray:' + spec)!r} names no engine; write ray:8:vllm:MODEL for eight copies"
        )
    return int(count), name


def _check(spec: str) -> None:
    _, name = _parts(spec)
    # A wrong name is wrong whether Ray is installed or not.
    check_engine(name)
    _require_ray()


def _require_ray() -> None:
    require("ray", "ray", "use one copy: vllm:MODEL")


@engine("ray", _check)
def open_replicas(
    spec: str, *, address: str = "auto", gpus: float | None = None, batch: int = 256, **options: Any
) -> ReplicaEngine:
    """Open several copies of an engine on a Ray cluster.

    Args:
        spec: The number of copies, and after a colon the engine's own name.
        address: Address of the cluster; ``"local"`` starts one on this machine.
        gpus: GPUs of each copy; None for one with ``vllm:`` or ``transformers:``, else none.
        batch: Prompts that a copy is given at once.
        options: Passed on to each copy.

    Returns:
        The engine.

    Raises:
        UsageError: The text is no such name.
        MissingExtraError: Ray is not installed.
    """
    count, name = _parts(spec)
    if gpus is None:
        gpus = 1 if name.startswith(("vllm:", "transformers:")) else 0
    return ReplicaEngine(
        partial(open_engine, name, **options), count, address=address, gpus=gpus, batch=batch
    )


class ReplicaEngine:
    """Asks one model through several copies of an engine.

    Args:
        opened: Opens a copy; it is called where the copy runs.
        count: How many copies.
        address: Address of the cluster; ``"local"`` starts one on this machine.
        gpus: GPUs of each copy.
        batch: Prompts that a copy is given at once.

    Raises:
        MissingExtraError: Ray is not installed.
        UsageError: The cluster has too few GPUs; Ray would wait for them for ever.
        InfrastructureError: There is no cluster, or a copy cannot be opened.
    """

    def __init__(
        self,
        opened: Callable[[], Engine],
        count: int,
        *,
        address: str = "auto",
        gpus: float = 0,
        batch: int = 256,
    ) -> None:
        _require_ray()
        import ray

        self._ray: Any = ray
        self._copies: list[Any] = []
        self._batch = max(1, batch)
        self._own = not ray.is_initialized()
        if self._own:
            _connect(ray, address)
        try:
            there = ray.cluster_resources().get("GPU", 0)
            if there < count * gpus:
                raise UsageError(
                    f"{count} copies with {gpus:g} GPUs each need more than the cluster's "
                    f"{there:g}; ask for fewer, or start more machines"
                )
            # A copy has one batch at a time, so that no batch is lost by another's fault.
            copy = ray.remote(num_gpus=gpus, max_restarts=2 * LOST, max_task_retries=1)(_Copy)
            self._copies = [copy.remote(opened) for _ in range(count)]
            names = ray.get([one.name.remote() for one in self._copies])
        except ray.exceptions.RayError as error:
            self.close()
            raise _ours(error) from error
        except UsageError:
            self.close()
            raise
        self.model, self.revision = names[0]

    def complete(
        self, prompts: Sequence[Messages], *, n: int = 1, sampling: Sampling = DEFAULT
    ) -> Iterator[Completion]:
        """Ask for n replies to each prompt; see :class:`curricula.difficulty.engines.Engine`.

        Args:
            prompts: The conversations.
            n: Replies to each.
            sampling: How they are drawn.

        Yields:
            One completion for each prompt, in the order in which they come.
        """
        starts = iter(range(0, len(prompts), self._batch))
        running: dict[Any, tuple[int, int]] = {}
        lost = 0

        def give(copy: int) -> None:
            if (start := next(starts, None)) is not None:
                some = [[dict(m) for m in one] for one in prompts[start : start + self._batch]]
                running[self._copies[copy].complete.remote(some, n, sampling)] = (copy, start)

        for copy in range(len(self._copies)):
            give(copy)
        while running:
            task = self._ray.wait(list(running), num_returns=1)[0][0]
            copy, start = running.pop(task)
            try:
                found = self._ray.get(task)
            except self._ray.exceptions.RayActorError as error:
                lost += 1
                if lost > LOST * len(self._copies):
                    raise InfrastructureError(
                        "copies of the engine die again and again; what came before is kept: "
                        f"{shorten(str(error), 200)}"
                    ) from error
                count = len(prompts[start : start + self._batch])
                died = "the copy that was asked died"
                found = [Completion(place, (), error=died) for place in range(count)]
            except self._ray.exceptions.RayError as error:
                raise _ours(error) from error
            for one in found:
                yield replace(one, prompt=start + one.prompt)
            give(copy)

    def close(self) -> None:
        """Give back the copies, and a cluster that was started for them."""
        for copy in self._copies:
            self._ray.kill(copy)
        self._copies = []
        if self._own:
            self._ray.shutdown()


class _Copy:
    """One copy, in a process of its own."""

    def __init__(self, opened: Callable[[], Engine]) -> None:
        self.opened = opened
        self.engine: Engine | None = None

    def open(self) -> Engine:
        # Not when the copy is made: Ray tells why a call failed, but not why a copy did.
        if self.engine is None:
            self.engine = self.opened()
        return self.engine

    def name(self) -> tuple[str, str]:
        return self.open().model, self.open().revision

    def complete(self, prompts: Sequence[Messages], n: int, sampling: Sampling) -> list[Completion]:
        return list(self.open().complete(prompts, n=n, sampling=sampling))


def _connect(ray: Any, address: str) -> None:
    """Join a cluster, or start one here where it is ``"local"``."""
    try:
        ray.init(
            address=address,
            include_dashboard=None if address == "auto" else False,
            logging_level="error",
            log_to_driver=False,
        )
    except (ConnectionError, ValueError) as error:
        raise InfrastructureError(
            f"there is no Ray cluster at {shorten(address)} ({shorten(str(error))}); start one "
            "with ray start --head, or give address local"
        ) from error


def _ours(error: Exception) -> ExecVerifyError:
    cause = getattr(error, "cause", None) or error
    if isinstance(cause, ExecVerifyError):
        return cause
    return InfrastructureError(f"a copy of the engine failed: {shorten(str(cause), 300)}")
