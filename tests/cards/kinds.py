"""Datasets of every kind that can be published, each made of one small build."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
from datasets import Dataset, DatasetDict

from curricula.difficulty import Difficulty
from curricula.difficulty.engines import Sampling
from curricula.difficulty.grade import entered, retier
from curricula.difficulty.grading import Grading
from curricula.difficulty.intervals import wilson
from curricula.difficulty.plan import Plan
from curricula.problem import SCHEMA, to_row
from synth import folder, problem_from
from synth.regrade import grade_folder
from tests.curricula.difficulty.scripted import ScriptedServer

__all__ = ["KINDS", "NARRATED", "Kind", "answering"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A dataset, made of a build in a new folder, and how it is published."""

    make: Callable[[Path, Path], Any]
    options: dict[str, Any] = field(default_factory=dict)


NARRATED = "narrated by a model"
"""The kind that needs a server while it is staged."""


def answering(built: Path) -> ScriptedServer:
    """A model that knows the output of every second problem, and reasons about it in vain."""
    rows = [row for _, row in folder.split_rows(built)]
    known = {row["call"]: (place % 2, row["output"]) for place, row in enumerate(rows)}

    def answer(prompt: str, n: int) -> list[str]:
        call = next((call for call in sorted(known, key=len)[::-1] if call in prompt), "")
        is_known, output = known.get(call, (0, None))
        literal = output["literal"] if is_known and output else "'?'"
        return [f"So it is.\n<answer>\nassert {call} == {literal}\n</answer>"] * n

    return ScriptedServer(answer)


def _some(built: Path, rows: int = 6) -> DatasetDict:
    return DatasetDict({"train": folder.load(built)["train"].select(range(rows))})


def _measured(data: DatasetDict, model: str, which: range, **said: Any) -> DatasetDict:
    """Enter the rates of a model that was asked about some of the problems."""
    rates = {}
    for place, identity in enumerate(data["train"]["id"]):
        if place in which:
            low, high = wilson(place % 5, 4 + place)
            counts = (4 + place, place % 5, (place % 5) / (4 + place), low, high)
            settings = {"temperature": 1.0, "top_p": 0.9, "max_tokens": 64, "prompt": "1", **said}
            rates[identity] = Difficulty("passrate", model, *counts, **settings)
    return entered(data, Grading(rates, {}))


def _graded(built: Path, place: Path, *plans: Plan, keep_replies: bool = False) -> Path:
    shutil.copytree(built, place)
    with answering(built) as server:
        for number, plan in enumerate(plans):
            url = server.spec.partition("@")[2]
            engine = f"openai:org/model-{number}@{url}"
            grade_folder(place, engine, plan, keep_replies=keep_replies)
    return place


def _rowwise(data: DatasetDict, change: Callable[[dict[str, Any]], object]) -> DatasetDict:
    rows = data["train"].to_list()
    for row in rows:
        change(row)
    return DatasetDict({"train": Dataset(pa.Table.from_pylist(rows, schema=SCHEMA))})


def _own(count: int) -> list[dict[str, Any]]:
    source = "def f(x):\n    for _ in range(2):\n        x = x + 1\n    return x\n"
    return [to_row(problem_from(source, f"f({number})")) for number in range(count)]


def _with_own(built: Path, count: int) -> DatasetDict:
    rows = [*_own(2), *_some(built, count)["train"].to_list()]
    return DatasetDict({"test": Dataset(pa.Table.from_pylist(rows, schema=SCHEMA))})


def _by_model(row: dict[str, Any]) -> None:
    row["provenance"]["idioms"] = ["proposed by openai:org/coder@http://me:key@10.0.0.3:8000/v1"]


_FEW = Plan(samples=2, sampling=Sampling(0.7, 0.9, 64))
_SHOWN = Plan(samples=3, shots=2)

KINDS = {
    "built": Kind(lambda built, _: built),
    "in memory": Kind(lambda built, _: folder.load(built)),
    "of one row": Kind(lambda built, _: _some(built, 1)),
    "for testing alone": Kind(lambda built, _: DatasetDict({"test": _some(built)["train"]})),
    "without configs": Kind(lambda built, _: built, {"configs": []}),
    "with sft alone": Kind(lambda built, _: built, {"configs": ["sft"]}),
    "graded": Kind(lambda built, place: _graded(built, place, _FEW, keep_replies=True)),
    "graded by two models": Kind(lambda built, place: _graded(built, place, _FEW, _SHOWN)),
    "graded in part": Kind(lambda built, _: _measured(_some(built), "m", range(4))),
    "drawn anew by the estimate": Kind(
        lambda built, _: retier(_measured(_some(built), "m", range(6)), model="estimate-1")
    ),
    "rated by another estimate": Kind(
        lambda built, _: _rowwise(_some(built), lambda r: r["difficulty"][0].update(model="own-2"))
    ),
    "without rates": Kind(
        lambda built, _: _rowwise(_some(built), lambda row: row.update(difficulty=[]))
    ),
    "of own programs": Kind(lambda built, _: _with_own(built, 0)),
    "of own programs, too": Kind(lambda built, _: _with_own(built, 5)),
    "of a model's programs": Kind(lambda built, _: _rowwise(_some(built), _by_model)),
    NARRATED: Kind(lambda built, _: built, {"configs": ["sft"]}),
}
