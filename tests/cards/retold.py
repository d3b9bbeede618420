"""Says again what a card says in sentences, from the published files, by nothing of ``cards``."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from published import SPLITS, Published
from recounted import catalogue_of, example_of, ordered, share, some
from retold_making import making_of

from curricula.difficulty.estimate import describe, shipped

__all__ = ["sentences_of"]


def sentences_of(data: Published, body: str) -> dict[str, str]:
    """Say again what stands between the tables, word for word as it must, by what it is about."""
    rows = data.rows
    shaped = [row for row in rows if row["shape"]["type"]]
    version = re.search(r"^### (\d+\.\d+\.\d+)$", body, re.M)
    tag = version[1] if version else "?"
    programs = len({row["source"] for row in rows})
    lines = [row["structure"]["lines"] for row in rows]
    example, trace = example_of(data)
    by_split = Counter(split for split, _ in data.problems)
    split_of = next((split for split, row in data.problems if row is example), "?")
    made = {
        "problems": f"{some(len(rows), 'problem')} over {some(programs, 'small Python program')}."
        " Each is one call of a program",
        "version": f"Version **{tag}**",
        "lines": f"Programs are of {min(lines)} to {some(max(lines), 'line')}",
        "steps": f"at most {some(max(row['structure']['steps'] for row in rows), 'step')}.",
        "programs": f"{some(programs, 'different program')} in "
        f"{some(len({r['family'] for r in rows}), 'family', 'families')} gave the "
        f"{some(len(rows), 'problem')}.",
        "example": f"Problem `{example['id']}` of the {split_of} split ({example['tier']})",
        "example's source": " ".join(line for line in example["source"].splitlines() if line),
        "example's call": f"`{example['call']}` {_outcome(example)}",
        "example's steps": f"Its run in {some(len(trace['lines']), 'step')}:",
        **_coverage(data, shaped),
        "python": f"CPython {rows[0]['provenance']['python']} is covered",
        "datasheet": f"A call of a program: {some(len(rows), 'problem')} over "
        f"{some(programs, 'program')}.",
        "splits": f"{', '.join(split for split in SPLITS if by_split[split])}, by family.",
        "changelog": f"### {tag} - First version: {some(len(rows), 'problem')} ("
        + ", ".join(f"{split} {by_split[split]:,}" for split in SPLITS)
        + ").",
        "pinned": f'revision="v{tag}"',
        "verify": f"--revision v{tag} --rows",
        **_files(data),
    }
    if example["questions"]:
        made["example's questions"] = _asked(len(example["questions"]))
    made |= making_of(data) | _drawn_by(rows)
    made |= {f"rates {place}": text for place, text in enumerate(_rates(rows))}
    return made


def _outcome(row: dict[str, Any]) -> str:
    return (
        f"returns `{row['output']['literal']}`" if row["output"] else f"raises `{row['exception']}`"
    )


def _asked(number: int) -> str:
    said = "One question is" if number == 1 else f"{number} questions are"
    return f"{said} asked about it{'; the first ones' if number > 3 else ''}:"


def _files(data: Published) -> dict[str, str]:
    paths = sorted(path for splits in data.files.values() for of in splits.values() for path in of)
    size = sum(path.stat().st_size for path in paths)
    thousands = (len(str(size)) - 1) // 3
    shown = f"{size / 1000**thousands:,.1f} {('bytes', 'kB', 'MB', 'GB')[thousands]}"
    hashes = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(data.place)}"
        for path in paths
    )
    return {
        "files": f"SHA-256 of the {some(len(paths), 'data file')} ({shown})",
        "hashes": " ".join(hashes),
    }


def _methods(rows: list[dict[str, Any]]) -> str:
    counts = Counter(f"{row['shape']['type']}.{row['shape']['method']}" for row in rows)
    return ", ".join(f"{_escaped(name)}&nbsp;{n:,}" for name, n in ordered(counts))


def _escaped(name: str) -> str:
    marks = {c: f"\\{c}" for c in "\\*_[]|~$"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
    return name.translate(str.maketrans(marks))


def _coverage(data: Published, rows: list[dict[str, Any]]) -> dict[str, str]:
    """What is said of the catalogue: how much of it is here, and what is not."""
    planned = catalogue_of(data)
    here = {(row["shape"]["type"], row["shape"]["method"]) for row in rows}
    own = len(data.rows) - len(rows)
    claims = "claims" if own == 1 else "claim"
    made = {}
    if own:
        made["own"] = f"{some(own, 'problem')} of somebody's own programs {claims} none."
    if rows:
        several = "different methods, operators and functions"
        made["methods"] = (
            f"Under test are {some(len(here), 'different method, operator or function', several)} "
            f"of {some(len({kind for kind, _ in here}), 'type')}."
        )
        made["every method"] = _methods(rows)
    missing, covered = planned - here, planned & here
    types = [name for name, _ in ordered(Counter(row["shape"]["type"] for row in rows))]
    listed = [
        f"- {kind} ({len(methods)}): {', '.join(map(_escaped, methods))}"
        for kind in (*types, *sorted({kind for kind, _ in planned} - set(types)))
        if (methods := sorted(method for of, method in missing if of == kind))
    ]
    if not planned:
        return made
    return made | {
        "catalogue": f"The catalogue that programs were planned from has {len(planned)} cells: "
        "a type with one of its methods, operators or functions. "
        f"{len(covered)} of them ({share(len(covered), len(planned))}) {'is' if len(covered) == 1 else 'are'} under test here",
        "missing cells": f"The {len(missing)} cells of the catalogue without a problem</summary> "
        + " ".join(listed),
    }


def _drawn_by(rows: list[dict[str, Any]]) -> dict[str, str]:
    """What tiers follow from: the rate that stands last in a row."""
    last = [row["difficulty"][-1] if row["difficulty"] else None for row in rows]
    models = {rate["model"] for rate in last if rate and rate["source"] == "passrate"}
    asked = "models that were" if len(models) > 1 else "model that was"
    by = Counter(rate["source"] if rate else "" for rate in last)
    said = {
        "passrate": ("The tiers of {}", "Tiers", f"are of the {asked} asked, with the sampling"),
        "estimate": ("The tiers of {}", "Tiers", "are an estimate, of the structure of program"),
        "": ("What the tiers of {}", "What tiers", "follow from is not recorded: no rate stands"),
    }
    return {
        f"tiers by {source}": f"- {(whole if n == len(rows) else part).format(some(n, 'problem'))} "
        f"{rest}"
        for source, n in by.items()
        for part, whole, rest in [said[source]]
    }


def _rates(rows: list[dict[str, Any]]) -> Iterator[str]:
    """What is said of each model's rates, and of the rule by which tiers follow from them."""
    rated: dict[tuple[Any, ...], list[tuple[dict[str, Any], dict[str, Any] | None]]] = {}
    for row in rows:
        for rate in row["difficulty"]:
            key = (rate["source"], rate["model"], *rate["thresholds"])
            last = rate is row["difficulty"][-1]
            rated.setdefault(key, []).append((rate, row if last else None))
    for (source, model, *own), found in rated.items():
        rates = [rate for rate, _ in found]
        mean = f"{round(sum(r['rate'] for r in rates) / len(rates), 4):.2f}"
        if source == "estimate":
            good = (
                f"It is {describe()}."
                if model == shipped().name
                else "How good it is is not recorded."
            )
            yield (
                f"**Estimated** by `{model}` for {some(len(rates), 'problem')}, mean {mean}; "
                f"no model was asked. {good}"
            )
        else:
            yield from _measured(rates, model, mean)
        yield _rule(source, own, [(r, row) for r, row in found if row])


def _measured(rates: list[dict[str, Any]], model: str, mean: str) -> Iterator[str]:
    width = round(sum(r["high"] - r["low"] for r in rates) / len(rates), 4)
    named = f"`{model}`" + (f" (revision {rates[0]['revision']})" if rates[0]["revision"] else "")
    drawn = "".join(
        f", {name} {rates[0][name]:g}" for name in ("temperature", "top_p", "max_tokens")
    )
    yield (
        f"**Measured** with {named}: {some(sum(r['samples'] for r in rates), 'reply', 'replies')} "
        f"to {some(len(rates), 'problem')}{drawn}, prompt {rates[0]['prompt']}; "
    )
    yield (
        f"{sum(r['passes'] for r in rates):,} were right. Mean pass rate {mean}; the 95% "
        f"intervals (Wilson) are {width:.2f} wide on average."
    )


def _rule(source: str, own: list[float], drawn: list[tuple[dict[str, Any], dict[str, Any]]]) -> str:
    """The rule that sorts rates into tiers, where every row follows it."""
    if not drawn:
        return "No tier follows from it: other rates count."
    usual = [0.3, 0.7, 0.95, 0.3] if source == "passrate" else [0.25, 0.45, 1.0, 0.0]
    hard, medium, easy, unsolved = own or usual
    for rate, row in drawn:
        value = rate["rate"]
        tier = "hard" if value <= hard else "medium" if value <= medium else "easy"
        if value > easy:
            tier = "trivial"
        if source == "passrate" and rate["passes"] == 0 and rate["high"] <= unsolved:
            tier = "unsolved"
        if row["tier"] != tier:
            return f"(problem {row['id']} does not follow the rule)"
    above = f": up to {easy}; trivial above" if easy < 1 else " above"
    never = f"; unsolved: never right, and the interval ends at {unsolved} or below"
    return (
        f"The tier of {some(len(drawn), 'problem')} follows from it. Hard: up to {hard}; medium: up to "
        f"{medium}; easy{above}{never if source == 'passrate' else ''}."
    )
