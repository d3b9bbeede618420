"""Asks a model, and keeps what it replies on disk: what was asked once is not asked again.

A model does not repeat itself, so without this a publication that was cut short could never
be finished as it was begun.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path

from curricula import prompts
from curricula.difficulty.engines.base import Completion, Engine, Messages, Sampling
from curricula.difficulty.journal import Entry, Journal, prompt_digest

__all__ = ["Replies", "remembered"]

_Key = tuple[str, str]
"""A problem's id and the hash of a prompt: two problems may have the same prompt."""


class Replies:
    """The replies of one model.

    Attributes:
        engine: The model.
        sampling: How replies are drawn.
    """

    def __init__(self, engine: Engine, sampling: Sampling, journal: Journal | None = None) -> None:
        """Read what was replied before.

        Args:
            engine: The model.
            sampling: How replies are drawn.
            journal: What keeps them; None to keep them nowhere.
        """
        self.engine, self.sampling, self._journal = engine, sampling, journal
        self._known: dict[_Key, tuple[str, ...]] = {}
        for entry in journal.read() if journal else ():
            self._known[entry.problem, entry.prompt] = entry.replies

    def ask(self, names: Sequence[str], conversations: Sequence[Messages]) -> Iterator[Completion]:
        """Give one reply to each conversation.

        Args:
            names: For each the id of its problem.
            conversations: The prompts.

        Yields:
            Completions, those that are known first.

        Raises:
            ExecVerifyError: The engine fails, or the journal cannot be written.
        """
        keys = list(zip(names, map(prompt_digest, conversations), strict=True))
        for place, key in enumerate(keys):
            if key in self._known:
                yield Completion(place, self._known[key])
        new = [place for place, key in enumerate(keys) if key not in self._known]
        asked = [conversations[place] for place in new]
        for completion in self.engine.complete(asked, n=1, sampling=self.sampling) if new else ():
            place = new[completion.prompt]
            # A server that was gone may come back; what it refuses for good it refuses again.
            if completion.texts or completion.refused:
                self._keep(keys[place], completion)
            yield Completion(place, completion.texts, error=completion.error)

    def _keep(self, key: _Key, completion: Completion) -> None:
        texts = completion.texts[:1]
        self._known[key] = texts
        if self._journal is not None:
            reasons = ("",) * len(texts)
            self._journal.add(Entry(*key, 0, texts, reasons, completion.tokens))


@contextmanager
def remembered(engine: Engine, sampling: Sampling, stem: Path | None) -> Iterator[Replies]:
    """Keep a model's replies in a file of their own.

    Args:
        engine: The model.
        sampling: How replies are drawn.
        stem: What the file's name begins with, each model having its own; None for no file.

    Yields:
        The replies.

    Raises:
        ExecVerifyError: The file is in use, is no journal, or cannot be written.
    """
    if stem is None:
        yield Replies(engine, sampling)
        return
    header = {
        "narration": 1,
        "model": engine.model,
        "revision": engine.revision,
        **asdict(sampling),
        "prompt": prompts.VERSION,
    }
    told = json.dumps(header, sort_keys=True)
    name = f"{stem.name}.{hashlib.sha256(told.encode()).hexdigest()[:8]}.jsonl"
    with closing(Journal(stem.with_name(name), header)) as journal:
        yield Replies(engine, sampling, journal)
