"""Counts the tables of a card again, from the published files, by nothing of ``cards``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow.parquet as pq
from published import SPLITS, Published

from synth.catalogue import CATALOGUE, STDLIB
from tracing import run
from tracing.record import REASONS, to_columns

__all__ = ["catalogue_of", "columns_of", "example_of", "ordered", "share", "some", "tables_of"]

TIERS = ("easy", "medium", "hard", "trivial", "unsolved")


def ordered(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def some(number: int, one: str, several: str = "") -> str:
    """Write a number of things."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%"


_COUNTED: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "outcome": lambda r: [r["outcome"]],
    "exception that leaves the call": lambda r: [r["exception"]] if r["exception"] else [],
    "type of the output": lambda r: [r["output"]["type"]] if r["output"] else [],
    "question kind": lambda r: [q["kind"] for q in r["questions"]],
    "type of the answer": lambda r: [q["answers"][0]["type"] for q in r["questions"]],
    "control structures, from the outside in": lambda r: [" > ".join(r["shape"]["control"])],
    "further features (share of problems)": lambda r: r["shape"]["features"],
    "helper functions": lambda r: [str(r["shape"]["helpers"])],
    "depth of nested calls of the method": lambda r: [str(r["shape"]["nested_calls"])],
    "version of execverify": lambda r: [r["provenance"]["generator_version"]],
    "Python of the runs": lambda r: [r["provenance"]["python"]],
    "seed": lambda r: [str(r["provenance"]["seed"])],
}


_OF_SHAPES = {
    "control structures, from the outside in",
    "further features (share of problems)",
    "helper functions",
    "depth of nested calls of the method",
}
"""What somebody's own program says nothing of, and is not counted in."""


def tables_of(data: Published) -> dict[str, list[list[str]]]:
    """Count the tables of a card again: rows by their first heading."""
    rows = data.rows
    made = {"config": _configs(data), "tier": _tiers(rows), "per problem": _measures(rows)}
    shaped = [row for row in rows if row["shape"]["type"]]
    for title, pick in _COUNTED.items():
        counted = shaped if title in _OF_SHAPES else rows
        counts = Counter(value for row in counted for value in pick(row))
        whole = len(counted) if "share of problems" in title else sum(counts.values())
        if counts:
            made[title] = [
                [name or "(none)", f"{n:,}", share(n, whole)] for name, n in ordered(counts)
            ]
    if data.report:
        tried = data.report["programs_tried"]
        refused = sorted(data.report["refused"].items(), key=lambda item: (-item[1], item[0]))
        made["reason"] = [[name, f"{n:,}", share(n, tried)] for name, n in refused]
    checked = data.report and data.report.get("decontamination")
    if checked:
        made["benchmark"] = [
            [name, f"{facts['programs']:,}", f"{facts['refused']:,}"]
            for name, facts in sorted(checked.items())
        ]
    methods = {(r["shape"]["type"], r["shape"]["method"]) for r in shaped}
    types = Counter(row["shape"]["type"] for row in shaped)
    planned = catalogue_of(data)
    without = sorted({kind for kind, _ in planned} - types.keys())
    made["type"] = [
        [
            name,
            *(str(sum(of == name for of, _ in of_one)) for of_one in (methods, planned) if of_one),
            f"{n:,}",
        ]
        for name, n in (*ordered(types), *((kind, 0) for kind in without))
    ]
    if not made["type"]:
        del made["type"]
    example, trace = example_of(data)
    made["step"] = _steps(trace)
    if example["questions"]:
        made["question, with its answer below"] = [
            [f"{flat(q['text'], 500)}<br>{_answer(q)}"] for q in example["questions"][:3]
        ]
    return made


def catalogue_of(data: Published) -> set[tuple[str, str]]:
    """The cells that programs can be about, by the generator's own tables."""
    if data.build is None:
        return set()
    entries = (*CATALOGUE, *STDLIB) if data.build["spec"]["stdlib"] else CATALOGUE
    return {(entry.type, entry.method) for entry in entries}


def _configs(data: Published) -> list[list[str]]:
    order = ("problems", "easy", "medium", "hard", "trace", "stage1", "sft", "stage2", "replies")
    return [
        [config, *(f"{n:,}" if (n := data.count(config, split)) else "—" for split in SPLITS)]
        for config in order
        if config in data.files
    ]


def columns_of(data: Published) -> Iterator[tuple[str, str]]:
    """Names and types of the columns, of each config that is no tier."""
    for config in ("problems", "trace", "stage1", "sft", "stage2", "replies"):
        for paths in list(data.files.get(config, {}).values())[:1]:
            for field in pq.read_schema(paths[0]):
                yield field.name, str(field.type).replace("element: ", "")


def _tiers(rows: list[dict[str, Any]]) -> list[list[str]]:
    counts = Counter(row["tier"] for row in rows)
    return [
        [tier, f"{counts[tier]:,}", share(counts[tier], len(rows))]
        for tier in (*TIERS, *sorted(set(counts) - set(TIERS)))
        if counts[tier]
    ]


def _measures(rows: list[dict[str, Any]]) -> list[list[str]]:
    names = (
        "lines statements depth branches calls steps frames changes "
        "input_size output_size largest_value"
    )
    columns = {name: sorted(row["structure"][name] for row in rows) for name in names.split()}
    columns["questions"] = sorted(len(row["questions"]) for row in rows)
    last = len(rows) - 1
    return [
        [
            name.replace("_", " "),
            f"{round(sum(values) / len(values), 4):,.2f}",
            *(f"{values[int(share * last)]:,}" for share in (0, 0.5, 0.95, 1)),
        ]
        for name, values in columns.items()
    ]


def example_of(data: Published) -> tuple[dict[str, Any], dict[str, Any]]:
    """The problem that the card shows, and its run: made again where no run is published."""
    text = (data.place / "README.md").read_text(encoding="utf-8")
    named = re.search(r"Problem `([0-9a-f]+)` of", text)
    wanted = named[1] if named else ""
    row = next((row for row in data.rows if row["id"] == wanted), data.rows[0])
    if "trace" in data.files:
        published = (trace for trace in data.rows_of("trace") if trace["id"] == wanted)
        return row, next(published, {"lines": []})
    return row, to_columns(run(row["source"], row["call"]).record)


def _steps(trace: dict[str, Any]) -> list[list[str]]:
    said: dict[int, list[str]] = {}
    changes = zip(
        *(trace.get(f"change_{what}", []) for what in ("steps", "names", "values")), strict=True
    )
    for step, name, value in changes:
        what = f" = {trace['literals'][value]}" if value >= 0 else f" ({REASONS[value]})"
        said.setdefault(step, []).append(trace["names"][name] + what)
    for step, exception in zip(trace.get("raised_at", []), trace.get("raised", []), strict=True):
        said.setdefault(step, []).append(f"raises {exception}")
    return [
        [str(number + 1), str(line), flat(", ".join(said.get(number, [])))]
        for number, line in enumerate(trace["lines"])
    ]


def _answer(question: dict[str, Any]) -> str:
    kind, answer = question["kind"], question["answers"][0]
    literal: str = answer["literal"]
    if kind in ("state", "iteration"):
        literal = f"{literal}; {answer['type']}"
    elif kind == "executed":
        literal = "yes" if literal == "True" else "no"
    elif kind == "path":
        literal = literal.strip("[]")
    return flat(literal)


def flat(text: str, most: int = 200) -> str:
    """Plain text of a cell: as the parser gives code spans, on one line, cut where it is long."""
    flat = " ".join(text.split())
    return (flat if len(flat) <= most else flat[: most - 1] + "…").replace("`", "")
