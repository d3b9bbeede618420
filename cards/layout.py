"""Where things stand in a dataset's repository: configs, splits and file names.

The Hub's viewer and ``load_dataset`` know such names, and the card's YAML says them
again. Nothing here reads or writes a file.
"""

from __future__ import annotations

from dataclasses import dataclass

from tracing.errors import UsageError, shorten

__all__ = [
    "CARD",
    "CONFIGS",
    "CROISSANT",
    "DEFAULT",
    "MANIFEST",
    "PLOTS",
    "REPORT",
    "SPLITS",
    "SUMS",
    "TIERS",
    "VIEWS",
    "Config",
    "config_of",
    "data_file",
    "is_ours",
    "pattern",
]

SPLITS = ("train", "validation", "test")
"""The splits of a config; a program family is in one alone. One without rows has no file."""
TIERS = ("easy", "medium", "hard")
"""Tiers that are configs of their own."""
DEFAULT = "problems"
"""The config that ``load_dataset(repo)`` gives."""
VIEWS = ("stage1", "sft", "stage2")
"""Configs that are made of problems and their runs."""
CARD = "README.md"
MANIFEST = "manifest.json"
"""Rows, bytes and SHA-256 of every data file, with the spec and the versions of the build."""
REPORT = "report.json"
"""What became of the programs that were tried."""
CROISSANT = "croissant.json"
SUMS = "SHA256SUMS"
"""Hashes of all files of a version, this one apart."""
PLOTS = "plots"
"""Folder of the card's pictures."""


@dataclass(frozen=True, slots=True)
class Config:
    """One config of a published dataset.

    Attributes:
        name: Its name for ``load_dataset``.
        about: What a row is, in one sentence.
    """

    name: str
    about: str


CONFIGS: dict[str, Config] = {
    config.name: config
    for config in (
        Config(DEFAULT, "One program, one call, its output, questions with answers, difficulty."),
        Config("easy", "The rows of `problems` whose tier is easy."),
        Config("medium", "The rows of `problems` whose tier is medium."),
        Config("hard", "The rows of `problems` whose tier is hard."),
        Config("trace", "The whole run of a problem in compact columns, joined by `id`."),
        Config("stage1", "A prompt in TRL's conversational form, with what its reward needs."),
        Config("sft", "A conversation whose reasoning walks through the run."),
        Config("stage2", "A program to complete, with the unit tests that it must pass."),
        Config("replies", "Every reply that was graded, with its verdict."),
    )
}
"""The configs in the order of the card. One without a row is not published."""


def config_of(name: str) -> Config:
    """Find a config.

    Args:
        name: Its name.

    Returns:
        The config.

    Raises:
        UsageError: There is none of that name.
    """
    if name not in CONFIGS:
        raise UsageError(
            f"there is no config {shorten(repr(name))}; choose of {', '.join(CONFIGS)}"
        )
    return CONFIGS[name]


def data_file(config: str, split: str, number: int, total: int) -> str:
    """Name a data file.

    Args:
        config: A config's name.
        split: One of :data:`SPLITS`.
        number: The file's number, from 0.
        total: How many files the split has.

    Returns:
        A path relative to the repository's root, with slashes.

    Example:
        >>> data_file("problems", "train", 0, 3)
        'data/problems/train-00000-of-00003.parquet'
    """
    return f"data/{config}/{split}-{number:05d}-of-{total:05d}.parquet"


def is_ours(name: str) -> bool:
    """Tell whether a file of a repository is one that a version writes, or may remove.

    Args:
        name: Its path from the repository's root, with slashes.

    Returns:
        Whether it is; what a person adds beside (a LICENSE, say) is not.
    """
    ours = (CARD, MANIFEST, REPORT, CROISSANT, SUMS, "dataset_infos.json")
    return name.startswith(("data/", f"{PLOTS}/")) or name in ours


def pattern(config: str, split: str) -> str:
    """Give the pattern that matches all data files of a split, as the card's YAML says it.

    Args:
        config: A config's name.
        split: One of :data:`SPLITS`.

    Returns:
        A path with a star.
    """
    return f"data/{config}/{split}-*"
