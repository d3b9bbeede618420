"""CRUXEval: 800 functions, each with an input and its output; predict one from the other.

Rows are checked but not run: that an input gives its output is the benchmark's word.

Source: Gu and others, CRUXEval (arXiv 2401.03065); its scorer in evaluation/utils_general.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rl.evaluation.benchmarks.base import (
    Benchmark,
    Content,
    Item,
    Mark,
    Replied,
    benchmark,
    call_item,
)
from rl.evaluation.benchmarks.official import answer_text, executed
from rl.evaluation.benchmarks.reading import check_function, named, read_lines, version_of
from tracing import Value

__all__ = ["Cruxeval", "official_text"]

ENTRY = "f"


@benchmark("cruxeval")
class Cruxeval(Benchmark):
    """Rows have ``id``, ``code`` (which defines ``f``), ``input`` and ``output``."""

    tasks = ("output", "input")
    source = "cruxeval-org/cruxeval"
    runs_replies = True

    def read(self, data: str, tasks: Sequence[str]) -> Content:
        """Read rows, each as an item of each task.

        Args:
            data: A file, or a name on the Hub.
            tasks: Which of ``"output"`` and ``"input"``.

        Returns:
            The items; rows whose output is no literal are left out.

        Raises:
            BenchmarkError: A row has another form.
        """
        lines = read_lines(data or self.source)
        items: list[Item] = []
        left_out: Counter[str] = Counter()
        for line, name in named(lines, "id"):
            code = line.text("code")
            check_function(line, code, ENTRY)
            output = Value.parse(line.text("output"))
            if output is None:
                left_out["the output is no literal"] += 1
                continue
            row = {
                "source": code,
                "entry": ENTRY,
                "call": f"{ENTRY}({line.text('input')})",
                "output": {"type": output.type, "literal": output.literal},
                "given": (line.text("input"), line.text("output")),
            }
            items += [call_item(f"{name}/{task}", name, task, row) for task in tasks]
        return Content(tuple(items), left_out, version_of(lines))

    def official(self, replied: Sequence[Replied]) -> list[tuple[Mark, ...]]:
        """Paste the prediction behind the program and run ``assert output == prediction``.

        Args:
            replied: The replies.

        Returns:
            A mark for each; None where the scorer skips it: an output prediction that holds
            the call, an input prediction that calls nothing.
        """
        return executed(replied, _program)


def _program(replied: Replied) -> str | None:
    row, task = replied.item.row, replied.item.task
    text = official_text(answer_text(replied.reply), task)
    given, result = row["given"]
    call = f"{row['entry']}({given})"
    is_skipped = f"{row['entry']}(" not in text if task == "input" else call in text
    return None if is_skipped else f"{row['source']}\nassert {result} == {text}"


def official_text(answer: str, task: str) -> str:
    """Cut the prediction out of an answer as CRUXEval's tasks do.

    Args:
        answer: The answer.
        task: ``"output"`` or ``"input"``.

    Returns:
        What is pasted behind ``assert output ==``.

    Example:
        >>> official_text("assert f(1) == 0 or True", "output")
        '0 or True'
        >>> official_text("assert f(1) == 2", "input")
        'f(1)'
    """
    if task == "output":
        return answer.split("==")[1].strip() if "==" in answer else answer.strip()
    call = answer.split("==")[0].strip() if "==" in answer else answer
    return call.split("assert")[1].strip() if "assert" in call else call.strip()
