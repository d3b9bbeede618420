"""The benchmarks, a file each; importing this package registers them all."""

from rl.evaluation.benchmarks import cruxeval, cruxeval_x, heldout, livecodebench, reval
from rl.evaluation.benchmarks.base import BENCHMARKS, Benchmark, benchmark, benchmark_of

__all__ = [
    "BENCHMARKS",
    "Benchmark",
    "benchmark",
    "benchmark_of",
    "cruxeval",
    "cruxeval_x",
    "heldout",
    "livecodebench",
    "reval",
]
