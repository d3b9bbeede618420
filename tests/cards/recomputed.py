"""Computes again what a card says, from the published files, by nothing of ``cards``.

What no rule here accounts for is given back too, so that no number can stay unchecked.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml
from published import SPLITS, Published, body_of, read_published, tables

from curricula.difficulty.estimate import describe
from synth.catalogue import CATALOGUE, STDLIB

__all__ = ["disagreements"]

TIERS = ("easy", "medium", "hard", "trivial", "unsolved")
TEMPLATE = Path(__file__).parents[2] / "cards" / "template"


def disagreements(place: Path) -> set[str]:
    """Name what a folder's card says otherwise than its files do.

    Args:
        place: A folder with README.md and the files that it describes.

    Returns:
        Titles of tables and names of sentences, and numbers that nothing accounts for.
    """
    data = read_published(place)
    text = (place / "README.md").read_text(encoding="utf-8")
    body = body_of(text)
    listed = re.search(r"^## Columns$.*?(?=^## )", body, re.M | re.S)
    columns = listed[0] if listed else ""
    body = body.replace(columns, "")
    expected = _tables(data)
    said = tables(body)
    wrong = {
        title for title in expected.keys() | said.keys() if expected.get(title) != said.get(title)
    }
    flowing = " ".join(
        line for line in re.sub(r"^\|.*$", "", body, flags=re.M).splitlines() if line
    )
    for name, sentence in _sentences(data, body).items():
        if sentence not in flowing:
            wrong.add(name)
        flowing = flowing.replace(sentence, " ")
    if re.findall(r"^- `(\w+)`: .* `(.*?)`$", columns, re.M) != list(_columns(data)):
        wrong.add("columns")
    wrong |= _wrong_metadata(data, yaml.safe_load(text.split("---\n")[1]))
    return wrong | _unaccounted(flowing)


def _unaccounted(flowing: str) -> set[str]:
    """Words with digits that are neither checked nor the template's own."""
    parts = (path.read_text(encoding="utf-8") for path in sorted(TEMPLATE.glob("*.jinja")))
    own = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", " ", "\n".join(parts), flags=re.S)
    known = set(own.split())
    names = re.compile(r"\W*stage[12]\W*|<details><summary><code>stage[12]<.*|apache-2\.0\.?")
    return {
        word
        for word in flowing.split()
        if re.search(r"\d", word) and word not in known and not names.fullmatch(word)
    }


def _ordered(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%"


_COUNTED: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "outcome": lambda r: [r["outcome"]],
    "exception that leaves the call": lambda r: [r["exception"]] if r["exception"] else [],
    "type of the output": lambda r: [r["output"]["type"]] if r["output"] else [],
    "question kind": lambda r: [q["kind"] for q in r["questions"]],
    "type of the answer": lambda r: [q["answers"][0]["type"] for q in r["questions"]],
    "control structures, from the outside in": lambda r: [" > ".join(r["shape"]["control"])],
    "further features (share of problems)": lambda r: r["shape"]["features"],
    "helper functions": lambda r: [str(r["shape"]["helpers"])],
    "depth of nested calls of the method": lambda r: [str(r["shape"]["nested_calls"])],
    "version of execverify": lambda r: [r["provenance"]["generator_version"]],
    "Python of the runs": lambda r: [r["provenance"]["python"]],
    "seed": lambda r: [str(r["provenance"]["seed"])],
}


def _tables(data: Published) -> dict[str, list[list[str]]]:
    rows = data.rows
    made = {"config": _configs(data), "tier": _tiers(rows), "per problem": _measures(rows)}
    for title, pick in _COUNTED.items():
        counts = Counter(value for row in rows for value in pick(row))
        whole = len(rows) if "share of problems" in title else sum(counts.values())
        if counts:
            made[title] = [
                [name or "(none)", f"{n:,}", _share(n, whole)] for name, n in _ordered(counts)
            ]
    tried = data.report["programs_tried"]
    refused = sorted(data.report["refused"].items(), key=lambda item: (-item[1], item[0]))
    made["reason"] = [[name, f"{n:,}", _share(n, tried)] for name, n in refused]
    checked = data.report.get("decontamination")
    if checked:
        made["benchmark"] = [
            [name, f"{facts['programs']:,}", f"{facts['refused']:,}"]
            for name, facts in sorted(checked.items())
        ]
    methods = {(r["shape"]["type"], r["shape"]["method"]) for r in rows}
    types = Counter(row["shape"]["type"] for row in rows)
    planned = _catalogue(data)
    without = sorted({kind for kind, _ in planned} - types.keys())
    made["type"] = [
        [
            name,
            *(str(sum(of == name for of, _ in cells)) for cells in (methods, planned)),
            f"{n:,}",
        ]
        for name, n in (*_ordered(types), *((kind, 0) for kind in without))
    ]
    example, trace = _example(data)
    made["step"] = _steps(trace)
    made["question, with its answer below"] = [
        [f"{_flat(q['text'], 500)}<br>{_answer(q)}"] for q in example["questions"][:3]
    ]
    return made


def _catalogue(data: Published) -> set[tuple[str, str]]:
    """The cells that programs can be about, by the generator's own tables."""
    entries = (*CATALOGUE, *STDLIB) if data.build["spec"]["stdlib"] else CATALOGUE
    return {(entry.type, entry.method) for entry in entries}


def _configs(data: Published) -> list[list[str]]:
    order = ("problems", "easy", "medium", "hard", "trace", "stage1", "sft", "stage2", "replies")
    return [
        [config, *(f"{n:,}" if (n := data.count(config, split)) else "—" for split in SPLITS)]
        for config in order
        if config in data.files
    ]


def _columns(data: Published) -> Iterator[tuple[str, str]]:
    """Names and types of the columns, of each config that is no tier."""
    for config in ("problems", "trace", "stage1", "sft", "stage2", "replies"):
        for paths in list(data.files.get(config, {}).values())[:1]:
            for field in pq.read_schema(paths[0]):
                yield field.name, str(field.type).replace("element: ", "")


def _tiers(rows: list[dict[str, Any]]) -> list[list[str]]:
    counts = Counter(row["tier"] for row in rows)
    return [
        [tier, f"{counts[tier]:,}", _share(counts[tier], len(rows))]
        for tier in (*TIERS, *sorted(set(counts) - set(TIERS)))
        if counts[tier]
    ]


def _measures(rows: list[dict[str, Any]]) -> list[list[str]]:
    names = (
        "lines statements depth branches calls steps frames changes "
        "input_size output_size largest_value"
    )
    columns = {name: sorted(row["structure"][name] for row in rows) for name in names.split()}
    columns["questions"] = sorted(len(row["questions"]) for row in rows)
    last = len(rows) - 1
    return [
        [
            name.replace("_", " "),
            f"{round(sum(values) / len(values), 4):,.2f}",
            *(f"{values[int(share * last)]:,}" for share in (0, 0.5, 0.95, 1)),
        ]
        for name, values in columns.items()
    ]


def _example(data: Published) -> tuple[dict[str, Any], dict[str, Any]]:
    text = (data.place / "README.md").read_text(encoding="utf-8")
    named = re.search(r"Problem `([0-9a-f]+)` of", text)
    wanted = named[1] if named else ""
    traces = (
        row for path in data.files["trace"]["train"] for row in pq.read_table(path).to_pylist()
    )
    return (
        next((row for row in data.rows if row["id"] == wanted), data.rows[0]),
        next((row for row in traces if row["id"] == wanted), {"lines": []}),
    )


def _outcome(row: dict[str, Any]) -> str:
    return (
        f"returns `{row['output']['literal']}`" if row["output"] else f"raises `{row['exception']}`"
    )


def _steps(trace: dict[str, Any]) -> list[list[str]]:
    said: dict[int, list[str]] = {}
    changes = zip(
        *(trace.get(f"change_{what}", []) for what in ("steps", "names", "values")), strict=True
    )
    for step, name, value in changes:
        literal = trace["literals"][value]
        said.setdefault(step, []).append(f"{trace['names'][name]} = {literal}")
    return [
        [str(number + 1), str(line), _flat(", ".join(said.get(number, [])))]
        for number, line in enumerate(trace["lines"])
    ]


def _answer(question: dict[str, Any]) -> str:
    kind, answer = question["kind"], question["answers"][0]
    literal: str = answer["literal"]
    if kind in ("state", "iteration"):
        literal = f"{literal}; {answer['type']}"
    elif kind == "executed":
        literal = "yes" if literal == "True" else "no"
    elif kind == "path":
        literal = literal.strip("[]")
    return _flat(literal)


def _flat(text: str, most: int = 200) -> str:
    """Plain text of a cell: as the parser gives code spans, on one line, cut where it is long."""
    flat = " ".join(text.split())
    return (flat if len(flat) <= most else flat[: most - 1] + "…").replace("`", "")


def _sentences(data: Published, body: str) -> dict[str, str]:
    """What stands between the tables, word for word as it must."""
    rows, report = data.rows, data.report
    version = re.search(r"^### (\d+\.\d+\.\d+)$", body, re.M)
    tag = version[1] if version else "?"
    programs = len({row["source"] for row in rows})
    lines = [row["structure"]["lines"] for row in rows]
    example, trace = _example(data)
    kept, tried = report["programs_kept"], report["programs_tried"]
    refused = report["refused"]
    asked = len(example["questions"])
    spec = data.build["spec"]
    named = "".join(f" --decontaminate {name}" for name in sorted(report["decontamination"]))
    by_split = Counter(split for split, _ in data.problems)
    split_of = next((split for split, row in data.problems if row is example), "?")
    made = {
        "problems": f"{len(rows):,} small Python programs with one call each",
        "version": f"Version **{tag}**",
        "lines": f"Programs are of {min(lines)} to {max(lines)} lines",
        "steps": f"at most {max(row['structure']['steps'] for row in rows):,} steps",
        "programs": f"{programs:,} different programs in {len({r['family'] for r in rows}):,} "
        f"families gave the {len(rows):,} problems",
        "example": f"Problem `{example['id']}` of the {split_of} split ({example['tier']})",
        "example's source": " ".join(line for line in example["source"].splitlines() if line),
        "example's call": f"`{example['call']}` {_outcome(example)}",
        "example's steps": f"Its run in {len(trace['lines'])} steps",
        "example's questions": f"{asked} questions are asked about it",
        "funnel": f"{tried:,} programs were generated and {kept:,} kept ({_share(kept, tried)}). "
        f"Of these {programs:,} are here",
        "methods": f"{len({(r['shape']['type'], r['shape']['method']) for r in rows}):,} different "
        f"methods, operators and functions of {len({r['shape']['type'] for r in rows})} types",
        "every method": _methods(rows),
        **_coverage(data),
        "duplicates": f"were dropped: {refused.get('too alike', 0):,} while they were made and "
        f"{report['duplicates']:,} when",
        "generator": f"pip install execverify=={rows[0]['provenance']['generator_version']}",
        "command": f"synth build --tier {spec['tier']} --size {spec['size']} --seed "
        f"{rows[0]['provenance']['seed']}{named} --out curriculum/{spec['tier']}-{spec['seed']}",
        "packages": ", ".join(f"{n} {v}" for n, v in sorted(data.build["packages"].items())),
        "python": f"CPython {rows[0]['provenance']['python']} is covered",
        "datasheet": f"A program with one call, {len(rows):,} of them",
        "changelog": f"### {tag} - First version: {len(rows):,} problems ("
        + ", ".join(f"{split} {by_split[split]:,}" for split in SPLITS)
        + ").",
        "pinned": f'revision="v{tag}"',
        "verify": f"--revision v{tag} --rows",
        **_files(data),
    }
    if report["decontamination"]:
        made["benchmarks"] = f"have the SHA-256 `{spec['benchmarks_sha256']}` (`benchmarks_sha256`"
    made |= {f"rates {place}": text for place, text in enumerate(_rates(rows))}
    return made


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
        "files": f"SHA-256 of the {len(paths)} data files ({shown})",
        "hashes": " ".join(hashes),
    }


def _methods(rows: list[dict[str, Any]]) -> str:
    counts = Counter(f"{row['shape']['type']}.{row['shape']['method']}" for row in rows)
    return ", ".join(f"{_escaped(name)}&nbsp;{n:,}" for name, n in _ordered(counts))


def _escaped(name: str) -> str:
    marks = {c: f"\\{c}" for c in "\\*_[]|~$"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
    return name.translate(str.maketrans(marks))


def _coverage(data: Published) -> dict[str, str]:
    """What is said of the catalogue: how much of it is here, and what is not."""
    planned = _catalogue(data)
    here = {(row["shape"]["type"], row["shape"]["method"]) for row in data.rows}
    missing, covered = planned - here, planned & here
    types = [name for name, _ in _ordered(Counter(row["shape"]["type"] for row in data.rows))]
    listed = [
        f"- {kind} ({len(methods)}): {', '.join(map(_escaped, methods))}"
        for kind in (*types, *sorted({kind for kind, _ in planned} - set(types)))
        if (methods := sorted(method for of, method in missing if of == kind))
    ]
    return {
        "catalogue": f"The catalogue that programs were planned from has {len(planned)} cells: "
        "a type with one of its methods, operators or functions. "
        f"{len(covered)} of them ({_share(len(covered), len(planned))}) are under test here",
        "missing cells": f"The {len(missing)} cells of the catalogue without a problem</summary> "
        + " ".join(listed),
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
            yield (
                f"**Estimated** by `{model}` for {len(rates):,} problems, mean {mean}; "
                f"no model was asked. It is {describe()}."
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
        f"**Measured** with {named}: {sum(r['samples'] for r in rates):,} replies to "
        f"{len(rates):,} problems{drawn}, prompt {rates[0]['prompt']}; "
    )
    yield (
        f"{sum(r['passes'] for r in rates):,} were right. Mean pass rate {mean}; the 95% "
        f"intervals (Wilson) are {width:.2f} wide on average."
    )


def _rule(source: str, own: list[float], drawn: list[tuple[dict[str, Any], dict[str, Any]]]) -> str:
    """The rule that sorts rates into tiers, where every row follows it."""
    if not drawn:
        return "No tier follows from it: another rate was entered later."
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
        f"The tier of {len(drawn):,} problems follows from it. Hard: up to {hard}; medium: up to "
        f"{medium}; easy{above}{never if source == 'passrate' else ''}."
    )


def _wrong_metadata(data: Published, said: dict[str, Any]) -> set[str]:
    wrong = set()
    if {c["config_name"] for c in said["configs"]} != data.files.keys():
        wrong.add("configs")
    for config in said["configs"]:
        for of in config["data_files"]:
            found = sorted(data.place.glob(of["path"]))
            if found != data.files.get(config["config_name"], {}).get(of["split"]):
                wrong.add("data_files")
    for info in said["dataset_info"]:
        files = data.files.get(info["config_name"], {})
        paths = [path for of in files.values() for path in of]
        memory = {split: sum(pq.read_table(p).nbytes for p in of) for split, of in files.items()}
        splits = {s["name"]: (s["num_examples"], s["num_bytes"]) for s in info["splits"]}
        if splits != {s: (data.count(info["config_name"], s), memory[s]) for s in files}:
            wrong.add("splits")
        if info["dataset_size"] != sum(memory.values()):
            wrong.add("dataset_size")
        if info["download_size"] != sum(path.stat().st_size for path in paths):
            wrong.add("download_size")
    size = len(data.rows)
    names = ((1e3, "n<1K"), (1e4, "1K<n<10K"), (1e5, "10K<n<100K"), (1e6, "100K<n<1M"))
    if said["size_categories"] != [next(name for limit, name in names if size < limit)]:
        wrong.add("size_categories")
    return wrong
