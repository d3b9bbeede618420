"""Shows reports and comparisons as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.table import Table

from rl.evaluation.compare import Comparison
from rl.evaluation.report import Report
from rl.evaluation.statistics import FEWEST

__all__ = ["comparison_table", "notes", "score_table"]

_MOST_REASONS = 3


def score_table(report: Report) -> Table:
    """Lay out the scores of a report.

    Args:
        report: The report.

    Returns:
        A row for each task, with our number and the official one side by side.
    """
    title = f"{report.benchmark}: {report.model}"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("task")
    table.add_column("measure")
    table.add_column("ours", justify="right")
    table.add_column("95%", justify="right")
    official = {(s.task, s.k): s for s in report.scores if s.rule == "official"}
    for name in ("official", "95%") if official else ():
        table.add_column(name, justify="right")
    table.add_column("of", justify="right")
    for score in report.scores:
        if score.rule != "ours":
            continue
        other = official.get((score.task, score.k))
        blank = ("", "") if official else ()
        theirs = (_percent(other.rate), _range(other.low, other.high)) if other else blank
        table.add_row(
            score.task,
            f"pass@{score.k}" if report.samples > 1 else "right",
            _percent(score.rate),
            _range(score.low, score.high),
            *theirs,
            f"{score.units:,}",
        )
    return table


def notes(report: Report) -> list[str]:
    """Say what the numbers of a report leave out, and why replies failed.

    Args:
        report: The report.

    Returns:
        Sentences, perhaps none.
    """
    said = [
        f"{sum(counts.values()):,} answers to {task} are wrong: "
        + "; ".join(f"{n:,}: {why}" for why, n in list(counts.items())[:_MOST_REASONS])
        for task, counts in report.reasons.items()
    ]
    said += [
        f"{score.skipped:,} replies to {score.task} are left out by the official rule"
        for score in report.scores
        if score.skipped and score.k == 1
    ]
    few = [
        score.task
        for score in report.scores
        if score.rule == "ours" and score.k == 1 and score.groups < min(FEWEST, score.units)
    ]
    if few:
        said.append(
            f"{', '.join(few)}: fewer than {FEWEST} groups of items that are alike, so the "
            "intervals are as wide as so few allow"
        )
    said += [f"{count:,} cannot be asked: {why}" for why, count in report.left_out.items()]
    if report.unanswered:
        name, why = next(iter(report.unanswered.items()))
        said.append(f"{len(report.unanswered):,} items are unanswered ({name}: {why})")
    return said


def comparison_table(found: Sequence[Comparison], first: str, second: str) -> Table:
    """Lay out how two reports differ.

    Args:
        found: The comparisons.
        first: Name of the first report's model.
        second: Name of the second's.

    Returns:
        A row for each task and rule.
    """
    tests = sorted({one.difference.test for one in found})
    title = f"{first}, then {second}"
    table = Table(
        title=title,
        title_justify="left",
        caption=f"p by {' and '.join(tests)}",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for name in ("task", "rule"):
        table.add_column(name, no_wrap=True)
    for name in ("first", "then", "+/-", "95%", "won", "lost", "p"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found:
        difference = one.difference
        table.add_row(
            one.task,
            one.rule,
            _percent(one.first),
            _percent(one.second),
            f"{100 * difference.mean:+.1f}",
            f"{100 * difference.low:+.1f}, {100 * difference.high:+.1f}",
            f"{difference.gained:,}",
            f"{difference.lost:,}",
            "<0.001" if difference.p < 0.001 else f"{difference.p:.3f}",
        )
    return table


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}"


def _range(low: float, high: float) -> str:
    return f"{100 * low:.1f}, {100 * high:.1f}"
