"""``synth grade``: measures how often a model solves each problem of a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from synth.commands.build import numbers_of
from tracing.errors import UsageError, shorten

if TYPE_CHECKING:
    from curricula.difficulty.plan import Plan
    from synth.regrade import Graded

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
    shards: Annotated[
        str | None, typer.Option(help="Ask about these shards alone (0-3); then call without it.")
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

    A shard is up to 1,000 problems; several processes may ask about different ones.

    Example: synth grade curriculum/hard-0 --engine openai:qwen@http://localhost:8000/v1
    """
    if not engine and not refit:
        raise UsageError("say which model to ask (--engine), or --refit to ask none")
    if model is not None and not refit:
        raise UsageError("--model says whose rates --refit fits to; give --refit, too")
    if shards is not None and (not engine or refit or keep_replies):
        raise UsageError(
            "--shards only asks (--engine); --refit and --keep-replies are for the last call, "
            "which writes the folder"
        )
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
        engine_options = options_of(option or ())
        numbers = None if shards is None else numbers_of(shards)
        made = _asked(talk, folder, numbers, engine, plan, engine_options, keep_replies)
        _tell(talk, folder, engine, made)
        result |= dict(sorted(made.tiers.items())) or {"problems": made.problems}
        if made.unanswered:
            result["unanswered"] = made.unanswered.total()
    if refit:
        result["estimate"] = _refitted(talk, folder, model)
    if as_json:
        typer.echo(json.dumps(result))


def _asked(
    talk: Console,
    folder: Path,
    shards: list[int] | None,
    engine: str,
    plan: Plan,
    options: dict[str, Any],
    keep_replies: bool,
) -> Graded:
    """Ask the model about all problems or about shards of them, showing how far it is."""
    from synth.asking_progress import AskingProgress
    from synth.regrade import grade_folder, grade_shards

    with AskingProgress(talk) as far:
        if shards is not None:
            return grade_shards(folder, shards, engine, plan, options, progress=far.update)
        return grade_folder(
            folder, engine, plan, options, keep_replies=keep_replies, progress=far.update
        )


def _tell(talk: Console, folder: Path, engine: str, made: Graded) -> None:
    """Say what was measured, and what is missing."""
    from synth.grading import journals_of

    if made.tiers:
        line = ", ".join(f"{tier} {count:,}" for tier, count in sorted(made.tiers.items()))
        talk.print(f"  tiers      {line}, measured with {engine}", markup=False)
    else:
        talk.print(
            f"  asked      {made.problems:,} problems; synth grade without --shards writes the "
            f"folder",
            markup=False,
            soft_wrap=True,
        )
    if made.unanswered:
        why, count = made.unanswered.most_common(1)[0]
        talk.print(
            f"  unanswered {made.unanswered.total():,}, of which {count:,}: {shorten(why, 200)}\n"
            f"The replies so far are kept in {journals_of(folder)}; the same command asks for "
            "the rest",
            markup=False,
            soft_wrap=True,
        )


def _refitted(talk: Console, folder: Path, model: str | None) -> dict[str, Any]:
    """Fit the estimate to the folder's rates; give its quality and where it was written."""
    from curricula.difficulty.estimate import describe
    from synth.regrade import ESTIMATE, refit_folder

    made = refit_folder(folder, model=model)
    talk.print(f"  estimate   {describe(made)}", markup=False, soft_wrap=True)
    talk.print(f"Wrote {folder / ESTIMATE}", markup=False, soft_wrap=True)
    quality = {"auc": made.auc, "spearman": made.spearman, "problems": made.problems}
    return {"file": str(folder / ESTIMATE), "model": made.model, **quality}
