"""``synth evaluate``: scores a model on a benchmark, and compares it with another run."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tracing.errors import UsageError, shorten

if TYPE_CHECKING:
    from rl.evaluation import Report

__all__ = ["command"]


def command(
    model: Annotated[str, typer.Argument(help="A model's name, or openai:MODEL@URL.")],
    benchmark: Annotated[
        str, typer.Argument(help="cruxeval, livecodebench, reval, cruxeval_x, heldout; /TASK.")
    ],
    engine: Annotated[str, typer.Option(help="transformers, vllm or openai.")] = "transformers",
    data: Annotated[str, typer.Option(help="A file, a folder or a name on the Hub.")] = "",
    samples: Annotated[int, typer.Option(help="Replies to each item.")] = 1,
    temperature: Annotated[
        float | None, typer.Option(help="Sampling temperature; greedy with one sample.")
    ] = None,
    top_p: Annotated[float, typer.Option(help="Share of the probability.")] = 0.95,
    max_tokens: Annotated[int, typer.Option(help="Most tokens of a reply.")] = 2048,
    k: Annotated[str, typer.Option("-k", "--k", help="The k of pass@k, by commas.")] = "1",
    limit: Annotated[int | None, typer.Option(help="Problems to ask.")] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="NAME=VALUE for the engine; may come again.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The report; beside it, the replies are kept.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option("--compare", help="Another run's report to compare with.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Score a model on a benchmark; the same command goes on where it stopped.

    Example: synth evaluate openai:qwen@http://localhost:8000/v1 cruxeval/output --samples 10 -k 1,5
    """
    from curricula.difficulty.engines import options_of
    from rl.evaluation import evaluate, read_report
    from rl.evaluation.report import check_place, write_report

    before = read_report(against) if against else None
    options = options_of(option or ())
    taken = sorted(set(options) & set(signature(evaluate).parameters))
    if taken:
        raise UsageError(f"{taken[0]} belongs to the evaluation and is no option of an engine")
    report_file = out or _place(benchmark, data or None, model, samples, temperature)
    check_place(report_file)  # before a model is asked for nothing
    talk = Console(stderr=True)
    columns = (TextColumn("asked"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=talk, transient=True) as bar:
        task = bar.add_task("asked", total=None)
        report = evaluate(
            model,
            benchmark,
            engine=engine,
            data=data or None,
            samples=samples,
            temperature=temperature,
            top_p=top_p,
            max_tokens=max_tokens,
            k=_ks(k),
            limit=limit,
            journal=report_file.with_suffix(".replies.jsonl"),
            progress=lambda far: bar.update(task, total=far.problems, completed=far.done),
            **options,
        )
    write_report(report, report_file)
    _show(report, before, talk, as_json=as_json)
    talk.print(f"  report     {report_file}")


def _ks(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"-k takes numbers by commas, like 1,5, not {shorten(text)!r}") from None


def _place(*asked: str | float | None) -> Path:
    """Name the report by what was asked, so that the same command finds its replies again."""
    whole = "-".join(str(part) for part in asked if part is not None)
    words = re.sub(r"[^A-Za-z0-9._]+", "-", whole).strip("-.")
    return Path("evaluations") / f"{words}.json"


def _show(report: Report, before: Report | None, talk: Console, *, as_json: bool) -> None:
    from rl.evaluation.compare import compare
    from rl.evaluation.table import comparison_table, notes, score_table

    found = compare(before, report) if before is not None else ()
    if as_json:
        columns = json.loads(report.to_json())
        if found:
            columns["comparison"] = [asdict(one) for one in found]
        typer.echo(json.dumps(columns))
    else:
        console = Console()
        console.print(score_table(report))
        if before is not None:
            console.print(comparison_table(found, before.model, report.model))
    for sentence in notes(report):
        talk.print(f"  {sentence}", markup=False)
