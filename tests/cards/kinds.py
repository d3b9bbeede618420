"""Datasets of every kind that can be published, each made of one small build."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datasets import DatasetDict

from synth import folder

__all__ = ["KINDS", "Kind"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A dataset, and how it is published."""

    make: Callable[[Path], Any]
    options: dict[str, Any] = field(default_factory=dict)


def _test_only(built: Path) -> DatasetDict:
    made = folder.load(built)
    return DatasetDict({"test": made["train"].select(range(5))})


def _tiny(built: Path) -> DatasetDict:
    return DatasetDict({"train": folder.load(built)["train"].select([0])})


KINDS = {
    "built": Kind(lambda built: built),
    "in memory": Kind(folder.load),
    "for testing alone": Kind(_test_only),
    "of one row": Kind(_tiny),
    "without configs": Kind(lambda built: built, {"configs": []}),
    "with sft alone": Kind(lambda built: built, {"configs": ["sft"]}),
    "for testing, without configs": Kind(_test_only, {"configs": []}),
}
