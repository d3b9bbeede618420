"""Publishes a dataset as one version: stages it, describes it, pushes it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cards.changes import changelog_entry, check_bump, compare, first_entry
from cards.croissant import croissant_of
from cards.datacard import render, write_facts
from cards.folders import new_folder
from cards.hub import check_token, checked_repo_id
from cards.layout import CARD, CROISSANT
from cards.licenses import checked_license
from cards.manifest import read_manifest
from cards.plots import draw
from cards.previous import NOTHING, Previous, fetch_previous
from cards.push import Pushed, push
from cards.staging import stage
from cards.statistics import statistics_of, values_of
from cards.sums import write_sums
from cards.versions import Version, read_version

__all__ = ["prepare", "publish"]


def publish(
    dataset: Any,
    repo_id: str,
    *,
    version: str,
    private: bool = False,
    dry_run: bool = False,
    out: Path | str | None = None,
    license: str = "apache-2.0",
    configs: Sequence[str] | None = None,
    narrator: str | None = None,
    token: str | None = None,
) -> Pushed | Path:
    """Publish a dataset on the Hub, as one version.

    Args:
        dataset: A ``DatasetDict`` as ``synth.build_curriculum`` gives it, or a folder that
            ``synth build`` wrote.
        repo_id: The repository, ``"owner/name"``; it is created where it is missing.
        version: Like ``"1.2.0"``; see :mod:`cards.changes` for what must rise when.
        private: Whether a repository that is created is private; one that is there must be.
        dry_run: Write the very folder that would be pushed, and push nothing.
        out: Where that folder is written and kept; for a dry run without it, a folder
            named by repository and version. It must be empty or missing.
        license: A licence as the Hub knows them.
        configs: The configs beside ``problems``; None for all that have rows.
        narrator: A model that writes the reasoning of ``sft``, like ``"vllm:MODEL"``.
        token: A token; None for the usual places, and none is needed for a dry run.

    Returns:
        What was pushed, or the folder for a dry run.

    Raises:
        UsageError: The Hub knows no such licence or name of a repository, or the folder has
            something in it.
        VersionError: The version is none, is there with other files, or too low.
        DatasetError: The dataset is not what a build makes.
        HubError: The Hub refuses, or cannot be reached; nothing is half published, and the
            same call goes on where it was.
        MissingExtraError: matplotlib is not installed (``execverify[cards]``).
    """
    wanted = read_version(version)
    checked_repo_id(repo_id)
    checked_license(license)
    if dry_run and out is None:
        out = f"{repo_id.rpartition('/')[2]}-{wanted}"
    with tempfile.TemporaryDirectory(prefix="execverify-") as temporary:
        place = Path(temporary)
        with new_folder(place / "version" if out is None else out) as folder:
            if not dry_run:
                check_token(repo_id, token)
            previous = fetch_previous(repo_id, wanted, place, token=token, may_miss=dry_run)
            stage(dataset, folder, configs=configs, narrator=narrator)
            prepare(folder, repo_id, wanted, previous=previous, license=license)
            if not dry_run:
                return push(folder, repo_id, version, private=private, token=token)
    return Path(str(out))


def prepare(
    folder: Path,
    repo_id: str,
    version: Version,
    *,
    previous: Previous = NOTHING,
    license: str = "apache-2.0",
) -> None:
    """Describe a staged folder: changelog, card, plots, Croissant, hashes.

    Args:
        folder: The folder.
        repo_id: The repository.
        version: The version.
        previous: What it builds on.
        license: A licence as the Hub knows them.

    Raises:
        VersionError: The version is too low for what changed.
        MissingExtraError: matplotlib is not installed.
    """
    write_facts(folder, version=str(version), changes=[])
    if previous.version is not None and previous.folder is not None:
        difference = compare(previous.folder, previous.version, folder)
        check_bump(version, difference)
        entry = changelog_entry(version, difference)
    else:
        entry = first_entry(version, read_manifest(folder))
    write_facts(folder, version=str(version), changes=[entry, *previous.changes])
    stats = statistics_of(folder)
    draw(stats, values_of(folder), folder)
    described = croissant_of(
        folder,
        stats,
        read_manifest(folder)["files"],
        repo_id=repo_id,
        version=str(version),
        license=license,
    )
    (folder / CROISSANT).write_text(described, encoding="utf-8")
    text = render(
        folder,
        repo_id=repo_id,
        license=license,
        handwritten=previous.handwritten,
        kept=previous.kept,
    )
    (folder / CARD).write_text(text, encoding="utf-8")
    write_sums(folder)
