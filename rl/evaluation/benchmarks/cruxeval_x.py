"""CRUXEval-X: CRUXEval's programs in nineteen languages.

In Python, with type hints, both directions by both rules. In the others outputs alone, by our
rule: :mod:`rl.evaluation.benchmarks.other_languages` says why.

Source: Xu and others, CRUXEval-X (arXiv 2408.13001).
"""

from __future__ import annotations

import re
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
    judged,
)
from rl.evaluation.benchmarks.cruxeval import ENTRY, official_text
from rl.evaluation.benchmarks.official import answer_text, executed
from rl.evaluation.benchmarks.other_languages import judge, language_of, output_item
from rl.evaluation.benchmarks.reading import (
    BenchmarkError,
    Line,
    check_function,
    named,
    read_lines,
    version_of,
)
from tracing import Value

__all__ = ["CruxevalX"]

_CHECK = re.compile(r"^def check\(candidate\):", re.MULTILINE)
_GIVEN = re.compile(r"assert candidate\((.*)\) == \?{4}", re.DOTALL)
_RESULT = re.compile(r"assert candidate\(\?{4}\) == (.*?)(?=\n\ndef |\Z)", re.DOTALL)


@benchmark("cruxeval_x")
class CruxevalX(Benchmark):
    """Rows have ``id``, ``code``, ``input_reasoning`` and ``output_reasoning``."""

    tasks = ("output", "input")
    source = "xhwl/cruxeval-x"
    runs_replies = True

    def read(self, data: str, tasks: Sequence[str]) -> Content:
        """Read rows, each as an item of each task.

        Args:
            data: A file, or a name on the Hub, with the language behind a colon
                (``"xhwl/cruxeval-x:JavaScript"``); Python where none is named, by the
                benchmark's own file names either.
            tasks: Which of ``"output"`` and ``"input"``.

        Returns:
            The items; rows whose output is no literal are left out, and inputs in other
            languages than Python are.

        Raises:
            BenchmarkError: A row has another form, or inputs alone are asked for in a language
                in which they cannot be judged.
        """
        place, language = language_of(data, self.source)
        if language != "Python" and "output" not in tasks:
            raise BenchmarkError(
                f"input predictions in {language} cannot be judged: they must be run, and the "
                "sandbox starts no program but Python; ask for cruxeval_x/output"
            )
        lines = read_lines(place, split=language)
        if language != "Python":
            return _outputs(lines, language, tasks)
        items: list[Item] = []
        left_out: Counter[str] = Counter()
        for line, name in named(lines, "id"):
            source, given, result = _parts(line)
            output = Value.parse(result)
            if output is None:
                left_out["the output is no literal"] += 1
                continue
            row = {
                "source": source,
                "entry": ENTRY,
                "call": f"{ENTRY}({given})",
                "output": {"type": output.type, "literal": output.literal},
                "given": (line.text("input_reasoning"), line.text("output_reasoning")),
            }
            items += [call_item(f"{name}/{task}", name, task, row) for task in tasks]
        return Content(tuple(items), left_out, version_of(lines))

    def ours(self, replied: Sequence[Replied]) -> list[tuple[Mark, ...]]:
        """Judge by our checks; in other languages than Python, by how the output is written.

        Args:
            replied: The replies.

        Returns:
            A mark for each.
        """
        if _is_other(replied):
            return [(judge(one),) for one in replied]
        return judged(replied)

    def official(self, replied: Sequence[Replied]) -> list[tuple[Mark, ...]] | None:
        """Put the prediction in the place of ``????`` in the test, and run program and test.

        Args:
            replied: The replies.

        Returns:
            A mark for each; None in other languages than Python, which the sandbox cannot run.
        """
        return None if _is_other(replied) else executed(replied, _program)


def _is_other(replied: Sequence[Replied]) -> bool:
    # The rows of one evaluation are in one language.
    return bool(replied) and "language" in replied[0].item.row


def _outputs(lines: Sequence[Line], language: str, tasks: Sequence[str]) -> Content:
    items = tuple(output_item(name, line, language) for line, name in named(lines, "id"))
    left_out = {}
    if "input" in tasks:
        why = f"the sandbox cannot run a predicted input in {language}"
        left_out[why] = len(items)
    return Content(items, left_out, version_of(lines))


def _parts(line: Line) -> tuple[str, str, str]:
    """Take the program, the input and the output out of a row."""
    source = line.text("code")
    check = _CHECK.search(source)
    source = (source[: check.start()] if check else source).rstrip()
    check_function(line, source, ENTRY)
    given = _GIVEN.search(line.text("output_reasoning"))
    result = _RESULT.search(line.text("input_reasoning"))
    if given is None or result is None:
        missing = "output_reasoning" if given is None else "input_reasoning"
        raise line.error(f"the column {missing} holds no assertion about a candidate with ????")
    return source, given[1], result[1].strip()


def _program(replied: Replied) -> str:
    row, task = replied.item.row, replied.item.task
    text = official_text(answer_text(replied.reply), task)
    if task == "input":
        text = text.removeprefix(f"{ENTRY}(").removesuffix(")")
    test = row["given"][0 if task == "input" else 1]
    return f"{row['source']}\n\n{test.replace('????', text, 1)}"
