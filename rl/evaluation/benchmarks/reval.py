"""REval: is a line executed, what is a variable after it, what runs next, what comes out?

Read from the two files of its repository, in one folder. The truth comes of our own tracer,
as docs/semantics.md defines it; a probe is about all executions of a line, and any of them
will do. Its functions are asked about; the tests of its classes are left out, since their
calls are not calls of a function with literal arguments.

Source: Chen and others, Reasoning runtime behavior of a program with LLM (arXiv 2403.16437).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tracing
from curricula import prompts
from curricula.scoring.rows import read_row
from rl.evaluation.benchmarks import reval_rules as rules
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
from rl.evaluation.benchmarks.reading import (
    BenchmarkError,
    Line,
    check_function,
    read_lines,
    version_of,
)
from rl.evaluation.benchmarks.reval_rules import Probe
from rl.evaluation.report import Unit
from tracing import Trace, Value
from tracing.errors import shorten

__all__ = ["FILES", "Reval"]

FILES = ("DREval_data.jsonl", "DREval_tasks.jsonl")
"""The programs with their inputs, and the probes."""
_PROBES = ("coverage", "state", "path")
_WORTH: dict[tuple[int, ...], float] = {
    (1, 1, 1, 1): 1.0,
    (1, 1, 1, 0): 0.5,
    (1, 1, 0, 0): 0.25,
    (1, 0, 0, 0): 0.125,
}


@dataclass(slots=True)
class _Run:
    """One call of one program, and what is asked about it."""

    name: str
    source: str
    call: str
    output: str
    test: str
    probes: list[tuple[int, str]] = field(default_factory=list)


@benchmark("reval")
class Reval(Benchmark):
    """A folder has both files; their rows are paired by ``idx``."""

    tasks = (*_PROBES, "output")
    runs_replies = True

    def read(self, data: str, tasks: Sequence[str]) -> Content:
        """Read programs and probes, and trace the calls.

        Args:
            data: The folder.
            tasks: Which tasks to ask for.

        Returns:
            The items; what cannot be traced or is no variable is left out.

        Raises:
            BenchmarkError: A file is missing, or a row has another form.
        """
        folder = Path(data).expanduser()
        if not data or not folder.is_dir():
            raise BenchmarkError(
                f"reval needs data: a folder with {' and '.join(FILES)}, not {shorten(data)!r}"
            )
        programs, plans = (read_lines(str(folder / name)) for name in FILES)
        left_out: Counter[str] = Counter()
        runs = [run for plan in plans for run in _runs(plan, programs, left_out)]
        items: list[Item] = []
        jobs = [(run.source, run.call) for run in runs]
        for run, trace in zip(runs, tracing.run_many(jobs), strict=True):
            items += _items(run, trace, tasks, left_out)
        return Content(tuple(items), left_out, version_of([*programs, *plans]))

    def ours(self, replied: Sequence[Replied]) -> list[tuple[Mark, ...]]:
        """Judge by our checks: values type-strictly, statements by line or text.

        Args:
            replied: The replies.

        Returns:
            A mark for each.
        """
        outputs = [one for one in replied if one.item.task == "output"]
        marks = iter(judged(outputs))
        return [next(marks) if one.item.task == "output" else (rules.ours(one),) for one in replied]

    def official(self, replied: Sequence[Replied]) -> list[tuple[Mark, ...]]:
        """Judge by REval's rules, what it evaluates in the sandbox.

        Args:
            replied: The replies.

        Returns:
            A mark for each.
        """
        outputs = [one for one in replied if one.item.task == "output"]
        marks = iter(rules.official_outputs(outputs))
        return [
            next(marks) if one.item.task == "output" else (rules.official(one),) for one in replied
        ]

    def combined(self, units: Sequence[Unit]) -> list[Unit]:
        """Work out REval's incremental consistency for each probe that all tasks were asked.

        Args:
            units: The units of all tasks.

        Returns:
            A unit for each probe: 1 where all four are right, then 0.5, 0.25 and 0.125 for the
            first three, two and one of coverage, state, path and output; 0 otherwise.
        """
        known = {(unit.task, unit.id): unit for unit in units}
        made = []
        for unit in (unit for unit in units if unit.task == "coverage"):
            probe = unit.id.partition("/")[0]
            names = [(task, f"{probe}/{task}") for task in _PROBES]
            names.append(("output", f"{unit.id.partition(':')[0]}/output"))
            if all(name in known for name in names):
                four = [known[name] for name in names]
                ours = _consistent([one.ours for one in four])
                official = _consistent([one.official for one in four])
                made.append(Unit(f"{probe}/consistency", unit.group, "consistency", ours, official))
        return made


def _consistent(marks: Sequence[Sequence[float | None]]) -> tuple[float, ...]:
    return tuple(
        _WORTH.get(tuple(int(mark or 0) for mark in of_one), 0.0)
        for of_one in zip(*marks, strict=True)
    )


def _runs(plan: Line, programs: Sequence[Line], left_out: Counter[str]) -> Iterator[_Run]:
    """Pair a row of probes with its program."""
    place = plan.whole("idx")
    if not 0 <= place < len(programs):
        raise plan.error(f"idx {place} is no row of {FILES[0]}, which has {len(programs)}")
    program = programs[place]
    source, entry = program.text("code"), program.text("entry_point")
    inputs, outputs = program.items("inputs"), program.items("outputs")
    for number, asked in enumerate(plan.items("tasks")):
        if not isinstance(asked, dict):
            raise plan.error(f"task {number} is no object but {shorten(repr(asked))}")
        one = Line(f"{plan.place}, task {number}", asked)
        given, test = one.whole("input_idx"), one.text("output_pred").strip()
        if not 0 <= given < len(inputs):
            raise one.error(f"input_idx {given} is none of {len(inputs)} inputs")
        probes = [_probe(Line(one.place, probe)) for probe in one.items("task")]
        head, equals, _ = test.rpartition(" == ??")
        if not equals or not head.startswith(f"assert {entry}("):
            left_out["it tests a class, whose calls are not those of a function"] += len(probes)
            continue
        check_function(program, source, entry)
        # The outputs of functions stand beside their inputs.
        output = str(outputs[given]) if given < len(outputs) else ""
        call = head.removeprefix("assert ")
        yield _Run(f"{place}.{given}", source, call, output, test, probes)


def _probe(line: Line) -> tuple[int, str]:
    return line.whole("lineno"), line.text("var")


def _items(run: _Run, trace: Trace, tasks: Sequence[str], left_out: Counter[str]) -> Iterator[Item]:
    """Make the items of a run: three for each probe, and one for the output."""
    problem = run.name.partition(".")[0]
    row = {"source": run.source, "call": run.call, "entry": trace.entry, "test": run.test}
    output = trace.output or Value.parse(run.output)
    if output is not None and "output" in tasks:
        known = {**row, "output": {"type": output.type, "literal": output.literal}}
        yield call_item(f"{run.name}/output", problem, "output", known)
    elif "output" in tasks:
        left_out["what it returns is not known"] += 1
    if trace.outcome not in ("returned", "raised"):
        left_out["its run cannot be traced"] += len(run.probes)
        return
    for line, variable in run.probes:
        for task in tasks:
            if task == "output":
                continue
            probe = rules.probe_of(trace, task, line, variable)
            if isinstance(probe, str):
                left_out[f"{task}: {probe}"] += 1
                continue
            name = f"{run.name}:{line}.{variable}/{task}"
            yield Item(name, problem, task, _prompt(row, probe), {**row, "probe": probe})


def _prompt(row: dict[str, Any], probe: Probe) -> list[prompts.Message]:
    # The outcome is not asked for, and not shown.
    asked = read_row({**row, "output": {"type": "NoneType", "literal": "None"}})
    return prompts.question_prompt(asked, probe.text)
