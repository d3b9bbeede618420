"""Writes SFT conversations with a model's own reasoning, and counts what was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

from curricula.difficulty.engines.base import DEFAULT, open_engine, without_address
from curricula.narrator.by_model import narrate_by_model
from curricula.narrator.replies import Replies, remembered
from curricula.problem import Problem
from curricula.views import sft
from tracing import Trace

__all__ = ["ModelNarrator", "model_narrator"]

_PART = 256
"""Problems that a model is asked about at a time."""


class ModelNarrator:
    """A model that reasons about runs; what contradicts the traces is left out.

    Attributes:
        name: The engine's name, as it stands in the rows.
        asked: Conversations that were asked for.
        refused: How many were not kept, by reason.
    """

    def __init__(self, name: str, model: Replies) -> None:
        """Wrap a model.

        Args:
            name: Its name, as it is published.
            model: The model.
        """
        self.name, self._model = name, model
        self.asked = 0
        self.refused: Counter[str] = Counter()

    def rows(self, runs: Iterable[tuple[Problem, Trace]]) -> Iterator[dict[str, Any]]:
        """Write the conversations that agree with the traces.

        Args:
            runs: Problems with the runs of their calls.

        Yields:
            Rows of the ``sft`` config.
        """
        for _, part in groupby(enumerate(runs), key=lambda pair: pair[0] // _PART):
            kept = narrate_by_model([run for _, run in part], self._model)
            self.asked += kept.asked
            self.refused.update(dict(kept.refused))
            for problem, narration in kept.narrations:
                yield sft.to_row(problem, narration, self.name)

    def report(self) -> dict[str, Any]:
        """Say what was asked and refused, as JSON can hold it."""
        return {
            "narrator": self.name,
            "revision": self._model.engine.revision,
            **asdict(self._model.sampling),
            "asked": self.asked,
            "refused": dict(sorted(self.refused.items())),
        }


@contextmanager
def model_narrator(spec: str, folder: Path | None = None) -> Iterator[ModelNarrator]:
    """Open the model that a text names.

    Args:
        spec: An engine as :func:`curricula.grade` takes it, like ``"vllm:MODEL"``.
        folder: What is narrated; the replies are kept in a hidden file beside it, and the same
            model is not asked again. None to keep them nowhere.

    Yields:
        The narrator; its engine is closed afterwards.

    Raises:
        ExecVerifyError: There is no such engine, or what it needs is not installed.
    """
    engine = open_engine(spec)
    try:
        stem = None if folder is None else folder.absolute().parent / f".{folder.name}.narration"
        with remembered(engine, DEFAULT, stem) as model:
            yield ModelNarrator(without_address(spec), model)
    finally:
        engine.close()
