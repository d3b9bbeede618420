"""Builds a curriculum in memory, and has a model grade it where that is asked for."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from synth import folder
from synth.build import build_folder
from synth.decontaminate import digest_of
from synth.spec import Spec

if TYPE_CHECKING:
    from datasets import DatasetDict

__all__ = ["build_curriculum"]


def build_curriculum(
    tier: str = "hard",
    *,
    size: int = 1000,
    seed: int = 0,
    difficulty: str = "estimate",
    workers: int | None = None,
    like: str | None = None,
    kinds: Sequence[str] | None = None,
    questions: int = 10,
    stdlib: bool = False,
    decontaminate: Sequence[str] = (),
    source: str = "",
    executor: str = "local",
) -> DatasetDict:
    """Build a curriculum in memory.

    Args:
        tier: ``"easy"``, ``"medium"``, ``"hard"`` or ``"all"``.
        size: Number of problems over all splits.
        seed: Another seed gives other programs.
        difficulty: ``"estimate"``, or an engine to measure pass rates with
            (``"vllm:MODEL"``); then the tier is of measured rates, and fewer problems
            than ``size`` may be left.
        workers: Processes; one for each core where it is None. The rows do not depend on it.
        like: ``"cruxeval"`` to imitate its statistics, or None.
        kinds: Question kinds to ask, or None for all.
        questions: The most questions of a problem.
        stdlib: Whether programs may import ``math`` and ``collections``.
        decontaminate: Benchmarks whose programs must not be made: files, short names
            (``"cruxeval"``) or Hub datasets.
        source: An engine whose model proposes the programs (``"vllm:MODEL"``), each proved
            like the generator's; the generator where it is empty.
        executor: ``"local"`` or ``"ray[:address]"``.

    Returns:
        Splits train, validation and test (about 90, 5 and 5%), by program family, with
        the columns of :data:`curricula.problem.SCHEMA`.

    Raises:
        UsageError: An argument is not what it may be.
        ExecVerifyError: The build failed.

    Example:
        >>> build_curriculum(tier="hard", size=20)["train"].column_names[:3]  # doctest: +SKIP
        ['id', 'family', 'source']
    """
    measured = difficulty != "estimate"
    spec = Spec(
        tier="all" if measured else tier,
        size=size,
        seed=seed,
        like=like,
        kinds=None if kinds is None else tuple(kinds),
        questions=questions,
        stdlib=stdlib,
        source=source,
        benchmarks=tuple(decontaminate),
        benchmarks_sha256=digest_of(decontaminate),
    )
    with tempfile.TemporaryDirectory(prefix="execverify-") as place:
        out = Path(place) / "curriculum"
        build_folder(spec, out, workers=workers, executor=executor)
        made = folder.load(out)
    if measured:
        import curricula

        Spec(tier=tier, size=size, seed=seed)  # refuses an unknown tier before the model is asked
        made = curricula.grade(made, difficulty)
        if tier != "all":
            made = made.filter(lambda row: row["tier"] == tier)
    return made
