"""The pictures of a card, as PNG: drawn from the numbers of the card and from nothing else.

Narrow enough for a telephone, with letters that can be read there. Needs the extra
``cards`` (matplotlib).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cards.layout import PLOTS, SPLITS
from cards.rates import BINS
from cards.statistics import Counts, Statistics
from tracing.errors import MissingExtraError, shorten

__all__ = ["DPI", "LETTERS", "draw", "names"]

_WIDTH = 4.5
"""Width of a picture, in inches."""
DPI = 250
"""Points of a picture, to the inch."""
LETTERS = 9.5
"""Size of letters, in points: over ten pixels where a telephone shows a picture in 358."""
_COLOURS = ("#2a6f97", "#e09f3e", "#9e2a2b", "#588157", "#6d597a", "#8d99ae")
_MOST = 16
"""The most bars of a picture."""


def names(stats: Statistics) -> list[str]:
    """Name the pictures that a dataset has something to show in.

    Args:
        stats: Its numbers.

    Returns:
        Their names, without folder and ending.
    """
    counts = stats.counts
    has = {
        "tiers": bool(stats.tiers),
        "rates": bool(stats.rated),
        "structure": stats.problems > 0,
        "questions": bool(counts["kinds"]),
        "control": bool(counts["control"]),
        "methods": bool(counts["cells"]),
    }
    return [name for name in _PICTURES if has[name]]


def draw(stats: Statistics, values: dict[str, list[int]], place: Path) -> list[Path]:
    """Draw the pictures of a dataset.

    Args:
        stats: Its numbers.
        values: Lines, steps and changes of every problem.
        place: The folder of the dataset.

    Returns:
        The files, in ``plots/``.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise MissingExtraError(
            'plots need matplotlib; install it with: pip install "execverify[cards]"'
        ) from None
    folder = place / PLOTS
    folder.mkdir(exist_ok=True)
    written = []
    for name in names(stats):
        figure = Figure(dpi=DPI, layout="constrained")
        _PICTURES[name](figure, stats, values)
        path = folder / f"{name}.png"
        # No name and version of the program that drew it: same numbers, same bytes.
        figure.savefig(path, metadata={"Software": None})
        written.append(path)
    return written


def _tiers(figure: Any, stats: Statistics, values: dict[str, list[int]]) -> None:
    figure.set_size_inches(_WIDTH, 0.9 + 0.45 * len(stats.tiers))
    axes = figure.subplots()
    labels = [tier for tier, _ in stats.tiers]
    left = [0] * len(labels)
    for place, split in enumerate(SPLITS):
        widths = [numbers[place] for _, numbers in stats.tiers]
        axes.barh(labels, widths, left=left, color=_COLOURS[place], label=split)
        left = [before + width for before, width in zip(left, widths, strict=True)]
    for row, total in enumerate(left):
        axes.annotate(f" {total:,}", (total, row), va="center", fontsize=LETTERS)
    axes.margins(x=0.15)
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.12)}
    axes.legend(fontsize=LETTERS, ncols=3, frameon=False, **below)
    _finish(axes, "", "")
    axes.invert_yaxis()


def _rates(figure: Any, stats: Statistics, values: dict[str, list[int]]) -> None:
    shown = stats.rated[:4]
    figure.set_size_inches(_WIDTH, 2.4 * len(shown))
    for axes, rated in zip(figure.subplots(len(shown), squeeze=False)[:, 0], shown, strict=True):
        axes.bar(
            [(number + 0.5) / BINS for number in range(BINS)],
            rated.bins,
            width=0.92 / BINS,
            color=_COLOURS[0],
        )
        what = "pass rate of" if rated.source == "passrate" else "estimated pass rate, by"
        _finish(axes, f"{what} {shorten(rated.model, 34)}", "problems")
        axes.set_xlim(0, 1)


def _structure(figure: Any, stats: Statistics, values: dict[str, list[int]]) -> None:
    figure.set_size_inches(_WIDTH, 2.1 * len(values))
    every = figure.subplots(len(values), squeeze=False)[:, 0]
    for axes, (name, numbers), colour in zip(every, values.items(), _COLOURS, strict=False):
        limit = sorted(numbers)[int(0.98 * (len(numbers) - 1))]
        width = -(-(limit + 1) // 40)  # whole numbers, so that no bin has more of them
        axes.hist(numbers, bins=range(0, limit + width + 1, width), color=colour)
        _finish(axes, f"{name} (the longest 2% not shown)", "problems")


def _questions(figure: Any, stats: Statistics, values: dict[str, list[int]]) -> None:
    kinds, answers = stats.counts["kinds"], stats.counts["answers"]
    figure.set_size_inches(_WIDTH, 1.2 + 0.3 * (len(kinds) + len(answers)))
    ratios = [len(kinds) + 1, len(answers) + 1]
    upper, lower = figure.subplots(2, height_ratios=ratios)
    _bars(upper, kinds, _COLOURS[0])
    _finish(upper, "questions, by kind", "")
    _bars(lower, answers, _COLOURS[1])
    _finish(lower, "answers, by type", "")


def _control(figure: Any, stats: Statistics, values: dict[str, list[int]]) -> None:
    shown = [(name or "(none)", number) for name, number in stats.counts["control"][:_MOST]]
    figure.set_size_inches(_WIDTH, 0.8 + 0.3 * len(shown))
    axes = figure.subplots()
    _bars(axes, shown, _COLOURS[3])
    _finish(axes, "problems, by control structures", "")


def _methods(figure: Any, stats: Statistics, values: dict[str, list[int]]) -> None:
    types = stats.counts["types"][:_MOST]
    figure.set_size_inches(_WIDTH, 0.8 + 0.32 * len(types))
    axes = figure.subplots()
    cells = [cell.partition(".")[0] for cell, _ in stats.counts["cells"]]
    labels = [f"{name} ({cells.count(name)})" for name, _ in types]
    _bars(axes, list(zip(labels, (n for _, n in types), strict=True)), _COLOURS[4])
    _finish(axes, "problems, by type (in brackets: methods)", "")


def _bars(axes: Any, counts: Counts | Sequence[tuple[str, int]], colour: str) -> None:
    labels, numbers = [name for name, _ in counts], [number for _, number in counts]
    axes.barh(range(len(labels)), numbers, color=colour)
    axes.set_yticks(range(len(labels)), labels)
    for row, number in enumerate(numbers):
        axes.annotate(f" {number:,}", (number, row), va="center", fontsize=LETTERS)
    axes.margins(x=0.15)
    axes.invert_yaxis()


def _finish(axes: Any, below: str, beside: str) -> None:
    from matplotlib.ticker import MaxNLocator

    if axes.get_xlim()[1] > 2:  # counts and sizes, no rates
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel(below, fontsize=LETTERS)
    axes.set_ylabel(beside, fontsize=LETTERS)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=LETTERS)


_PICTURES: dict[str, Callable[[Any, Statistics, dict[str, list[int]]], None]] = {
    "tiers": _tiers,
    "rates": _rates,
    "structure": _structure,
    "questions": _questions,
    "control": _control,
    "methods": _methods,
}
