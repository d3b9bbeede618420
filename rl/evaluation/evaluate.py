"""Evaluates a model on a benchmark: reads it, asks, judges by both rules, works out scores.

What was replied is kept in a journal and judged when all of it is there; the same call goes
on where a killed one stopped, and judges anew.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from curricula import prompts
from curricula.difficulty.engines import ENGINES, Engine, Sampling, check_samples, open_engine
from curricula.difficulty.grading import without_values
from curricula.difficulty.progress import Progress
from rl.evaluation.asking import Replies, ask
from rl.evaluation.benchmarks import benchmark_of
from rl.evaluation.benchmarks.base import Benchmark, Content, Item, Mark, Replied
from rl.evaluation.report import Report, Unit, scores_of
from rl.evaluation.writing_code import check_asked_here
from tracing import sandbox
from tracing.errors import ExecVerifyError, UsageError, shorten

__all__ = ["evaluate"]

_WARM = 0.8
"""Temperature of several samples (CRUXEval's for pass@5)."""


def evaluate(
    model: str,
    benchmark: str,
    *,
    engine: Engine | str = "transformers",
    data: str | Path | None = None,
    samples: int = 1,
    temperature: float | None = None,
    top_p: float = 0.95,
    max_tokens: int = 2048,
    k: Sequence[int] = (1,),
    limit: int | None = None,
    journal: str | Path | None = None,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Report:
    """Evaluate a model on a benchmark.

    Args:
        model: A model's name or folder; or with its engine, as ``"openai:MODEL@URL"``.
        benchmark: ``"cruxeval"``, ``"livecodebench"``, ``"reval"``, ``"cruxeval_x"`` or
            ``"heldout"``, or one task of it, as ``"cruxeval/output"``.
        engine: ``"transformers"``, ``"vllm"`` or ``"openai"``; or an open engine, which is
            left open.
        data: A file or folder of the benchmark's form, or a dataset's name on the Hub; None for
            where the benchmark lies on the Hub.
        samples: Replies to each item.
        temperature: Sampling temperature; None for greedy decoding with one sample, and 0.8
            with several.
        top_p: Share of the probability that is sampled from.
        max_tokens: Most tokens of a reply.
        k: The k of each pass@k, none above ``samples``.
        limit: Problems to ask, chosen by a hash of their ids; None for all.
        journal: A file that keeps every reply; the same call goes on from it. None to keep
            nothing.
        progress: Called with how far the asking is.
        options: Passed on to the engine that is opened.

    Returns:
        The scores by our checks and, where a benchmark has another rule, by that, too.

    Raises:
        UsageError: There is no such benchmark, or the numbers make no sense. For benchmarks of
            writing code it says which package asks them, and by which command.
        BenchmarkError: The data have not the benchmark's form.
        ExecVerifyError: No item was answered, or the journal belongs to another run.
        SandboxLevelError: This system cannot confine what official rules run.
    """
    if temperature is None:
        temperature = _WARM if samples > 1 else 0.0
    check_samples(samples, temperature)
    wanted = _checked_ks(k, samples)
    sampling = Sampling(temperature, top_p, max_tokens)
    check_asked_here(benchmark, _spec(model, engine))
    found, tasks = benchmark_of(benchmark)
    if found.runs_replies:
        sandbox.require()  # before anything is asked in vain
    content = found.read(str(data) if data is not None else "", tasks)
    items = _limited(content.items, limit)
    if not items:
        raise ExecVerifyError(f"{found.name} has no items to ask for {', '.join(tasks)}")
    opened = engine if not isinstance(engine, str) else open_engine(_spec(model, engine), **options)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            replies = ask(
                items,
                opened,
                sampling,
                samples,
                journal=Path(journal) if journal else Path(scratch) / "journal.jsonl",
                header=_header(found, content, opened, sampling),
                progress=progress,
            )
    finally:
        if isinstance(engine, str):
            opened.close()
    judged = _judged(found, replies, samples)
    units = [*judged.units, *found.combined(judged.units)]
    return Report(
        benchmark=found.name,
        tasks=tasks,
        data=content.version,
        model=opened.model,
        revision=opened.revision,
        sampling=asdict(sampling),
        samples=samples,
        prompt=prompts.VERSION,
        scores=scores_of(units, wanted),
        reasons=_counted(judged.reasons),
        left_out=dict(content.left_out),
        unanswered=judged.unanswered,
        units=tuple(units),
    )


def _checked_ks(given: Sequence[int], samples: int) -> list[int]:
    wanted = sorted(set(given)) or [1]
    if wanted[0] < 1 or wanted[-1] > samples:
        raise UsageError(
            f"pass@{wanted[0] if wanted[0] < 1 else wanted[-1]} needs a k from 1 to the number "
            f"of samples, {samples}"
        )
    return wanted


def _limited(items: Sequence[Item], limit: int | None) -> list[Item]:
    """Choose problems by a hash of their ids: the first ones of a file may be alike."""
    if limit is None:
        return list(items)
    if limit < 1:
        raise UsageError(f"at least 1 problem must be asked, not {limit}")

    def place(name: str) -> str:
        return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()

    chosen = set(sorted({item.problem for item in items}, key=place)[:limit])
    return [item for item in items if item.problem in chosen]


def _spec(model: str, engine: Engine | str) -> str:
    """Name a model with its engine; an open engine's is not known, but its model is."""
    if not isinstance(engine, str):
        return f"transformers:{engine.model}"
    if ":" in engine:
        return engine
    named = model.partition(":")[0] in ENGINES and ":" in model
    return model if named else f"{engine}:{model}"


def _header(
    found: Benchmark, content: Content, engine: Engine, sampling: Sampling
) -> dict[str, Any]:
    """Name what replies depend on; tasks and samples may be added to a journal later."""
    return {
        "evaluation": 1,
        "benchmark": found.name,
        "data": content.version,
        "model": engine.model,
        "revision": engine.revision,
        **asdict(sampling),
        "prompt": prompts.VERSION,
    }


@dataclass(slots=True)
class _Judged:
    """Marks, put together."""

    units: list[Unit] = field(default_factory=list)
    unanswered: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, Counter[str]] = field(default_factory=dict)


def _judged(found: Benchmark, replies: Sequence[Replies], samples: int) -> _Judged:
    """Judge the replies to items that have all of them, by both rules."""
    judged = _Judged()
    whole = []
    for one in replies:
        if len(one.texts) == samples:
            whole.append(one)
        else:
            judged.unanswered[one.item.id] = shorten(one.error or "replies are missing", 200)
    replied = [Replied(one.item, text) for one in whole for text in one.texts]
    ours, official = found.ours(replied), found.official(replied)
    for place, one in enumerate(whole):
        part = slice(place * samples, (place + 1) * samples)
        lost = [m for marks in (ours, official or []) for m in _flat(marks[part]) if m.is_lost]
        if lost:
            judged.unanswered[one.item.id] = shorten(lost[0].reason, 200)
            continue
        judged.units += _units(one.item, ours[part], official[part] if official else [])
        for mark in _flat(ours[part]):
            if mark.reason:
                counts = judged.reasons.setdefault(mark.task, Counter())
                counts[without_values(mark.reason)] += 1
    if not judged.units:
        error = next(iter(judged.unanswered.values()))
        raise ExecVerifyError(f"none of {len(replies)} items was answered: {error}")
    return judged


def _flat(marks: Sequence[tuple[Mark, ...]]) -> list[Mark]:
    return [mark for one in marks for mark in one]


def _units(
    item: Item, ours: Sequence[tuple[Mark, ...]], official: Sequence[tuple[Mark, ...]]
) -> list[Unit]:
    """Turn the marks of one item's replies into a unit for each thing that was asked."""
    by_rule: list[dict[tuple[str, str], list[float | None]]] = [{}, {}]
    for known, marks in zip(by_rule, (ours, official), strict=True):
        for mark in _flat(marks):
            known.setdefault((mark.task, mark.part), []).append(mark.right)
    return [
        Unit(
            id=f"{item.id}#{part}" if part else item.id,
            group=item.group,
            task=task,
            ours=tuple(0.0 if right is None else right for right in rights),
            official=tuple(by_rule[1].get((task, part), ())),
        )
        for (task, part), rights in by_rule[0].items()
    ]


def _counted(reasons: Mapping[str, Counter[str]]) -> dict[str, dict[str, int]]:
    return {
        task: dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
        for task, counts in sorted(reasons.items())
    }
