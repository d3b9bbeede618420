"""Measures for the other scripts: CPU time with children, memory of many processes, tables.

CPU time is what counts, not the clock: the machine may be shared. Linux only.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import resource
import statistics
import subprocess
import threading
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

from tracing import workers

T = TypeVar("T")
Row = dict[str, Any]


def cpu_of(work: Callable[[], T]) -> tuple[float, T]:
    """Measure the CPU seconds of this process and its children.

    Workers of ours are ended inside the measure, so that their time is counted.
    """
    workers.close()
    before = _cpu(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    result = work()
    workers.close()
    return _cpu(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) - before, result


def _cpu(*whose: int) -> float:
    used = map(resource.getrusage, whose)
    return sum(one.ru_utime + one.ru_stime for one in used)


def cpu_and_memory_of(command: Sequence[str]) -> tuple[float, float]:
    """Run a command; give its CPU seconds and its peak memory in MB.

    Memory is the sum of the proportional set sizes of all of its processes, looked at
    twice a second. Grandchildren that outlive their parents are waited for, too.
    """
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    before = _cpu(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    over, peak = threading.Event(), [0]

    def look() -> None:
        while not over.wait(0.5):
            peak[0] = max(peak[0], sum(map(_pss, _family(process.pid))))

    watcher = threading.Thread(target=look)
    watcher.start()
    code = process.wait()
    over.set()
    watcher.join()
    if code:
        raise SystemExit(f"{' '.join(command)} ended with {code}")
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            break
    return _cpu(resource.RUSAGE_CHILDREN) - before, peak[0] / 1000


def _family(root: int) -> list[int]:
    parents = {}
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdigit():
                stat = (place / "stat").read_text().rpartition(")")[2].split()
                parents[int(place.name)] = int(stat[1])
        except OSError:
            continue
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def _pss(pid: int) -> int:
    """Give the proportional set size of a process in KB; 0 where it has ended."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def spread(values: Sequence[float], digits: int = 1) -> Row:
    """Give the median and the range of rounds."""
    return {
        "median": round(statistics.median(values), digits),
        "range": [round(min(values), digits), round(max(values), digits)],
    }


def times(name: str, base: Sequence[float], own: Sequence[float], agreeing: str) -> Row:
    """Compare the rates of interleaved rounds, pair by pair."""
    ratios = spread([ours / theirs for theirs, ours in zip(base, own, strict=True)], 2)
    return {
        "work": name,
        "stand-in": round(statistics.median(base), 1),
        "ours": round(statistics.median(own), 1),
        "times": ratios["median"],
        "range": ratios["range"],
        "agreeing": agreeing,
    }


def versions(*packages: str) -> str:
    """Name the interpreter, the machine and packages with their versions."""
    found = [f"{platform.python_implementation()} {platform.python_version()}"]
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} is not installed")
    return ", ".join([*found, platform.machine()])


def arguments(doc: str | None, **options: tuple[type, Any, str]) -> argparse.Namespace:
    """Read the command line: ``--json`` and what a script has besides."""
    parser = argparse.ArgumentParser(description=(doc or "").split("\n")[0])
    for name, (kind, default, told) in options.items():
        parser.add_argument(f"--{name}", type=kind, default=default, help=told)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    return parser.parse_args()


def tell(rows: Sequence[Row], told: str, unit: str, place: Path | None, **more: Any) -> None:
    """Print rows as a Markdown table, and write them as JSON with what else there is."""
    print(table(rows))
    print(f"\n{unit}; {told}")
    if place:
        figures = {"versions": told, "unit": unit, "rows": list(rows), **more}
        place.write_text(json.dumps(figures, indent=2) + "\n")


def table(rows: Sequence[Row]) -> str:
    """Write rows with the same keys as a Markdown table."""
    heads = list(rows[0])
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    lines += [f"| {' | '.join(_cell(row[head]) for head in heads)} |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return " - ".join(map(_cell, value))
    return f"{value:,}" if isinstance(value, int | float) else str(value)
