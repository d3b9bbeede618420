"""Measures the whole pipeline: rows per CPU second, memory, and what a row costs at two sizes.

    python benchmarks/build.py [--sizes 1000,4000] [--workers 2] [--rounds 1] [--json OUT]

Each build is ``synth build --tier all`` in a process of its own, from nothing to the finished
folder. CPU time is that of all of its processes, memory the peak of the sum of their
proportional set sizes. Sizes are interleaved where there are several rounds. Agreeing says
how many of the rows have two tracers that agree: all, or the build would have refused them.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path

from measuring import Row, arguments, cpu_and_memory_of, tell, versions


def build(size: int, workers: int, seed: int) -> tuple[float, float, int]:
    """Build; give CPU seconds, peak memory in MB and rows."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "made"
        seconds, memory = cpu_and_memory_of(
            [sys.executable, "-m", "synth", "build", "--tier", "all", "--size", str(size),
             "--seed", str(seed), "--workers", str(workers), "--out", str(out)]
        )  # fmt: skip
        return seconds, memory, json.loads((out / "report.json").read_text())["problems"]


def main() -> None:
    given = arguments(
        __doc__,
        sizes=(str, "1000,4000", "sizes, by commas"),
        workers=(int, 2, "processes"),
        rounds=(int, 1, "rounds; each has another seed"),
    )
    sizes = [int(size) for size in given.sizes.split(",")]
    found = {size: [] for size in sizes}
    for number in range(given.rounds):
        for size in sizes:
            found[size].append(build(size, given.workers, number))
    rows: list[Row] = []
    for size, rounds in found.items():
        rates = [made / seconds for seconds, _, made in rounds]
        rows.append(
            {
                "problems": size,
                "rows per CPU second": round(statistics.median(rates), 1),
                "range": [round(min(rates), 1), round(max(rates), 1)],
                "CPU ms a row": round(1000 / statistics.median(rates), 1),
                "peak MB": round(max(memory for _, memory, _ in rounds)),
            }
        )
    told = versions("pyarrow", "libcst", "hypothesis")
    tell(rows, told, f"synth build --tier all, {given.workers} workers", given.json)


if __name__ == "__main__":
    main()
