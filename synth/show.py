"""Prints a problem, and its run step by step, for a person in a terminal."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console, Group
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from curricula.narrator.answers import answer_line
from curricula.problem import Problem
from tracing import Trace, Value, run

__all__ = ["print_problem", "print_trace"]


def print_problem(problem: Problem, console: Console) -> None:
    """Print a problem: its program, its call, its questions with their answers.

    Args:
        problem: Any problem.
        console: Where to print.
    """
    console.print()
    console.print(_title(problem))
    console.print(
        Syntax(problem.source.rstrip("\n"), "python", line_numbers=True, theme="ansi_dark")
    )
    console.print(Text.assemble("     assert ", (problem.call, "bold"), " == ", ("????", "bold")))
    console.print(Text.assemble("     ", ("output  ", "dim"), _outcome(problem)))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(ratio=3)
    table.add_column(ratio=2, style="green")
    for number, question in enumerate(problem.questions, 1):
        # As the question asks for them: what is shown here can be answered.
        answer = " or ".join(
            answer_line(replace(question, answers=(value,))) for value in question.answers
        )
        table.add_row(f"  Q{number}", Text(question.text), Text(answer))
    console.print(table)


def _title(problem: Problem) -> Text:
    shape = problem.shape
    facts = [f"{shape.type}.{shape.method}" if shape.method else "your program"]
    if shape.nested_calls:
        facts.append(f"nested calls {shape.nested_calls} deep")
    if shape.control:
        facts.append(" > ".join(shape.control))
    if shape.helpers:
        facts.append("helper" if shape.helpers == 1 else f"{shape.helpers} helpers")
    facts.extend(feature.replace("_", " ") for feature in shape.features)
    rated = problem.difficulty[-1] if problem.difficulty else None
    tier = problem.tier
    if rated is not None:
        tier += ", by estimate" if rated.source == "estimate" else f", by {rated.model}"
    return Text.assemble(
        (", ".join(facts), "bold"), f"   ({tier})   ", (f"problem {problem.id}", "cyan")
    )


def _outcome(problem: Problem) -> Text:
    if problem.output is not None:
        return Text.assemble((problem.output.literal, "green"), f"   {problem.output.type}")
    return Text.assemble("raises ", (problem.exception or "?", "red"))


def print_trace(problem: Problem, console: Console) -> None:
    """Run a problem again and print the run, the changed variables highlighted.

    Args:
        problem: Any problem.
        console: Where to print.
    """
    trace = run(problem.source, problem.call)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name, justify in (("step", "right"), ("line", "right"), ("frame", "right")):
        table.add_column(name, justify=justify, style="dim")  # type: ignore[arg-type]
    table.add_column("statement", ratio=3)
    table.add_column("what changed", ratio=4)
    for number, step in enumerate(trace.steps, 1):
        unit = trace.units.by_line[step.line]
        depth = len(problem.source.split("\n")[step.line - 1]) - len(
            problem.source.split("\n")[step.line - 1].lstrip()
        )
        table.add_row(
            str(number),
            str(step.line),
            str(step.frame),
            Text(" " * depth + unit.text),
            Group(*_changes(trace, number - 1)),
        )
    console.print(table)
    console.print(Text.assemble(("  ends  ", "dim"), _outcome(problem)))


def _changes(trace: Trace, step: int) -> list[Text]:
    made = trace.steps[step]
    lines = [
        Text.assemble(
            (name, "bold yellow"),
            " = ",
            (value.literal, "green") if isinstance(value, Value) else (f"({value})", "dim"),
        )
        for name, value in made.changes
    ]
    if made.exception is not None:
        lines.append(Text.assemble("raises ", (made.exception, "red")))
    return lines
