"""Says again how a card says that a dataset was made, and how it is made again."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from typing import Any

from published import Published
from recounted import share, some

from synth.dedup import SHINGLE, THRESHOLD
from synth.merge import BANDS, ROWS
from synth.select import BRANCHES, BUDGETS, IDLE_CONSTANTS
from synth.shards import PROGRAM_ROWS

__all__ = ["making_of"]


def making_of(data: Published) -> dict[str, str]:
    """Say who wrote the programs, how inputs were chosen, what was compared, what to run again."""
    by: dict[str, list[dict[str, Any]]] = {}
    for row in data.rows:
        by.setdefault(_maker(row), []).append(row)
    told = {_HEADS[maker.partition(" ")[0]]: _by(maker, rows) for maker, rows in by.items()}
    built = [row for maker, rows in by.items() if maker != "own" for row in rows]
    made = {f"{head} {place}": text for place, (head, text) in enumerate(told.items())}
    if built:
        made |= {**_SELECTION, **_parts(built, data.report)}
    if data.report is not None:
        made["funnel"] = _funnel(data.report, len({row["source"] for row in built}))
    if data.build is not None:
        made |= _again(data, "own" in by)
    if data.narration is not None and "sft" in data.files:
        made["narration"] = _narration(data.narration)
    return made


_HEADS = {"generator": "generator", "own": "own programs", "model": "model"}
_SELECTION = {
    "inputs": f"at most {BUDGETS['all'].calls + 1} of them reach every line, take "
    f"{BRANCHES:.0%} of the branches or more both ways",
    "idle": f"At most {IDLE_CONSTANTS} constant may make none",
    "calls": f"At most {PROGRAM_ROWS} of a program's calls are published",
}


def _maker(row: dict[str, Any]) -> str:
    if row["provenance"]["shard"] < 0:
        return "own"
    named = (re.fullmatch("proposed by (.*)", idiom) for idiom in row["provenance"]["idioms"])
    return next((f"model {found[1]}" for found in named if found), "generator")


def _by(maker: str, rows: list[dict[str, Any]]) -> str:
    counted = f"{some(len({row['source'] for row in rows}), 'program')}"
    problems = f"({some(len(rows), 'problem')})"
    if maker == "generator":
        return f"A generator wrote {counted} {problems}; they come from no model"
    if maker == "own":
        return f"Somebody gave {counted} {problems} with their calls"
    return f"The model `{_plain(maker.partition(' ')[2])}` proposed {counted} {problems}."


def _plain(engine: str) -> str:
    return re.sub("@http.*", "", engine)


def _asked(engine: str) -> str:
    """The engine as a command names it."""
    plain = _plain(engine)
    if ":" not in plain:
        return f"ENGINE:{plain}"
    return f"{plain}@URL" if plain.startswith("openai:") else plain


def _parts(rows: list[dict[str, Any]], report: dict[str, Any] | None) -> dict[str, str]:
    origin = [row["provenance"] for row in rows]
    builds = {(it["seed"], it["generator_version"]) for it in origin}
    parts = Counter((it["seed"], it["generator_version"], it["shard"]) for it in origin)
    several = f" of {len(builds)} builds" if len(builds) > 1 else ""
    found = [f"{1 - (1 - index**ROWS) ** BANDS:.0%}" for index in (THRESHOLD, 0.85, 0.9)]
    made = {
        "parts": f"the problems here are of {some(len(parts), 'part')}{several}, with up to "
        f"{some(max(parts.values()), 'problem')} each.",
        "exact": f"a Jaccard index of {THRESHOLD} or more of its runs of {SHINGLE} tokens",
        "sketches": f"one of its {BANDS} sketches of these runs",
        "found": f"Sketches find about {found[0]} of the pairs with an index of {THRESHOLD}, "
        f"{found[1]} at 0.85 and {found[2]} at 0.9",
    }
    if report is not None:
        alike = report["refused"].get("too alike", 0)
        said = some(alike, "program was", "programs were")
        made["duplicates"] = f"{said} dropped within parts, {report['duplicates']:,} between them."
    return made


def _funnel(report: dict[str, Any], programs: int) -> str:
    kept, tried = report["programs_kept"], report["programs_tried"]
    return (
        f"{tried:,} programs were tried and {kept:,} kept ({share(kept, tried)}). Of these "
        f"{programs:,} are here"
    )


def _narration(told: dict[str, Any]) -> str:
    refused = sum(told["refused"].values())
    reasons = ", ".join(f"{reason} {n:,}" for reason, n in sorted(told["refused"].items()))
    return (
        f"was written by `{_plain(told['narrator'])}`. Of {some(told['asked'], 'conversation')} "
        f"that it was asked for, {refused:,} ({share(refused, told['asked'])}) were not kept"
        f"{': ' if refused else ''}{reasons}."
    )


def _again(data: Published, has_own: bool) -> dict[str, str]:
    rows, build, report = data.rows, data.build or {}, data.report or {}
    spec, origin = build["spec"], data.rows[0]["provenance"]
    folder = f"curriculum/{spec['tier']}-{spec['seed']}"
    named = "".join(f" --decontaminate {name}" for name in sorted(report["decontamination"]))
    source = f" --source {_asked(spec['source'])}" if spec["source"] else ""
    graded = _graded(rows, folder)
    if graded and "replies" in data.files:
        graded[-1] += " --keep-replies"
    text = (data.place / "README.md").read_text()
    license = re.search("^license: (.*)$", text, re.M)
    repo = re.search(r'load_dataset\("(.*?)"', text)
    version = re.search(r"^### (\d+\.\d+\.\d+)$", text, re.M)
    order = ("easy", "medium", "hard", "trace", "stage1", "sft", "stage2", "replies")
    configs = shlex.quote(",".join(name for name in order if name in data.files))
    narrator = data.narration if "sft" in data.files else None
    by_model = f" --narrator {_asked(narrator['narrator'])}" if narrator else ""
    unsure = [
        *(["programs, and all that follows from them,"] if source else []),
        *(["rates and tiers"] if graded else []),
        *(["the reasoning of `sft`"] if by_model else []),
    ]
    made = {
        "generator": f"pip install execverify=={origin['generator_version']}",
        "command": f"synth build --tier {spec['tier']} --size {spec['size']} --seed "
        f"{origin['seed']}{source}{named} --out {folder}",
        **{f"grading {place}": command for place, command in enumerate(graded)},
        "publishing": f"synth publish {folder} {repo and repo[1]} --version "
        f"{version and version[1]} --license {license and license[1]} --configs {configs}{by_model}",
        "packages": ", ".join(f"{n} {v}" for n, v in sorted(build["packages"].items())),
        "repeatable": f"What a model replied is not repeatable: {' and '.join(unsure)} may come out"
        if unsure
        else "The same version, seed and Python give the same bytes in the data files",
    }
    if report["decontamination"]:
        made["benchmarks"] = f"have the SHA-256 `{spec['benchmarks_sha256']}` (`benchmarks_sha256`"
    if graded:
        made["engine"] = "`ENGINE` stands for what asked the model, which is not recorded"
    if has_own:
        made["own, again"] = "The programs that somebody gave are not made by these commands."
    return made


def _graded(rows: list[dict[str, Any]], folder: str) -> list[str]:
    """The commands that measured rates, the earliest first."""
    asked: dict[tuple[Any, ...], list[tuple[int, int]]] = {}
    for row in rows:
        for later, rate in enumerate(reversed(row["difficulty"])):
            if rate["source"] == "passrate":
                names = ("model", "temperature", "top_p", "max_tokens", "prompt")
                key = (*(rate[name] for name in names), ",".join(rate["kinds"]))
                asked.setdefault(key, []).append((later, rate["samples"]))
    made = []
    for key, found in sorted(asked.items(), key=lambda item: -max(item[1])[0]):
        model, temperature, top_p, most, prompt, kinds = key
        shots = re.search(r", (\d) examples", prompt)
        made.append(
            f"synth grade {folder} --engine ENGINE:{model} --samples {max(n for _, n in found)} "
            f"--temperature {temperature:g} --top-p {top_p:g} --max-tokens {most}"
            + (f" --kinds {kinds}" if kinds else "")
            + (f" --shots {shots[1]}" if shots else "")
        )
    return made
