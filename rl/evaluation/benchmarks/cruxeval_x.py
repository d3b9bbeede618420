"""CRUXEval-X: CRUXEval's programs in twenty languages; here in Python, with type hints.

The other languages are refused by name: a prediction of theirs can be judged only where
their compiler is there and their literals are read, which nothing here does.

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
)
from rl.evaluation.benchmarks.cruxeval import ENTRY, official_text
from rl.evaluation.benchmarks.official import answer_text, executed
from rl.evaluation.benchmarks.reading import (
    BenchmarkError,
    Line,
    check_function,
    named,
    read_lines,
    version_of,
)
from tracing import Value

__all__ = ["UNSUPPORTED", "CruxevalX"]

UNSUPPORTED = tuple(
    "Java Cpp Go CS D Julia JavaScript PHP Perl R Lua Ruby Racket Rust Scala Shell Swift "
    "TypeScript".split()
)
"""The dataset's splits that are refused."""
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
            data: A file, or a name on the Hub, with the language behind a colon if one is named.
            tasks: Which of ``"output"`` and ``"input"``.

        Returns:
            The items; rows whose output is no literal are left out.

        Raises:
            BenchmarkError: A row has another form, or the language is not Python.
        """
        place, colon, language = (data or self.source).rpartition(":")
        if colon and language.lower() in (name.lower() for name in UNSUPPORTED):
            raise BenchmarkError(
                f"CRUXEval-X in {language} is not supported, only in Python: its predictions "
                f"cannot be judged here (nor those in {', '.join(UNSUPPORTED)})"
            )
        is_named = bool(colon) and language.lower() == "python"
        lines = read_lines(place if is_named else data or self.source, split="Python")
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

    def official(self, replied: Sequence[Replied]) -> list[tuple[Mark, ...]]:
        """Put the prediction in the place of ``????`` in the test, and run program and test.

        Args:
            replied: The replies.

        Returns:
            A mark for each.
        """
        return executed(replied, _program)


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
