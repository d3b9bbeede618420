"""``synth build``: makes a curriculum and writes it to a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

__all__ = ["command"]


def command(
    out: Annotated[Path, typer.Option(help="Folder to write; must not exist yet.")],
    tier: Annotated[str, typer.Option(help="easy, medium, hard or all.")] = "hard",
    size: Annotated[int, typer.Option(help="Number of problems.")] = 1000,
    seed: Annotated[int, typer.Option(help="Another seed gives other programs.")] = 0,
    workers: Annotated[int | None, typer.Option(help="Processes; default: one a core.")] = None,
    like: Annotated[str | None, typer.Option(help="Imitate written programs: cruxeval.")] = None,
    kinds: Annotated[str | None, typer.Option(help="Question kinds, by commas.")] = None,
    questions: Annotated[int, typer.Option(help="The most questions of a problem.")] = 10,
    executor: Annotated[str, typer.Option(help="local, or ray[:address].")] = "local",
    force: Annotated[bool, typer.Option(help="Replace the folder if it exists.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Build a curriculum into a folder.

    What is done is kept when the build is interrupted; the same command goes on.

    Example: synth build --tier hard --size 1000 --out curriculum/hard-0
    """
    from synth.build import build_folder
    from synth.progress import BuildProgress
    from synth.spec import Spec

    spec = Spec(
        tier=tier,
        size=size,
        seed=seed,
        like=like,
        kinds=tuple(kinds.split(",")) if kinds else None,
        questions=questions,
    )
    talk = Console(stderr=True)
    with BuildProgress(spec, talk) as progress:
        report = build_folder(
            spec, out, workers=workers, executor=executor, force=force, watch=progress.update
        )
    if as_json:
        typer.echo(json.dumps(report.as_dict()))
        return
    progress.summary(report, out)
