"""Puts shards together: drops later duplicates, cuts to size, writes the splits.

Reads one shard at a time, in the order of their numbers, so memory does not grow with
the number of rows and the result does not depend on who made which shard when.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from cards.files import COMPRESSION, FILE_ROWS, GROUP_ROWS
from synth.folder import SPLITS, data_file, split_of
from synth.merge import later_duplicates
from synth.shard_files import CONFIGS, read_programs, read_table

__all__ = ["PASS_KEYS", "Plan", "plan", "write_splits"]

PASS_KEYS = 2_000_000
"""Keys that are compared in one pass over the shards: about 200 MB."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which rows of which shard are published.

    Attributes:
        keep: For each shard, the places of the rows that stay.
        rows: How many they are.
        duplicates: Programs that repeat one of an earlier shard.
    """

    keep: tuple[tuple[int, ...], ...]
    rows: int
    duplicates: int


def plan(folder: Path, shards: int, size: int) -> Plan:
    """Decide which rows stay.

    Args:
        folder: Where the shards are.
        shards: How many there are; they are numbered from 0.
        size: The most rows that stay.

    Returns:
        The plan; it holds fewer than ``size`` rows where the shards do.
    """
    keys = _Keys(folder, shards)
    passes = 1 + sum(1 for _ in keys.of_all()) // PASS_KEYS
    dropped = set(later_duplicates(keys, passes=passes))
    keep: list[tuple[int, ...]] = []
    left = size
    for number in range(shards):
        stay: list[int] = []
        row = 0
        for place, program in enumerate(read_programs(folder, number)):
            if (number, place) not in dropped:
                stay.extend(range(row, row + program.rows))
            row += program.rows
        keep.append(tuple(stay[:left]))
        left -= len(keep[-1])
    return Plan(tuple(keep), size - left, len(dropped))


@dataclass(frozen=True, slots=True)
class _Keys:
    """The keys of all programs, read from disk as often as they are asked for."""

    folder: Path
    shards: int

    def __iter__(self) -> Iterator[list[tuple[int, ...]]]:
        for number in range(self.shards):
            yield [program.keys for program in read_programs(self.folder, number)]

    def of_all(self) -> Iterator[int]:
        """Yield every key."""
        return (key for shard in self for program in shard for key in program)


def write_splits(folder: Path, kept: Plan, out: Path) -> dict[str, int]:
    """Write the data files of every config and split.

    Args:
        folder: Where the shards are.
        kept: Which rows stay.
        out: Folder to write ``data/`` into.

    Returns:
        The rows of each file, by its path in ``out``.
    """
    splits = [
        _splits_of(read_table(folder, number, "problems", ["family"]), places)
        for number, places in enumerate(kept.keep)
    ]
    written: dict[str, int] = {}
    for config in CONFIGS:
        for split in SPLITS:
            places = [parts[split] for parts in splits]
            written.update(_write_split(folder, config, split, places, out))
    return written


def _splits_of(families: pa.Table, places: Sequence[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {split: [] for split in SPLITS}
    names = families.column("family").to_pylist()
    for place in places:
        found[split_of(names[place])].append(place)
    return found


def _write_split(
    folder: Path, config: str, split: str, places: Sequence[list[int]], out: Path
) -> Iterator[tuple[str, int]]:
    total = sum(map(len, places))
    files = max(1, -(-total // FILE_ROWS))
    groups = _groups(folder, config, places)
    for number in range(files):
        name = data_file(config, split, number, files)
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = min(FILE_ROWS, total - number * FILE_ROWS)
        with (
            path.open("wb") as file,
            pq.ParquetWriter(file, CONFIGS[config], **COMPRESSION) as writer,
        ):
            done = 0
            while done < rows:
                group = next(groups)
                writer.write_table(group, row_group_size=GROUP_ROWS)
                done += group.num_rows
        yield name, rows


def _groups(folder: Path, config: str, places: Sequence[list[int]]) -> Iterator[pa.Table]:
    """Yield the chosen rows in tables of exactly :data:`GROUP_ROWS`, but for the last."""
    pending = CONFIGS[config].empty_table()
    for number, chosen in enumerate(places):
        if chosen:
            pending = pa.concat_tables(
                [pending, read_table(folder, number, config).take(pa.array(chosen))]
            )
        while pending.num_rows >= GROUP_ROWS:
            yield pending.slice(0, GROUP_ROWS).combine_chunks()
            pending = pending.slice(GROUP_ROWS)
    if pending.num_rows:
        yield pending.combine_chunks()
