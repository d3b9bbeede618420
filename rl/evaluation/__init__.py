"""Says whether a model has learned: benchmarks, asked and scored by two rules.

:func:`evaluate` asks a model and gives a :class:`Report`, :func:`compare` tests two reports
for a difference. The benchmarks are the files of :mod:`rl.evaluation.benchmarks`.
"""

from rl.evaluation.compare import Comparison, compare
from rl.evaluation.evaluate import evaluate
from rl.evaluation.report import Report, read_report, write_report

__all__ = ["Comparison", "Report", "compare", "evaluate", "read_report", "write_report"]
