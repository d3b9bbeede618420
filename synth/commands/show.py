"""``synth show``: prints problems of a folder in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tracing.errors import UsageError

__all__ = ["command"]


def command(
    folder: Annotated[Path, typer.Argument(help="A folder that synth build wrote.")],
    problem: Annotated[str | None, typer.Argument(help="A problem's id or its start.")] = None,
    count: Annotated[int, typer.Option(help="How many to show where no id is given.")] = 1,
    skip: Annotated[int, typer.Option(help="How many to pass over first.")] = 0,
    trace: Annotated[bool, typer.Option(help="Print the run step by step.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print rows as JSON lines.")] = False,
) -> None:
    """Show problems with their questions and answers.

    Example: synth show curriculum/hard-0 7f3a19 --trace
    """
    from curricula.problem import to_row
    from synth.folder import find_problem, problems
    from synth.show import print_problem, print_trace
    from synth.spec import check_int

    check_int("count", count, 1, 10**9)
    check_int("skip", skip, 0, 10**9)
    chosen = [find_problem(folder, problem)] if problem else problems(folder, skip, count)
    console = Console()
    shown = None
    for shown in chosen:
        if as_json:
            typer.echo(json.dumps(to_row(shown), ensure_ascii=False))
            continue
        print_problem(shown, console)
        if trace:
            print_trace(shown, console)
    if shown is None:
        raise UsageError(f"{folder} has no more than {skip:,} problems; --skip fewer")
