"""Measures what a confined run costs, beside a plain start of the interpreter.

    python benchmarks/sandbox.py [--runs N] [--rounds N]

Both are measured in turn, in CPU time of all processes that take part, so that other work
on the machine matters little. A confined run is one right function on two calls: fork,
confine, run, reply, reap; the server's start is left out.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Callable

from tracing import sandbox

PROGRAM = "def solve(n):\n    return n * n + 1\n"


def cpu_seconds() -> float:
    """CPU time of this process and of all that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def confined(runs: int) -> None:
    """Run in the sandbox, with a server of its own, which is waited for."""
    for _ in range(runs):
        if sandbox.run_calls(PROGRAM, "solve", ["3", "4"]).outcome != "finished":
            raise SystemExit("a right program did not finish")
    sandbox.stop()


def plain(runs: int) -> None:
    """Start the interpreter that the sandbox uses."""
    python = getattr(sys, "_base_executable", sys.executable)
    for _ in range(runs):
        subprocess.run([python, "-c", "pass"], check=True)


def cost(work: Callable[[int], None], runs: int) -> float:
    """CPU seconds of one run, without what one run more or less would cost anyway."""
    before = cpu_seconds()
    work(1)
    once = cpu_seconds()
    work(1 + runs)
    return (cpu_seconds() - once - (once - before)) / runs


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    level = sandbox.level()
    pairs = [(cost(confined, options.runs), cost(plain, 20)) for _ in range(options.rounds)]
    mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"level                 {level.name}: {', '.join(level.layers)}")
    print(f"confined run          {mine * 1e3:.1f} ms of CPU, {1 / mine:.0f} a second and core")
    print(f"python -c pass        {theirs * 1e3:.1f} ms of CPU, {theirs / mine:.1f} times as much")


if __name__ == "__main__":
    main()
