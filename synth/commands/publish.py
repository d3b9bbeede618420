"""``synth publish``: publishes a folder on the Hub as one version."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

__all__ = ["command"]


def command(
    folder: Annotated[Path, typer.Argument(help="A folder that synth build wrote.")],
    repo: Annotated[str, typer.Argument(help="The repository, owner/name; made if missing.")],
    version: Annotated[str, typer.Option(help="The version, like 1.2.0.")],
    private: Annotated[
        bool,
        typer.Option("--private", help="Make a missing repository private; refuse a public one."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write what would be pushed, push nothing.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Keep what is pushed in this folder, empty or missing.")
    ] = None,
    license: Annotated[str, typer.Option(help="A licence as the Hub knows them.")] = "apache-2.0",
    configs: Annotated[
        str | None, typer.Option(help="Configs beside problems, by commas; all if not given.")
    ] = None,
    narrator: Annotated[
        str | None, typer.Option(help="A model that writes the reasoning, like vllm:MODEL.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON line.")] = False,
) -> None:
    """Publish data, card and plots in one commit, and tag it; a version is never changed.

    What must rise is said by the data: major where a reader may break, minor where rows
    changed, patch where none did. An interrupted upload goes on when it is called again.

    Example: synth publish curriculum/all-0 me/traces --version 1.0.0 --dry-run
    """
    from cards import publish

    talk = Console(stderr=True)
    with warnings.catch_warnings(record=True) as said, talk.status("publishing"):
        warnings.simplefilter("always", UserWarning)
        done = publish(
            folder,
            repo,
            version=version,
            private=private,
            dry_run=dry_run,
            out=out,
            license=license,
            configs=[name for name in configs.split(",") if name] if configs is not None else None,
            narrator=narrator,
        )
    for warning in said:
        talk.print(f"note: {warning.message}", highlight=False, markup=False)
    if isinstance(done, Path):
        talk.print("nothing was pushed; this is what would be:", highlight=False)
        facts = {"folder": str(done)}
        typer.echo(json.dumps(facts) if as_json else str(done))
        return
    if not done.is_new:
        talk.print(f"version {done.version} is there already, with these very files")
    pushed = {
        "repo_id": done.repo_id,
        "version": str(done.version),
        "tag": done.version.tag,
        "commit": done.commit,
        "url": done.url,
        "is_new": done.is_new,
    }
    typer.echo(json.dumps(pushed) if as_json else done.url)
