"""The tables of a chain of runs: held-out scores before and after each, and their own course.

``python -m rl.training.table runs/warmup runs/stage1 runs/stage2`` prints it in Markdown.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from rl.training.finish import finished
from rl.training.outcome import Outcome, score_text
from rl.training.run import FINAL, Run, read_log
from tracing.errors import ExecVerifyError, UsageError, shorten

__all__ = ["table"]

_COURSE = {
    "mean_token_accuracy": "tokens foretold",
    "format": "answers in the form asked for",
    "reward": "reward",
}
"""What is logged at updates and shown, and how it is called."""


def table(folders: Sequence[Path | str]) -> str:
    """Write the table.

    Args:
        folders: The folders of finished runs, in their order.

    Returns:
        Markdown: a row for each held-out task; then one for each thing that was measured in
        training, as its means over the first and the last third of each run's updates.

    Raises:
        UsageError: A folder holds no finished run, or none has held-out scores.
        RunError: Results are damaged.
    """
    outcomes = [_outcome(Path(folder)) for folder in folders]
    columns = [
        (f"{when} {outcome.stage}", scores)
        for outcome in outcomes
        for when, scores in (("before", outcome.before), ("after", outcome.after))
        if scores
    ]
    if not columns:
        raise UsageError("none of these runs asked held-out problems; set heldout above 0")
    tasks = list(dict.fromkeys(task for _, scores in columns for task in scores))
    lines = ["| held out | " + " | ".join(name for name, _ in columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    for task in tasks:
        cells = [score_text(scores.get(task)) for _, scores in columns]
        lines.append(f"| {task} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", *_course(folders, outcomes)])


def _course(folders: Sequence[Path | str], outcomes: Sequence[Outcome]) -> list[str]:
    logs = [read_log(Path(folder)) for folder in folders]
    heads = [f"{outcome.stage}, {outcome.steps:,} updates" for outcome in outcomes]
    lines = ["| first and last third of | " + " | ".join(heads) + " |"]
    lines.append("|---" * (len(heads) + 1) + "|")
    for name, title in _COURSE.items():
        cells = [_ends([entry[name] for entry in log if name in entry]) for log in logs]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return lines


def _ends(values: Sequence[float]) -> str:
    third = -(-len(values) // 3)
    return f"{fmean(values[:third]):.3f}, {fmean(values[-third:]):.3f}" if values else ""


def _outcome(folder: Path) -> Outcome:
    if not (folder / FINAL / "results.json").is_file():
        raise UsageError(f"{shorten(str(folder), 120)} holds no finished run")
    return finished(Run(folder, None, None, True))


if __name__ == "__main__":
    try:
        sys.stdout.write(table(sys.argv[1:]) + "\n")
    except ExecVerifyError as error:
        sys.exit(f"rl.training.table: {error}")
