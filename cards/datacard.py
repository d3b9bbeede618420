"""The data card: YAML that the Hub reads, and a text made by one template.

Every number in it is counted from the staged files by :mod:`cards.statistics`, or stands
in the build's own report; none is written by hand. The part between the marks is kept.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cards.errors import DatasetError
from cards.files import read_json, write_json
from cards.layout import MANIFEST
from cards.licenses import checked_license
from cards.markdown import FILTERS, fenced, tidied
from cards.metadata import metadata
from cards.staging import stage
from cards.statistics import statistics_of
from cards.telling import context_of
from cards.versions import read_version
from curricula.difficulty.engines import without_address

if TYPE_CHECKING:
    from huggingface_hub import DatasetCard

__all__ = ["BEGIN", "END", "NOWHERE", "card", "handwritten_part", "render", "write_facts"]

MADE = "<!-- made by execverify: what stands outside the marks below is written anew -->"
BEGIN = "<!-- hand-written: begin -->"
END = "<!-- hand-written: end -->"
NOWHERE = "your-name/your-dataset"
"""The repository that a card names before one is chosen."""
_INVITATION = "<!-- what you write here, between the marks, is kept in new versions -->"


def card(
    dataset: Any,
    *,
    repo_id: str = NOWHERE,
    version: str = "1.0.0",
    license: str = "apache-2.0",
    configs: Sequence[str] | None = None,
) -> DatasetCard:
    """Make the data card of a dataset.

    Args:
        dataset: A ``DatasetDict`` as ``synth.build_curriculum`` gives it, or a folder that
            ``synth build`` or a dry run of :func:`cards.publish` wrote.
        repo_id: The repository that its examples name.
        version: The version that it names.
        license: A licence as the Hub knows them.
        configs: The configs beside ``problems``; None for all.

    Returns:
        The card; ``str(card)`` is the text of README.md.

    Raises:
        DatasetError: The dataset is not what a build makes.
        UsageError: The dataset is none, or there is no such config or licence.
    """
    from huggingface_hub import DatasetCard

    checked_license(license)
    with tempfile.TemporaryDirectory(prefix="execverify-") as folder:
        place = stage(dataset, Path(folder) / "staged", configs=configs)
        write_facts(place, version=version, changes=[])
        return DatasetCard(render(place, repo_id=repo_id, license=license))


def write_facts(place: Path, *, version: str, changes: Sequence[Mapping[str, Any]]) -> None:
    """Complete a staged folder's manifest by what a version adds.

    Args:
        place: The folder.
        version: The version.
        changes: The changelog, newest first.
    """
    manifest = read_json(place / MANIFEST)
    columns = {c.name: dict(c.columns) for c in statistics_of(place).configs}
    entries = list(changes)
    facts = {"version": str(read_version(version)), "columns": columns, "changes": entries}
    write_json(place / MANIFEST, {**manifest, **facts})


def render(
    place: Path,
    *,
    repo_id: str,
    license: str,
    handwritten: str = "",
    kept: Mapping[str, Any] | None = None,
) -> str:
    """Write the card of a staged folder.

    Args:
        place: The folder, with its manifest complete.
        repo_id: The repository.
        license: The licence.
        handwritten: The part between the marks; empty for an invitation to write it.
        kept: Metadata of an existing card that this library does not write.

    Returns:
        The text of README.md, the same for the same files.
    """
    from huggingface_hub import DatasetCardData
    from jinja2 import Environment, PackageLoader, StrictUndefined

    stats = statistics_of(place)
    environment = Environment(
        loader=PackageLoader("cards", "template"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,  # or what is included would run into what follows
        autoescape=False,
    )
    environment.filters.update(FILTERS, without_address=without_address)
    context = context_of(place, stats, repo_id=repo_id, license=license)
    context["marks"] = {"begin": BEGIN, "end": END, "made": MADE}
    # Put in last, so that tidying the blank lines does not touch them.
    exact = {
        "\0hand\0": handwritten or _INVITATION,
        "\0source\0": fenced(context["example"].problem.source, "python"),
    }
    marks = dict(zip(("handwritten", "example_source"), exact, strict=True))
    body = tidied(environment.get_template("card.md.jinja").render(context, **marks))
    for mark, text in exact.items():
        body = body.replace(mark, text, 1)
    data = DatasetCardData(**{**(kept or {}), **metadata(stats, license=license, repo_id=repo_id)})
    return f"---\n{data.to_yaml(line_break=chr(10))}\n---\n\n{body}\n"


def handwritten_part(readme: str) -> str:
    """Take the part of a card that a person wrote.

    Args:
        readme: The text of an existing README.md.

    Returns:
        What stands between the marks; the whole text where the card is not one of ours.

    Raises:
        DatasetError: The card is ours and a mark is missing.
    """
    body = re.sub(r"\A---\n.*?\n---\n?", "", readme, flags=re.DOTALL).strip()
    if BEGIN in body and END in body.partition(BEGIN)[2]:
        part = body.partition(BEGIN)[2].partition(END)[0].strip()
        return "" if part == _INVITATION else part
    if MADE in body:
        raise DatasetError(
            f"the card on the Hub has lost the mark {BEGIN if BEGIN not in body else END}; "
            "put it back, so that it is known what to keep"
        )
    return body
