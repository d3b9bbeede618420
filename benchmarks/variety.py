"""How varied are the programs that the generator makes?

    python benchmarks/variety.py [--count 10000] [--tier all] [--like cruxeval] [--json]

It makes COUNT programs as a build does, without those that are near-duplicates of an
earlier one (after renaming, constants apart), and says how many were too alike, how many
tree shapes and structures there are, which entries of the catalogue and which cells are
used, and why a cell is empty. A cell is an entry of the catalogue with a depth of nested
calls, or with a kind of body (no loop, a loop, loops that nest). Nothing is run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from synth.catalogue import CATALOGUE, Entry
from synth.dedup import NearDuplicates, fingerprint
from synth.generate import programs
from synth.program import Program

DEPTHS = (1, 2)
BODIES = ("no loop", "a loop", "loops that nest")
ENTRIES = tuple({(entry.type, entry.method): entry for entry in CATALOGUE}.values())
"""A few stand in the catalogue for two types of items."""


def varied(count: int, tier: str, seed: int, like: str | None) -> tuple[dict[str, Any], list[str]]:
    """Make programs and count what they hold; also gives the empty cells."""
    near, shapes, families = NearDuplicates(), set(), set()
    cells: Counter[tuple[str, str, object]] = Counter()
    idioms: Counter[str] = Counter()
    tried = kept = 0
    stream: Iterator[Program] = programs(seed, 0, tier=tier, like=like)
    while kept < count:
        program = next(stream)
        tried += 1
        found = fingerprint(program.source)
        if near.add(found.shingles, program.source) is not None:
            continue
        kept += 1
        shapes.add(found.shape)
        families.add(found.family)
        idioms.update(program.idioms)
        shape = program.shape
        loops = sum(kind in ("for", "while") for kind in shape.control)
        for depth in range(1, shape.nested_calls + 1):
            cells[shape.type, shape.method, depth] += 1
        cells[shape.type, shape.method, BODIES[min(loops, 2)]] += 1
    used = {(kind, method) for kind, method, _ in cells}
    empty = [line for entry in ENTRIES for line in _empty(entry, cells)]
    filled = sum(bool(cells[e.type, e.method, what]) for e in ENTRIES for what in _wanted(e))
    return {
        "programs": kept,
        "tried": tried,
        "too alike an earlier one": (tried - kept) / tried,
        "tree shapes": len(shapes),
        "structures after renaming": len(families),
        "entries used": len(used),
        "entries": len(ENTRIES),
        "cells filled": filled,
        "cells": sum(len(_wanted(entry)) for entry in ENTRIES),
        "idioms and bodies": dict(idioms.most_common()),
    }, empty


def _wanted(entry: Entry) -> list[object]:
    depths = DEPTHS if entry.nests and not entry.mutates else DEPTHS[:1]
    return [*depths, *BODIES]


def _empty(entry: Entry, cells: Counter[tuple[str, str, object]]) -> Iterator[str]:
    """Explain the cells of an entry that hold no program."""
    name = f"{entry.type}.{entry.method}"
    if entry.mutates:
        yield f"{name} nested: it is a statement, which no call can hold"
    elif not entry.nests:
        yield f"{name} nested: what it gives is no receiver of its own"
    for what in _wanted(entry):
        if not cells[entry.type, entry.method, what]:
            yield f"{name} with {what}: none was drawn"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n")[0],
        epilog="example: python benchmarks/variety.py --count 2000 --tier hard",
    )
    parser.add_argument("--count", type=int, default=10_000, help="programs (default: 10000)")
    parser.add_argument("--tier", default="all", choices=("easy", "medium", "hard", "all"))
    parser.add_argument("--like", choices=("cruxeval",), help="a preset")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.add_argument("--empty", action="store_true", help="list the empty cells with reasons")
    chosen = parser.parse_args(arguments)
    if chosen.count < 1:
        parser.error("--count must be at least 1")
    found, empty = varied(chosen.count, chosen.tier, chosen.seed, chosen.like)
    if chosen.json:
        print(json.dumps(found | {"empty cells": empty}, indent=2))
        return 0
    for name, value in found.items():
        if isinstance(value, dict):
            print(f"{name}: {', '.join(f'{k} {n}' for k, n in value.items())}")
        else:
            print(f"{name:32}{f'{value:.4f}' if isinstance(value, float) else value:>12}")
    if chosen.empty:
        print("\n".join(empty))
    return 0


if __name__ == "__main__":
    sys.exit(main())
