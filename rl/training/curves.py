"""Draws the log of a run."""

from __future__ import annotations

from pathlib import Path

from rl.training.run import read_log

__all__ = ["draw_curves"]

_DRAWN = ("loss", "reward", "io", "white", "format", "completions/mean_length")


def draw_curves(folder: Path) -> None:
    """Draw what was logged to ``curves.png``, where matplotlib is installed.

    Args:
        folder: The run's folder.
    """
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    log = read_log(folder)
    shown = [name for name in _DRAWN if any(name in entry for entry in log)]
    if not shown:
        return
    figure, axes = pyplot.subplots(len(shown), 1, figsize=(7, 2 * len(shown)), squeeze=False)
    for axis, name in zip(axes[:, 0], shown, strict=True):
        points = [(entry["step"], entry[name]) for entry in log if name in entry]
        axis.plot(*zip(*points, strict=True))
        axis.set_ylabel(name)
    axes[-1, 0].set_xlabel("step")
    figure.tight_layout()
    figure.savefig(folder / "curves.png", dpi=120)
    pyplot.close(figure)
