"""Our own held-out split: output, questions about the run, and input.

The test split of a built folder, or of a dataset that was published from one; no family of
programs is in it and in the others. A family's programs and calls are alike, so families are
the sample. There is no other rule than ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curricula.problem import from_row
from curricula.views import stage1
from rl.evaluation.benchmarks.base import Benchmark, Content, Item, benchmark
from rl.evaluation.benchmarks.reading import BenchmarkError, Line, read_lines, version_of
from tracing.errors import ExecVerifyError, shorten

__all__ = ["Heldout"]


@benchmark("heldout")
class Heldout(Benchmark):
    """Rows have the columns of the ``problems`` config."""

    tasks = stage1.TASKS

    def read(self, data: str, tasks: Sequence[str]) -> Content:
        """Read problems; each is asked as in stage I.

        Args:
            data: A built folder, a file of its problems, or a dataset on the Hub.
            tasks: ``"output"`` asks the questions about the run, too.

        Returns:
            The items.

        Raises:
            BenchmarkError: There are no such problems.
        """
        if not data:
            raise BenchmarkError("heldout needs data: a folder that synth build wrote")
        lines = _lines(data)
        items = []
        for line in lines:
            try:
                problem = from_row(line.columns)
            except ExecVerifyError as error:
                raise line.error(str(error)) from None
            items += [
                Item(
                    f"{problem.id}/{row['task']}",
                    problem.id,
                    row["task"],
                    row["prompt"],
                    row,
                    problem.family,
                )
                for row in stage1.to_rows(problem)
                if row["task"] in tasks
            ]
        return Content(tuple(items), {}, version_of(lines))


def _lines(data: str) -> list[Line]:
    folder = Path(data).expanduser()
    if not folder.is_dir():
        return read_lines(data, config="problems")
    files = sorted(folder.glob("data/problems/test-*.parquet"))
    if not files:
        raise BenchmarkError(
            f"{shorten(data, 120)} holds no data/problems/test-*.parquet; give a folder that "
            "synth build wrote, with a test split"
        )
    # A small build may have no row in a split.
    lines = [line for file in files for line in read_lines(str(file), least=0)]
    if not lines:
        raise BenchmarkError(f"the test split of {shorten(data, 120)} has no rows; build more")
    return lines
