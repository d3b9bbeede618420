"""Asks a model for the replies to items, and keeps each in a journal as it comes.

Nothing is judged here: a journal holds what was replied, so scores can be worked out from it
again. A run that was killed goes on where it stopped; more samples may be asked for later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curricula.difficulty.engines import Completion, Engine, Sampling
from curricula.difficulty.journal import Entry, Journal, prompt_digest
from curricula.difficulty.progress import Progress, Told
from rl.evaluation.benchmarks.base import Item
from tracing.errors import ExecVerifyError

__all__ = ["Replies", "ask"]

_UNJUDGED = "not judged"


@dataclass(slots=True)
class Replies:
    """What a model replied to one item.

    Attributes:
        item: The item.
        texts: The replies, in the order in which they came.
        error: Why some are missing, or an empty text.
    """

    item: Item
    texts: list[str] = field(default_factory=list)
    error: str = ""


def ask(
    items: Sequence[Item],
    engine: Engine,
    sampling: Sampling,
    samples: int,
    *,
    journal: Path,
    header: Mapping[str, Any],
    progress: Callable[[Progress], None] | None = None,
) -> list[Replies]:
    """Ask for the replies that a journal does not hold yet.

    Args:
        items: The items.
        engine: The model.
        sampling: How replies are drawn.
        samples: Replies to each item.
        journal: The file.
        header: What replies depend on; a journal begun with another one is refused.
        progress: Called after each prompt's replies.

    Returns:
        The replies to each item, in order, at most ``samples``.

    Raises:
        ExecVerifyError: The journal is another run's, or the engine cannot be used.
    """
    asked = {item.id: Replies(item) for item in items}
    prompts = {item.id: prompt_digest(item.messages) for item in items}
    with Journal(journal, header) as kept:
        for entry in kept.read():
            if entry.problem in asked:
                _take(asked[entry.problem], entry, prompts[entry.problem], journal)
        told = Told(len(asked), samples, progress)
        told.begin(max(0, samples - len(one.texts)) for one in asked.values())
        for one, completion in _completions(list(asked.values()), engine, sampling, samples):
            name, one.error = one.item.id, completion.error
            before = samples - len(one.texts)
            texts = tuple(completion.texts)
            reasons = (_UNJUDGED,) * len(texts)
            entry = Entry(name, prompts[name], len(one.texts), texts, reasons, completion.tokens)
            if texts:
                kept.add(entry)
                one.texts += texts
            told.after(entry, before, 0)  # nobody is asked twice in a run
    for one in asked.values():
        del one.texts[samples:]
    return list(asked.values())


def _completions(
    asked: Sequence[Replies], engine: Engine, sampling: Sampling, samples: int
) -> Iterator[tuple[Replies, Completion]]:
    """Ask once for what is missing, items that miss as many replies together."""
    groups: dict[int, list[Replies]] = {}
    for one in asked:
        groups.setdefault(samples - len(one.texts), []).append(one)
    for missing, group in sorted(groups.items()):
        if missing <= 0:
            continue
        unseen = set(range(len(group)))
        messages = [one.item.messages for one in group]
        for completion in engine.complete(messages, n=missing, sampling=sampling):
            unseen.discard(completion.prompt)
            yield group[completion.prompt], completion
        for place in sorted(unseen):
            yield group[place], Completion(place, (), error="the engine gave no answer")


def _take(one: Replies, entry: Entry, prompt: str, path: Path) -> None:
    if entry.prompt != prompt:
        raise ExecVerifyError(
            f"{path} holds replies to another prompt of {entry.problem}; choose another journal"
        )
    if entry.first != len(one.texts):
        raise ExecVerifyError(
            f"{path} is damaged: {entry.problem} has {len(one.texts)} replies before one that "
            f"says it is number {entry.first}"
        )
    one.texts += entry.replies
