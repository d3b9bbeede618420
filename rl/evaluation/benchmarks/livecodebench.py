"""LiveCodeBench's code execution: what does a contest solution return?

Only its execution task; writing code is for the packages that run its tests (docs/evaluation.md).

Source: Jain and others, LiveCodeBench (arXiv 2403.07974); lcb_runner's
compute_code_execution_metrics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from curricula.scoring.prelude import with_usual_imports
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

__all__ = ["LiveCodeBench"]


@benchmark("livecodebench")
class LiveCodeBench(Benchmark):
    """Rows have ``id``, ``function_name``, ``code``, ``input`` (a call) and ``output``."""

    tasks = ("execution",)
    source = "livecodebench/execution-v2"
    runs_replies = True

    def read(self, data: str, tasks: Sequence[str]) -> Content:
        """Read rows, each as one item.

        Args:
            data: A file, or a name on the Hub.
            tasks: There is one.

        Returns:
            The items; rows whose output is no literal are left out.

        Raises:
            BenchmarkError: A row has another form.
        """
        lines = read_lines(data or self.source)
        items: list[Item] = []
        left_out: Counter[str] = Counter()
        for line, name in named(lines, "id"):
            code, entry = line.text("code"), line.text("function_name")
            call, output = line.text("input").strip(), Value.parse(line.text("output"))
            check_function(line, code, entry)
            if not call.startswith(f"{entry}(") or not call.endswith(")"):
                raise line.error(f"the input is no call of {entry}")
            if output is None:
                left_out["the output is no literal"] += 1
                continue
            row = {
                "source": code,
                "entry": entry,
                "call": call,
                "output": {"type": output.type, "literal": output.literal},
                "given": line.text("output"),
            }
            # Several calls of several solutions of one contest's question.
            question = line.columns.get("question_id", line.columns.get("problem_id", name))
            items.append(call_item(name, str(question), "execution", row))
        return Content(tuple(items), left_out, version_of(lines))

    def official(self, replied: Sequence[Replied]) -> list[tuple[Mark, ...]]:
        """Run ``assert output == prediction`` behind the program.

        Args:
            replied: The replies.

        Returns:
            A mark for each; None where the prediction holds the call, which the scorer skips.
            Its imports of numpy and pandas are not there in the sandbox.
        """
        return executed(replied, _program)


def _program(replied: Replied) -> str | None:
    row = replied.item.row
    text = answer_text(replied.reply)
    text = text.split("==")[1] if "==" in text else text
    text = text.strip().split("\n")[0].strip()
    if row["call"] in text:
        return None
    return with_usual_imports(f"{row['source']}\nassert {row['given']} == {text}")
