"""The card's YAML: what the Hub's viewer, search and ``load_dataset`` read."""

from __future__ import annotations

from typing import Any

from cards.config_facts import ConfigFacts
from cards.layout import DEFAULT, pattern
from cards.schemas import SCHEMAS
from cards.statistics import Statistics

__all__ = ["metadata"]

_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
)
_TAGS = (
    "code",
    "code-reasoning",
    "execution",
    "program-trace",
    "reasoning",
    "reinforcement-learning",
    "rlvr",
    "synthetic",
    "python",
)


def metadata(stats: Statistics, *, license: str, repo_id: str) -> dict[str, Any]:
    """Make the metadata of a card.

    Args:
        stats: The numbers of the dataset.
        license: A licence as the Hub knows them.
        repo_id: The repository.

    Returns:
        Names and values, in the order in which they are written.
    """
    tasks = ["text-generation"]
    by = {"machine-generated": stats.makers.built, "other": stats.makers.own}
    creators = [who for who, made in by.items() if made]
    return {
        "license": license,
        "language": ["en", "code"],
        "pretty_name": repo_id.rpartition("/")[2],
        "task_categories": tasks,
        "size_categories": [_size(stats.problems)],
        "annotations_creators": ["machine-generated"],
        "language_creators": creators,
        "multilinguality": ["monolingual"],
        "source_datasets": ["original"],
        "library_name": "datasets",
        "tags": list(_TAGS),
        "configs": [_config(config) for config in stats.configs],
        "dataset_info": [_info(config) for config in stats.configs],
    }


def _size(problems: int) -> str:
    return next((name for limit, name in _SIZES if problems < limit), "100M<n<1B")


def _config(config: ConfigFacts) -> dict[str, Any]:
    files = [{"split": s.name, "path": pattern(config.name, s.name)} for s in config.splits]
    default = {"default": True} if config.name == DEFAULT else {}
    return {"config_name": config.name, **default, "data_files": files}


def _info(config: ConfigFacts) -> dict[str, Any]:
    from datasets import DatasetInfo, Features, SplitDict, SplitInfo

    splits = SplitDict()
    for split in config.splits:
        splits.add(SplitInfo(split.name, num_bytes=split.memory, num_examples=split.rows))
    info = DatasetInfo(
        features=Features.from_arrow_schema(SCHEMAS[config.name]),
        splits=splits,
        download_size=config.bytes,
        dataset_size=sum(split.memory for split in config.splits),
    )
    plain: dict[str, Any] = info._to_yaml_dict()
    return {"config_name": config.name, **{k: v for k, v in plain.items() if v is not None}}
