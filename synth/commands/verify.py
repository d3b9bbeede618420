"""``synth verify``: checks a published version, or a folder of one."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

__all__ = ["command"]


def command(
    dataset: Annotated[str, typer.Argument(help="A dataset on the Hub, owner/name, or a folder.")],
    revision: Annotated[
        str | None, typer.Option(help="A tag, branch or commit; main if not given.")
    ] = None,
    rows: Annotated[int, typer.Option(min=0, help="Problems that are derived again.")] = 50,
    seed: Annotated[int, typer.Option(help="Another seed draws other problems.")] = 0,
    workers: Annotated[
        int, typer.Option(min=1, help="Programs that are run at the same time.")
    ] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print findings as JSON lines.")] = False,
) -> None:
    """Check hashes and card, and derive a sample of rows again; exit code 1 where any differs.

    Example: synth verify me/traces --revision v1.0.0 --rows 200
    """
    from cards import verify

    # What looks like a path is one, so that a folder that is missing is no repository.
    is_path = dataset.startswith((".", "/", "~"))
    talk = Console(stderr=True)
    with talk.status("verifying"):
        done = verify(
            Path(dataset).expanduser() if is_path else dataset,
            revision,
            rows=rows,
            seed=seed,
            workers=workers,
        )
    for found in done.findings:
        typer.echo(json.dumps(asdict(found)) if as_json else f"{found.place}: {found.what}")
    talk.print(
        f"version {done.version or 'unknown'}: {done.files:,} files and {done.rows:,} rows "
        f"checked, {len(done.findings):,} findings",
        highlight=False,
    )
    if not done.is_right:
        raise typer.Exit(1)
