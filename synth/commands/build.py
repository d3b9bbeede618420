"""``synth build``: makes a curriculum and writes it to a folder."""

from __future__ import annotations

import json
import re
from typing import Annotated

import typer
from rich.console import Console

from tracing.errors import UsageError, shorten

__all__ = ["command", "numbers_of"]


def command(
    out: Annotated[
        str, typer.Option(help="Folder to write, or s3://, hf://, ...; must not exist yet.")
    ],
    tier: Annotated[str, typer.Option(help="easy, medium, hard or all.")] = "hard",
    size: Annotated[int, typer.Option(help="Number of problems.")] = 1000,
    seed: Annotated[int, typer.Option(help="Another seed gives other programs.")] = 0,
    workers: Annotated[int | None, typer.Option(help="Processes; default: one a core.")] = None,
    like: Annotated[str | None, typer.Option(help="Imitate written programs: cruxeval.")] = None,
    kinds: Annotated[str | None, typer.Option(help="Question kinds, by commas.")] = None,
    questions: Annotated[int, typer.Option(help="The most questions of a problem.")] = 10,
    stdlib: Annotated[bool, typer.Option(help="Let programs import math and collections.")] = False,
    decontaminate: Annotated[
        list[str] | None,
        typer.Option(help="A benchmark whose programs must not be made: a file or a name."),
    ] = None,
    source: Annotated[
        str, typer.Option(help="Programs from a model: vllm:MODEL, openai:MODEL@URL.")
    ] = "",
    executor: Annotated[str, typer.Option(help="local, or ray[:address].")] = "local",
    shards: Annotated[
        str | None, typer.Option(help="Make only these shards (0-99); then build without this.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Replace a build that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Build a curriculum into a folder.

    What is done is kept when the build is interrupted; the same command goes on.

    Example: synth build --tier hard --size 1000 --out curriculum/hard-0
    """
    from synth.build import build_folder, build_shards
    from synth.decontaminate import digest_of
    from synth.progress import BuildProgress
    from synth.shards import rows_of
    from synth.spec import Spec

    spec = Spec(
        tier=tier,
        size=size,
        seed=seed,
        like=like,
        kinds=tuple(kinds.split(",")) if kinds else None,
        questions=questions,
        stdlib=stdlib,
        source=source,
        benchmarks=tuple(decontaminate or ()),
        benchmarks_sha256=digest_of(decontaminate or ()),
    )
    talk = Console(stderr=True)
    what = f"{size:,} {'' if tier == 'all' else f'{tier} '}problems, seed {seed}"
    if shards is not None:
        if force:
            raise UsageError("--shards adds to a folder; --force is for the last build")
        numbers = numbers_of(shards)
        total = len(numbers) * rows_of(spec)
        with BuildProgress(talk, total, f"Making {len(numbers)} shards of {what}") as progress:
            made = build_shards(
                spec,
                out,
                numbers,
                workers=workers,
                executor=executor,
                begin=progress.begin,
                found=progress.found,
                watch=progress.update,
            )
        talk.print(f"Made {made} of {len(numbers)} shards; the others were there")
        return
    with BuildProgress(talk, size, f"Building {what}") as progress:
        report = build_folder(
            spec,
            out,
            workers=workers,
            executor=executor,
            force=force,
            begin=progress.begin,
            found=progress.found,
            watch=progress.update,
        )
    if as_json:
        typer.echo(json.dumps(report.as_dict()))
        return
    progress.summary(report, out)


def numbers_of(text: str) -> list[int]:
    """Read which shards are meant.

    Args:
        text: Numbers and ranges with their ends, by commas.

    Returns:
        The numbers, in order.

    Raises:
        UsageError: It is none such.

    Example:
        >>> numbers_of("0-3,7")
        [0, 1, 2, 3, 7]
    """
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]{1,7})(?:-([0-9]{1,7}))?", part.strip())
        if not match or int(match[2] or match[1]) < int(match[1]):
            raise UsageError(
                f"shards are numbers and ranges like 0-99 or 7, not {shorten(repr(text))}"
            )
        found.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return sorted(found)
