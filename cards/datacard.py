"""The data card: YAML that the Hub reads, and a text made by one template.

Every number in it is counted from the staged files by :mod:`cards.statistics`, or stands
in the build's own report; none is written by hand. The part between the marks is kept.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cards.columns import COLUMNS
from cards.coverage import coverage_of
from cards.errors import DatasetError
from cards.files import GROUP_ROWS, read_json, rows_of, shards_of, write_json
from cards.layout import DEFAULT, MANIFEST, SPLITS, TIERS
from cards.licenses import checked_license
from cards.manifest import read_manifest
from cards.markdown import FILTERS, fenced, table, tidied
from cards.metadata import metadata
from cards.report import read_report
from cards.staging import stage
from cards.statistics import ConfigFacts, Statistics, statistics_of
from cards.versions import read_version
from curricula.narrator.answers import answer_line
from curricula.problem import Problem, from_row
from curricula.views import trace as traces
from tracing import Trace, Value, run

if TYPE_CHECKING:
    from huggingface_hub import DatasetCard

__all__ = ["BEGIN", "END", "NOWHERE", "card", "handwritten_part", "render", "write_facts"]

MADE = "<!-- made by execverify: what stands outside the marks below is written anew -->"
BEGIN = "<!-- hand-written: begin -->"
END = "<!-- hand-written: end -->"
NOWHERE = "your-name/your-dataset"
"""The repository that a card names before one is chosen."""
_INVITATION = "<!-- what you write here, between the marks, is kept in new versions -->"
_EXAMPLE_STEPS = range(6, 17)
"""Steps of a run that is short enough, and long enough, to be shown."""


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
    from jinja2 import Environment, StrictUndefined

    stats = statistics_of(place)
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.filters.update(FILTERS)
    template = files("cards").joinpath("template.md.jinja").read_text(encoding="utf-8")
    context = _context(place, stats, repo_id, license)
    # Put in last, so that tidying the blank lines does not touch them.
    exact = {
        "\0hand\0": handwritten or _INVITATION,
        "\0source\0": fenced(context["example"].source, "python"),
    }
    marks = dict(zip(("handwritten", "example_source"), exact, strict=True))
    body = tidied(environment.from_string(template).render(context, **marks))
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


def _context(place: Path, stats: Statistics, repo_id: str, license: str) -> dict[str, Any]:
    from curricula.difficulty.estimate import describe

    manifest = read_manifest(place)
    report = read_report(place)
    build = manifest["build"] or {}
    spec = build.get("spec") or {}
    example, steps = _example(place)
    names = {config.name for config in stats.configs}
    packages = build.get("packages", {})
    return {
        "answer_line": answer_line,
        "changes": manifest["changes"],
        "columns": COLUMNS,
        "benchmarks_sha256": spec.get("benchmarks_sha256", ""),
        "command": command_of(spec, sorted((report or {}).get("decontamination", ()))),
        "coverage": coverage_of(stats, (report or {}).get("catalogue", {})),
        "contamination": (report or {}).get("decontamination"),
        "default": DEFAULT,
        "estimate_quality": describe(),
        "example": example,
        "example_steps": steps,
        "files": manifest["files"],
        "generator": build.get("generator_version", ""),
        "has": names.__contains__,
        "is_estimated": all(rated.source == "estimate" for rated in stats.rated),
        "license": license,
        "marks": {"begin": BEGIN, "end": END, "made": MADE},
        "measure": {row.name: row for row in stats.measures}.__getitem__,
        "name": repo_id.rpartition("/")[2],
        "narration": manifest["narration"],
        "packages": ", ".join(f"{name} {value}" for name, value in sorted(packages.items())),
        "plots": _plots(stats),
        "pythons": ", ".join(name for name, _ in stats.counts["pythons"]),
        "repo_id": repo_id,
        "report": report,
        "rows": _rows,
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


def command_of(spec: Mapping[str, Any] | None, benchmarks: Sequence[str] = ()) -> str:
    """Write the command that made a build.

    Args:
        spec: What the build was asked for, or None where that is not known.
        benchmarks: Names of what it was decontaminated with: a build forgets where they were.

    Returns:
        The command, or an empty text.
    """
    if not spec:
        return ""
    words = ["synth", "build", "--tier", spec["tier"], "--size", str(spec["size"])]
    words += ["--seed", str(spec["seed"])]
    if spec.get("like"):
        words += ["--like", spec["like"]]
    if spec.get("kinds"):
        words += ["--kinds", ",".join(spec["kinds"])]
    if spec.get("questions", 10) != 10:
        words += ["--questions", str(spec["questions"])]
    if spec.get("stdlib"):
        words.append("--stdlib")
    if spec.get("source"):
        words += ["--source", spec["source"]]
    for place in spec.get("benchmarks") or benchmarks:
        words += ["--decontaminate", place]
    return shlex.join([*words, "--out", f"curriculum/{spec['tier']}-{spec['seed']}"])


def _example(place: Path) -> tuple[Problem, list[dict[str, Any]]]:
    """Choose a problem of the train split that shows well, with its run."""
    chosen: Problem | None = None
    for problem in _first_problems(place):
        chosen = chosen or problem
        if problem.structure.steps in _EXAMPLE_STEPS and len(problem.questions) >= 3:
            chosen = problem
            break
    if chosen is None:
        raise DatasetError("the dataset has no problem")
    return chosen, [
        {"line": step.line, "changed": _changed(step.changes, step.exception)}
        for step in _trace_of(place, chosen).steps
    ]


def _first_problems(place: Path) -> Iterator[Problem]:
    for split in SPLITS:
        yield from map(from_row, islice(rows_of(shards_of(place, DEFAULT, split)), GROUP_ROWS))


def _trace_of(place: Path, problem: Problem) -> Trace:
    for split in SPLITS:
        for row in rows_of(shards_of(place, "trace", split)):
            if row["id"] == problem.id:
                return traces.from_row(row, problem.source, problem.call)
    return run(problem.source, problem.call)


def _changed(changes: Sequence[tuple[str, Value | str]], raised: str | None) -> str:
    said = [
        f"{name} = {value.literal}" if isinstance(value, Value) else f"{name} ({value})"
        for name, value in changes
    ]
    return ", ".join(said + ([f"raises {raised}"] if raised else []))
