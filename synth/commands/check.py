"""``synth check``: derives a folder again from its sources and calls."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

__all__ = ["command"]


def command(
    folder: Annotated[Path, typer.Argument(help="A folder that synth build wrote.")],
    workers: Annotated[int, typer.Option(help="Programs that are run at the same time.")] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print findings as JSON lines.")] = False,
) -> None:
    """Run every program again and compare all that the rows say; exit code 1 where any differs.

    Example: synth check curriculum/hard-0
    """
    from rich.progress import Progress

    from synth.check import check_folder
    from synth.folder import manifest_of

    files = manifest_of(folder)["files"]
    total = sum(facts["rows"] for name, facts in files.items() if "/problems/" in name)
    talk = Console(stderr=True)
    findings = 0
    with Progress(console=talk, transient=True) as progress:
        task = progress.add_task("rows", total=total)
        for found in check_folder(folder, workers=workers):
            if isinstance(found, int):
                progress.update(task, completed=found)
                continue
            findings += 1
            typer.echo(json.dumps(asdict(found)) if as_json else f"{found.place}: {found.what}")
    talk.print(f"{total:,} rows checked, {findings:,} findings")
    if findings:
        raise typer.Exit(1)
