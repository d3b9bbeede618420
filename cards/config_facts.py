"""Describes the configs of a dataset by their files: splits, rows, sizes, columns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from cards.files import shards_of
from cards.layout import CONFIGS, SPLITS

__all__ = ["ConfigFacts", "SplitFacts", "config_facts"]


@dataclass(frozen=True, slots=True)
class SplitFacts:
    """One split of one config.

    Attributes:
        name: The split.
        rows: Its rows.
        files: Its data files.
        bytes: Their size.
        memory: Size of its rows in memory, as Arrow holds them, in bytes.
    """

    name: str
    rows: int
    files: int
    bytes: int
    memory: int


@dataclass(frozen=True, slots=True)
class ConfigFacts:
    """One config.

    Attributes:
        name: Its name.
        about: What a row is.
        splits: Its splits.
        columns: Names and types of its columns.
    """

    name: str
    about: str
    splits: tuple[SplitFacts, ...]
    columns: tuple[tuple[str, str], ...]

    @property
    def rows(self) -> int:
        """Rows over all splits."""
        return sum(split.rows for split in self.splits)

    @property
    def bytes(self) -> int:
        """Size of its data files."""
        return sum(split.bytes for split in self.splits)


def config_facts(place: Path, name: str) -> ConfigFacts:
    """Describe a config by its data files.

    Args:
        place: A folder that was staged, or its copy.
        name: The config.

    Returns:
        Its columns, and for each split that has files what they hold.
    """
    splits = []
    columns: tuple[tuple[str, str], ...] = ()
    for split in SPLITS:
        paths = shards_of(place, name, split)
        if not paths:
            continue
        schema = pq.read_schema(paths[0])
        columns = tuple((field.name, str(field.type).replace("element: ", "")) for field in schema)
        splits.append(
            SplitFacts(
                split,
                sum(pq.read_metadata(path).num_rows for path in paths),
                len(paths),
                sum(path.stat().st_size for path in paths),
                sum(pq.read_table(path).nbytes for path in paths),
            )
        )
    return ConfigFacts(name, CONFIGS[name].about, tuple(splits), columns)
