"""``synth grade``: measures how often a model solves each problem of a folder."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tracing.errors import UsageError, shorten

if TYPE_CHECKING:
    from curricula.difficulty.plan import Plan

__all__ = ["command"]


def command(
    folder: Annotated[Path, typer.Argument(help="A folder that synth build wrote.")],
    engine: Annotated[
        str, typer.Option(help="vllm:MODEL, openai:MODEL@URL or transformers:MODEL.")
    ] = "",
    samples: Annotated[int, typer.Option(help="Replies to each problem.")] = 10,
    temperature: Annotated[float, typer.Option(help="Sampling temperature.")] = 1.0,
    top_p: Annotated[float, typer.Option(help="Share of the probability.")] = 0.9,
    max_tokens: Annotated[int, typer.Option(help="Most tokens of a reply.")] = 1024,
    kinds: Annotated[str, typer.Option(help="Question kinds to ask, too, by commas.")] = "",
    shots: Annotated[int, typer.Option(help="Worked examples, for small models.")] = 0,
    tolerance: Annotated[
        float | None, typer.Option(help="Stop early at this chance of another tier.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE for the engine; may come again.")
    ] = None,
    keep_replies: Annotated[bool, typer.Option(help="Keep replies as a config.")] = False,
    refit: Annotated[
        bool, typer.Option("--refit", help="Fit the estimate to the rates; alone, ask nothing.")
    ] = False,
    model: Annotated[
        str | None, typer.Option(help="Refit to this model; default: the one asked last.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Measure pass rates, and draw the tiers by them; the same command goes on where it stopped.

    Example: synth grade curriculum/hard-0 --engine openai:qwen@http://localhost:8000/v1
    """
    if not engine and not refit:
        raise UsageError("say which model to ask (--engine), or --refit to ask none")
    if model is not None and not refit:
        raise UsageError("--model says whose rates --refit fits to; give --refit, too")
    from curricula.difficulty.engines import Sampling, options_of
    from curricula.difficulty.plan import Plan

    talk = Console(stderr=True, highlight=False)
    result: dict[str, Any] = {}
    if engine:
        plan = Plan(
            samples=samples,
            sampling=Sampling(temperature, top_p, max_tokens),
            kinds=tuple(kinds.split(",")) if kinds else (),
            shots=shots,
            tolerance=tolerance,
        )
        result |= _graded(talk, folder, engine, plan, options_of(option or ()), keep_replies)
    if refit:
        result["estimate"] = _refitted(talk, folder, model)
    if as_json:
        typer.echo(json.dumps(result))


def _graded(
    talk: Console,
    folder: Path,
    engine: str,
    plan: Plan,
    options: dict[str, Any],
    keep_replies: bool,
) -> dict[str, int]:
    """Ask the model, showing how far it is; give the number of problems of each tier."""
    from curricula.difficulty.progress import Progress as Grading
    from synth.regrade import grade_folder, journal_of

    columns = (
        TextColumn("graded"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[said]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=talk, transient=True) as bar:
        task = bar.add_task("graded", total=None, said="")

        def tell(far: Grading) -> None:
            left = "" if far.left is None else f", {far.left:.0f} s left"
            speed = far.tokens / far.seconds if far.seconds else 0.0
            said = f"{far.replies:,} replies, {speed:,.0f} tokens/s{left}"
            bar.update(task, total=far.problems, completed=far.done, said=said)

        made, measured = grade_folder(
            folder, engine, plan, options, keep_replies=keep_replies, progress=tell
        )
    tiers = Counter(tier for split in made.values() for tier in split["tier"])
    line = ", ".join(f"{tier} {count:,}" for tier, count in sorted(tiers.items()))
    talk.print(f"  tiers      {line}, measured with {engine}", markup=False)
    if not measured.unanswered:
        return dict(sorted(tiers.items()))
    why, count = Counter(measured.unanswered.values()).most_common(1)[0]
    talk.print(
        f"  unanswered {len(measured.unanswered):,}, of which {count:,}: {shorten(why, 200)}\n"
        f"The replies so far are kept in {journal_of(folder)}; the same command asks for the rest",
        markup=False,
        soft_wrap=True,
    )
    return {**dict(sorted(tiers.items())), "unanswered": len(measured.unanswered)}


def _refitted(talk: Console, folder: Path, model: str | None) -> dict[str, Any]:
    """Fit the estimate to the folder's rates; give its quality and where it was written."""
    from curricula.difficulty.estimate import describe
    from synth.regrade import ESTIMATE, refit_folder

    made = refit_folder(folder, model=model)
    talk.print(f"  estimate   {describe(made)}", markup=False, soft_wrap=True)
    talk.print(f"Wrote {folder / ESTIMATE}", markup=False, soft_wrap=True)
    quality = {"auc": made.auc, "spearman": made.spearman, "problems": made.problems}
    return {"file": str(folder / ESTIMATE), "model": made.model, **quality}
