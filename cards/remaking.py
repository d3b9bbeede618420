"""Writes the commands that make a dataset again, and what they cannot promise.

They follow from the build that the manifest records and from what the rows say of the models
that were asked. What is recorded nowhere stands as a word in capitals that a note explains.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cards.layout import DEFAULT
from cards.rates import Rated
from cards.statistics import Statistics
from curricula.difficulty.engines import ENGINES, without_address
from curricula.difficulty.plan import shots_in
from curricula.difficulty.thresholds import thresholds_of

__all__ = ["Again", "again", "build_command", "grade_commands", "publish_command"]


@dataclass(frozen=True, slots=True)
class Again:
    """How a dataset is made again.

    Attributes:
        commands: The commands, in order.
        by_models: What models replied, and would reply otherwise: parts of the dataset.
        is_new: Whether all of it follows from what a model replied.
        notes: Sentences on what the commands leave open.
    """

    commands: tuple[str, ...]
    by_models: tuple[str, ...]
    is_new: bool
    notes: tuple[str, ...]


def again(
    stats: Statistics,
    manifest: Mapping[str, Any],
    benchmarks: Sequence[str],
    *,
    repo_id: str,
    license: str,
) -> Again | None:
    """Tell how a dataset is made again.

    Args:
        stats: Its numbers.
        manifest: Its manifest, complete.
        benchmarks: Names of what it was decontaminated with: a build forgets where they were.
        repo_id: The repository.
        license: The licence.

    Returns:
        The commands, with what they cannot promise; None where no build is recorded.
    """
    spec = (manifest["build"] or {}).get("spec")
    if not spec:
        return None
    names = [config.name for config in stats.configs]
    narration = manifest["narration"] if "sft" in names else None
    measured = [rated for rated in stats.rated if rated.source == "passrate"]
    commands = (
        build_command(spec, benchmarks),
        *grade_commands(measured, _folder(spec), keep_replies="replies" in names),
        publish_command(
            _folder(spec),
            repo_id=repo_id,
            version=manifest["version"],
            license=license,
            configs=[name for name in names if name != DEFAULT],
            narrator=narration and narration["narrator"],
        ),
    )
    by_models = [
        (bool(spec.get("source")), "programs, and all that follows from them,"),
        (bool(measured), "rates and tiers"),
        (narration is not None, "the reasoning of `sft`"),
    ]
    return Again(
        commands,
        tuple(what for is_so, what in by_models if is_so),
        bool(spec.get("source")),
        tuple(_notes(stats, measured, " ".join(commands))),
    )


def build_command(spec: Mapping[str, Any], benchmarks: Sequence[str] = ()) -> str:
    """Write the command that made a build.

    Args:
        spec: What the build was asked for.
        benchmarks: Names of what it was decontaminated with, where the spec does not say.

    Returns:
        The command.
    """
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
        words += ["--source", _engine(spec["source"])]
    for place in spec.get("benchmarks") or benchmarks:
        words += ["--decontaminate", place]
    return shlex.join([*words, "--out", _folder(spec)])


def grade_commands(measured: Sequence[Rated], folder: str, *, keep_replies: bool) -> list[str]:
    """Write the commands that asked models how hard the problems are, the first one first.

    Args:
        measured: The rates of each.
        folder: The folder of the build.
        keep_replies: Whether the replies of the last one are kept.

    Returns:
        A command for each.
    """
    made = []
    for rated in sorted(measured, key=lambda rated: -rated.later):
        settings = dict(rated.settings)
        words = ["synth", "grade", folder, "--engine", f"ENGINE:{rated.model}"]
        words += ["--samples", str(rated.most)]
        for name in ("temperature", "top_p", "max_tokens"):
            if name in settings:
                words += [f"--{name.replace('_', '-')}", settings[name]]
        if settings.get("kinds"):
            words += ["--kinds", settings["kinds"].replace(", ", ",")]
        if shots_in(settings.get("prompt", "")):
            words += ["--shots", str(shots_in(settings["prompt"]))]
        made.append(words)
    if made and keep_replies:
        made[-1].append("--keep-replies")
    return [shlex.join(words) for words in made]


def publish_command(
    folder: str,
    *,
    repo_id: str,
    version: str,
    license: str,
    configs: Sequence[str],
    narrator: str | None,
) -> str:
    """Write the command that publishes a folder.

    Args:
        folder: The folder of the build.
        repo_id: The repository.
        version: The version.
        license: The licence.
        configs: The configs beside the default one.
        narrator: The model that writes the reasoning of ``sft``, or None.

    Returns:
        The command.
    """
    words = ["synth", "publish", folder, repo_id, "--version", version, "--license", license]
    words += ["--configs", ",".join(configs)]
    if narrator:
        words += ["--narrator", _engine(narrator)]
    return shlex.join(words)


def _folder(spec: Mapping[str, Any]) -> str:
    return f"curriculum/{spec['tier']}-{spec['seed']}"


def _engine(name: str) -> str:
    kind, plain = name.partition(":")[0], without_address(name)
    if kind not in ENGINES:
        return f"ENGINE:{plain}"
    # An address is not published, and is needed to ask again.
    return f"{plain}@URL" if kind == "openai" else plain


def _notes(stats: Statistics, measured: Sequence[Rated], commands: str) -> Iterator[str]:
    if "ENGINE:" in commands:
        yield (
            "`ENGINE` stands for what asked the model, which is not recorded: `vllm`, "
            "`transformers`, or `openai` with `@` and an address after the model."
        )
    if "@URL" in commands:
        yield "`URL` stands for the address of the server that was asked."
    if any(rated.fewest < rated.most for rated in measured):
        yield (
            "Some problems were asked less often: `--tolerance`, or replies that did not come, "
            "which the rows do not tell apart."
        )
    if any(rated.thresholds != thresholds_of(rated.source) for rated in stats.rated):
        yield (
            "Tiers were drawn by lines of one's own, which `synth grade` has no option for: "
            "`curricula.grade` takes them as `thresholds`."
        )
    if stats.makers.own:
        yield "The programs that somebody gave are not made by these commands."
