"""``synth train``: the warm-up and both stages of reinforcement learning."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

if TYPE_CHECKING:
    from rl.training.outcome import Outcome

__all__ = ["command"]


def command(
    stage: Annotated[str, typer.Argument(help="warmup, stage1 or stage2.")],
    config: Annotated[Path | None, typer.Option(help="A YAML file; see examples/.")] = None,
    preset: Annotated[str | None, typer.Option(help="cpu or 8gpu.")] = None,
    model: Annotated[str | None, typer.Option(help="A model's folder or name.")] = None,
    data: Annotated[str | None, typer.Option(help="A built folder, or a name on the Hub.")] = None,
    out: Annotated[str | None, typer.Option(help="The folder of the run.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="FIELD=VALUE; options.NAME=VALUE for one of TRL's."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Train a model; the same command goes on where it stopped.

    Example: synth train stage1 --preset cpu --model runs/warmup/final --data curriculum/all-0
    """
    import rl
    from rl.training.reading import read_config, setting

    named = {"model": model, "dataset": data, "out": out}
    values: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    for text in settings or ():
        name, value = setting(text)
        known: Any = values.get(name)
        both = isinstance(known, dict) and isinstance(value, dict)
        values[name] = {**known, **value} if both else value
    made = read_config(stage, config, preset=preset, values=values)
    # What trainers tell each other about next year's names is nothing to who trains today.
    warnings.filterwarnings("ignore", category=FutureWarning)
    outcome = getattr(rl, stage)(made)
    if as_json:
        typer.echo(json.dumps(outcome.as_dict(), default=str))
    else:
        _show(outcome)


def _show(outcome: Outcome) -> None:
    talk = Console(stderr=True)
    for task, new in outcome.after.items():
        old = outcome.before.get(task)
        first = "" if old is None else f"{old['rate']:.3f} before, "
        span = f"({new['low']:.3f} to {new['high']:.3f})"
        talk.print(
            f"  {task:10} {first}{new['rate']:.3f} {span} after, {new['n']:,} held-out items"
        )
    talk.print(f"  model      {outcome.model}  after {outcome.steps} updates")
