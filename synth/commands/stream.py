"""``synth stream``: prints problems as JSON lines, without end."""

from __future__ import annotations

import json
from itertools import islice
from typing import Annotated

import typer

__all__ = ["command"]


def command(
    tier: Annotated[str, typer.Option(help="easy, medium, hard or all.")] = "all",
    seed: Annotated[int, typer.Option(help="Another seed gives other programs.")] = 0,
    count: Annotated[int | None, typer.Option(help="How many; without end by default.")] = None,
    start: Annotated[int, typer.Option(help="Number of the first batch.")] = 0,
) -> None:
    """Print problems as JSON lines, a row each.

    Example: synth stream --tier hard --count 100 > problems.jsonl
    """
    from curricula.problem import to_row
    from synth.spec import check_int
    from synth.streaming import stream

    check_int("start", start, 0, 10**9)
    if count is not None:
        check_int("count", count, 0, 10**9)
    for problem in islice(stream(tier, seed=seed, start=start), count):
        typer.echo(json.dumps(to_row(problem), ensure_ascii=False))
