"""Gathers what a card tells: the values of its template, from the files, manifest and report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cards.columns import COLUMNS
from cards.config_facts import ConfigFacts
from cards.coverage import coverage_of
from cards.example import example_of
from cards.layout import DEFAULT, SPLITS, TIERS, VIEWS
from cards.manifest import read_manifest
from cards.markdown import table
from cards.remaking import again
from cards.report import read_report
from cards.statistics import Statistics
from curricula.narrator.answers import answer_line

__all__ = ["context_of"]


def context_of(place: Path, stats: Statistics, *, repo_id: str, license: str) -> dict[str, Any]:
    """Gather what the template of a card names.

    Args:
        place: The folder that was staged, with its manifest complete.
        stats: Its numbers.
        repo_id: The repository.
        license: The licence.

    Returns:
        Values by the names that the template has for them, its marks and filters apart.

    Raises:
        DatasetError: Manifest or report is damaged.
    """
    from curricula.difficulty.estimate import describe, shipped

    manifest = read_manifest(place)
    report = read_report(place)
    build = manifest["build"] or {}
    spec = build.get("spec") or {}
    here = {(config.name, split.name) for config in stats.configs for split in config.splits}
    benchmarks = sorted((report or {}).get("decontamination", ()))
    packages = build.get("packages", {})
    return {
        "again": again(stats, manifest, benchmarks, repo_id=repo_id, license=license),
        "answer_line": answer_line,
        "changes": manifest["changes"],
        "columns": COLUMNS,
        "benchmarks_sha256": spec.get("benchmarks_sha256", ""),
        "coverage": coverage_of(stats, (report or {}).get("catalogue", {})),
        "contamination": (report or {}).get("decontamination"),
        "default": DEFAULT,
        "derived": [config.name for config in stats.configs if config.name in ("trace", *VIEWS)],
        "estimate_quality": describe(),
        "example": example_of(place),
        "files": manifest["files"],
        "generator": build.get("generator_version", ""),
        "has": {config for config, _ in here}.__contains__,
        "has_train": lambda config: (config, "train") in here,
        "here": [split.name for split in stats.config(DEFAULT).splits],
        "license": license,
        "measure": {row.name: row for row in stats.measures}.__getitem__,
        "name": repo_id.rpartition("/")[2],
        "narration": manifest["narration"],
        "packages": ", ".join(f"{name} {value}" for name, value in sorted(packages.items())),
        "plots": _plots(stats),
        "pythons": ", ".join(name for name, _ in stats.counts["pythons"]),
        "repo_id": repo_id,
        "report": report,
        "rows": _rows,
        "shipped": shipped().name,
        "splits": SPLITS,
        "stats": stats,
        "table": table,
        "tiers": TIERS,
        "total_bytes": sum(facts["bytes"] for facts in manifest["files"].values()),
        "version": manifest["version"],
    }


def _plots(stats: Statistics) -> frozenset[str]:
    from cards.plots import names

    return frozenset(names(stats))


def _rows(config: ConfigFacts, split: str) -> str:
    found = [facts.rows for facts in config.splits if facts.name == split]
    return f"{found[0]:,}" if found else "—"
