"""Reads a published folder as anybody would: files, rows and the card's tables."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from markdown_it import MarkdownIt

__all__ = ["SPLITS", "Published", "body_of", "read_published", "tables"]

SPLITS = ("train", "validation", "test")


@dataclass(frozen=True, slots=True)
class Published:
    """A published folder: its files by config and split, the problems and the runs in them.

    What a dataset in memory does not tell, report and build, is None.
    """

    place: Path
    files: dict[str, dict[str, list[Path]]]
    problems: list[tuple[str, dict[str, Any]]]
    report: dict[str, Any] | None
    build: dict[str, Any] | None
    narration: dict[str, Any] | None

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [row for _, row in self.problems]

    def rows_of(self, config: str) -> list[dict[str, Any]]:
        paths = [path for split in SPLITS for path in self.files.get(config, {}).get(split, [])]
        return [row for path in paths for row in pq.read_table(path).to_pylist()]

    def count(self, config: str, split: str) -> int:
        return sum(pq.read_metadata(p).num_rows for p in self.files[config].get(split, []))


def read_published(place: Path) -> Published:
    files: dict[str, dict[str, list[Path]]] = {}
    for path in sorted(place.glob("data/*/*.parquet")):
        split = path.name.partition("-")[0]
        files.setdefault(path.parent.name, {}).setdefault(split, []).append(path)
    problems = [
        (split, row)
        for split in SPLITS
        for path in files["problems"].get(split, [])
        for row in pq.read_table(path).to_pylist()
    ]
    path = place / "report.json"
    report = json.loads(path.read_text()) if path.exists() else None
    manifest = json.loads((place / "manifest.json").read_text())
    return Published(place, files, problems, report, manifest["build"], manifest["narration"])


def body_of(text: str) -> str:
    return text.split("---\n", 2)[2]


def tables(body: str) -> dict[str, list[list[str]]]:
    """The tables of a card by their first heading: rows of plain text."""
    found: list[list[list[str]]] = []
    row: list[str] | None = None
    for token in MarkdownIt("commonmark", {"html": True}).enable("table").parse(body):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            row = []
        elif token.type == "tr_close":
            found[-1].append(row or [])
            row = None
        elif token.type == "inline" and row is not None:
            row.append("".join(child.content for child in token.children or ()))
    return {table[0][0]: table[1:] for table in found}
