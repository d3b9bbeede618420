"""``synth export``: writes a dataset in the form of another trainer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

__all__ = ["command"]


def command(
    folder: Annotated[Path, typer.Argument(help="A folder that synth build wrote.")],
    format: Annotated[
        str,
        typer.Option(
            help="jsonl, trl_grpo, trl_sft, verl, llama_factory, openrlhf, reasoning_gym or "
            "verifiers."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write; must be empty or missing.")],
) -> None:
    """Write a dataset for TRL, verl, LLaMA-Factory, OpenRLHF, verifiers or reasoning-gym.

    Example: synth export curriculum/hard-0 --format verl --out exports/verl
    """
    from cards.exports import export

    written = export(folder, format, out)
    for path in written:
        typer.echo(path)
    Console(stderr=True).print(f"{len(written)} files in the form of {format}")
