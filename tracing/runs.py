"""Runs calls in confined workers and decides whether what they did is ground truth.

Every run is made twice, by two tracers in two processes with different hash seeds;
programs that touch sets, hashes or identities are run under more seeds. What the runs
do not agree on is no ground truth: the outcome is ``unsupported``, with the reason.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from tracing import support
from tracing.errors import ProgramError, UsageError, shorten
from tracing.limits import Limits
from tracing.record import Record, from_json
from tracing.trace import Trace
from tracing.units import units_of
from tracing.workers import Death, Job, Lane, lane

__all__ = ["derived", "outputs", "probe", "run", "run_many"]

_J = TypeVar("_J")
_R = TypeVar("_R")

_FINISHED = ("returned", "raised")
SEEDS = (0, 1)
"""PYTHONHASHSEED of the first and of the second tracer's workers."""
MORE_SEEDS = (2, 3, 4, 5, 6, 7)
"""Further hash seeds for programs whose run may depend on them."""
BATCH = 32
_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*\((.*)\)\s*", re.DOTALL)


def run(source: str, call: str, *, limits: Limits | None = None) -> Trace:
    """Run one call of one function, twice, and say step by step what happened.

    Args:
        source: The program; its module-level statements run first and are no steps.
        call: One call of a function of it with literal arguments, like ``"f([1], k=2)"``.
        limits: What each run may use.

    Returns:
        The trace. Whatever the program does is an outcome; one that cannot be ground truth
        is ``"unsupported"``, with the reason in :attr:`Trace.reason`.

    Raises:
        InfrastructureError: No worker can be started.

    Source: docs/semantics.md, section 9.

    Example:
        >>> run("def f(n):\\n    return n / 0\\n", "f(1)").exception
        'ZeroDivisionError'
        >>> run("def f():\\n    return hash('a')\\n", "f()").outcome
        'unsupported'
    """
    return next(run_many([(source, call)], limits=limits))


def run_many(
    jobs: Iterable[tuple[str, str]], *, limits: Limits | None = None, workers: int = 1
) -> Iterator[Trace]:
    """Run many calls; see :func:`run`.

    Args:
        jobs: Pairs of a source and a call; consumed as results are taken.
        limits: What each run may use.
        workers: How many are run at the same time.

    Yields:
        A trace for each job, in their order.

    Raises:
        InfrastructureError: No worker can be started.
    """
    given = limits or Limits()

    def confirmed(batch: list[tuple[str, str]]) -> list[Trace]:
        with lane() as borrowed:
            return _confirm(batch, borrowed, given)

    yield from _mapped(confirmed, jobs, workers)


def probe(
    jobs: Iterable[tuple[str, Sequence[str]]],
    *,
    limits: Limits | None = None,
    workers: int = 1,
) -> Iterator[tuple[Trace, ...]]:
    """Run several calls of each program once, recording steps and output but no variables.

    Nothing is confirmed by a second run: this is for choosing inputs, not for ground truth.

    Args:
        jobs: Pairs of a source and its calls.
        limits: What each run may use.
        workers: How many programs are run at the same time.

    Yields:
        For each program a trace of each call, in their order.

    Raises:
        InfrastructureError: No worker can be started.
    """
    given = limits or Limits()

    def probed(batch: list[tuple[str, Sequence[str]]]) -> list[tuple[Trace, ...]]:
        flat = [(source, call) for source, calls in batch for call in calls]
        with lane() as borrowed:
            traces = iter(_once(flat, borrowed, given, traced=True))
        return [tuple(islice(traces, len(calls))) for _, calls in batch]

    yield from _mapped(probed, jobs, workers, size=4)


def outputs(source: str, calls: Sequence[str], *, limits: Limits | None = None) -> list[Trace]:
    """Run calls of one program once each, for their outcomes alone.

    Args:
        source: The program.
        calls: The calls.
        limits: What each run may use.

    Returns:
        A trace without steps for each call, in their order.

    Raises:
        InfrastructureError: No worker can be started.

    Example:
        >>> doubled = outputs("def f(n):\\n    return n * 2\\n", ["f(1)", "f('a')"])
        >>> [trace.output.literal for trace in doubled]
        ['2', "'aa'"]
    """
    with lane() as borrowed:
        return _once([(source, call) for call in calls], borrowed, limits or Limits(), traced=False)


def derived(jobs: Iterable[tuple[str, str, str]], *, limits: Limits | None = None) -> list[Trace]:
    """Run texts that were made from programs, once each, for their outcomes alone.

    Args:
        jobs: A program, a text that was made from it and holds nothing else of the outside,
            and a call of the text. The program's check stands for the text's, which is
            most of the cost of a text that is run once.
        limits: What each run may use.

    Returns:
        A trace without steps for each job, in their order.

    Raises:
        InfrastructureError: No worker can be started.
    """
    given = list(jobs)
    refused = [_refused(origin) for origin, _, _ in given]
    work = [
        Job(text, call, "none", False, not support.is_tame(origin))
        for (origin, text, call), refusal in zip(given, refused, strict=True)
        if refusal is None
    ]
    with lane() as borrowed:
        results = borrowed.run(SEEDS[0], work, limits or Limits())
        return _traces([(text, call) for _, text, call in given], refused, map(_read, results))


def _mapped(
    function: Callable[[list[_J]], list[_R]],
    jobs: Iterable[_J],
    workers: int,
    *,
    size: int = BATCH,
) -> Iterator[_R]:
    """Map a function over batches of jobs, keeping their order, with bounded read-ahead."""
    if workers < 1:
        raise UsageError(f"workers must be at least 1, not {workers}")
    stream = iter(jobs)
    batches = iter(lambda: list(islice(stream, size)), [])
    if workers == 1:
        for batch in batches:
            yield from function(batch)
        return
    with ThreadPoolExecutor(workers) as threads:
        pending = [threads.submit(function, batch) for batch in islice(batches, 2 * workers)]
        while pending:
            done = pending.pop(0).result()
            pending.extend(threads.submit(function, batch) for batch in islice(batches, 1))
            yield from done


def _refused(source: str) -> str | None:
    """Say why a program is not run at all, or None."""
    try:
        support.check(source)
    except ProgramError as error:
        return str(error)
    return None


def _refusal(source: str, call: str) -> str | None:
    """Say why a call of a program is not run at all, or None."""
    refused = _refused(source)
    if refused is not None:
        return refused
    match = _CALL.fullmatch(call)
    if match is None:
        return f"{shorten(call)!r} is not one call of a function"
    if not any(scope.name == match[1] for scope in units_of(source).scopes):
        return f"the program defines no function {shorten(match[1])}"
    return None


def _once(
    jobs: Sequence[tuple[str, str]], borrowed: Lane, limits: Limits, *, traced: bool
) -> list[Trace]:
    refused = [_refusal(source, call) for source, call in jobs]
    work = [
        Job(source, call, "instrument" if traced else "none", False, not support.is_tame(source))
        for (source, call), refusal in zip(jobs, refused, strict=True)
        if refusal is None
    ]
    return _traces(jobs, refused, map(_read, borrowed.run(SEEDS[0], work, limits)))


def _confirm(jobs: Sequence[tuple[str, str]], borrowed: Lane, limits: Limits) -> list[Trace]:
    refused = [_refusal(source, call) for source, call in jobs]
    work = [
        Job(source, call, "instrument", True, not support.is_tame(source))
        for (source, call), refusal in zip(jobs, refused, strict=True)
        if refusal is None
    ]
    # Both are under way before the first result is read.
    first = borrowed.run(SEEDS[0], work, limits)
    second = borrowed.run(SEEDS[1], [_confirming(job) for job in work], limits)
    pairs = list(zip(list(first), list(second), strict=True))
    records = [
        _decided(job, one, other, borrowed, limits)
        for job, (one, other) in zip(work, pairs, strict=True)
    ]
    _vary_seeds(work, records, borrowed, limits)
    return _traces(jobs, refused, iter(records))


def _traces(
    jobs: Sequence[tuple[str, str]], refused: Sequence[str | None], records: Iterator[Record]
) -> list[Trace]:
    """Put the records of the jobs that were run among those that were refused."""
    return [
        Trace(source, call, _unsupported(refusal) if refusal else next(records))
        for (source, call), refusal in zip(jobs, refused, strict=True)
    ]


def _confirming(job: Job) -> Job:
    """Give the second run of a job: by the other tracer, where that can be trusted."""
    trusted = sys.version_info >= (3, 12) or not support.may_show_phantom(job.source)
    return replace(job, tracer="events" if trusted else "instrument")


def _decided(
    job: Job, one: bytes | Death, other: bytes | Death, borrowed: Lane, limits: Limits
) -> Record:
    record = _agreed(one, other)
    if record is not None and record.outcome == "memory" and not job.alone:
        # Others may have used up this worker's memory.
        lone = replace(job, alone=True)
        one = next(borrowed.run(SEEDS[0], [lone], limits))
        other = next(borrowed.run(SEEDS[1], [_confirming(lone)], limits))
        record = _agreed(one, other)
    return record or _explained(job, one, borrowed, limits)


def _agreed(one: bytes | Death, other: bytes | Death) -> Record | None:
    """Give what two runs did, or None where they disagree."""
    if one == other:
        return _read(one)
    for record in map(_read, (one, other)):
        if record.outcome not in _FINISHED:
            return record
    return None


def _explained(job: Job, one: bytes | Death, borrowed: Lane, limits: Limits) -> Record:
    """Find out why two runs disagreed: run the first again as it was, and with the other seed."""
    record = _read(one)
    again, seeded = (
        _read(next(borrowed.run(seed, [replace(job, alone=True)], limits))) for seed in SEEDS
    )
    if again != record:
        return _difference(record, again, "it is not deterministic")
    if seeded != record:
        return _difference(record, seeded, "it changes with the hash seed")
    return _unsupported("the two tracers disagree on its steps")


def _vary_seeds(work: Sequence[Job], records: list[Record], borrowed: Lane, limits: Limits) -> None:
    """Run what may depend on hashes under more seeds; refuse in place what does."""
    places = [
        place
        for place, job in enumerate(work)
        if records[place].outcome in _FINISHED and support.is_hash_sensitive(job.source)
    ]
    # Most seeds give the very same bytes.
    known: dict[bytes | Death, Record] = {}
    for seed in MORE_SEEDS:
        jobs = [work[place] for place in places]
        for place, result in zip(list(places), list(borrowed.run(seed, jobs, limits)), strict=True):
            if result not in known:
                known[result] = _read(result)
            other = known[result]
            if other != records[place]:
                records[place] = _difference(records[place], other, "it changes with the hash seed")
                places.remove(place)


def _difference(one: Record, other: Record, what: str) -> Record:
    """Describe how two runs differ, as the reason of an unsupported one."""
    if other.outcome not in _FINISHED:
        return replace(other)
    if (one.outcome, one.exception) != (other.outcome, other.exception):
        detail = (
            f"one {one.outcome}, the other {other.outcome} ({one.exception}, {other.exception})"
        )
    elif _output(one) != _output(other):
        detail = f"two runs gave {shorten(_output(one))} and {shorten(_output(other))}"
    elif one.lines != other.lines:
        detail = "their steps differ"
    else:
        detail = "their variables differ"
    return _unsupported(f"{what}: {detail}")


def _output(record: Record) -> str:
    return record.literals[record.output] if record.output >= 0 else "no value"


def _unsupported(reason: str) -> Record:
    return Record("unsupported", reason=reason)


def _read(result: bytes | Death) -> Record:
    if isinstance(result, Death):
        return Record(result.outcome, reason=result.reason)
    return from_json(result)
