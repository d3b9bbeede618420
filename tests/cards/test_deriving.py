"""Deriving again: a changed row of any config is found and named, whatever column it is in."""

import copy as copies
import shutil
from itertools import count

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cards.files import describe, read_json, write_json
from cards.manifest import read_manifest
from cards.publishing import prepare
from cards.schemas import SCHEMAS
from cards.staging import stage
from cards.sums import write_sums
from cards.verifying import verify
from cards.versions import read_version
from curricula.narrator import narrate
from curricula.narrator.by_model import prompt_of
from curricula.problem import from_row
from curricula.views.stage1 import TASKS
from synth import Spec, build_folder
from synth import folder as folders
from synth.regrade import grade_folder
from tests.curricula.difficulty.scripted import ScriptedServer
from tracing import run

CONFIGS = ("problems", "hard", "trace", "stage1", "sft", "stage2")


def other(value, kind):
    """Another value of a column's type."""
    if pa.types.is_list(kind):
        return [*(value or []), other(None, kind.value_type)]
    if pa.types.is_struct(kind):
        known = value or {field.name: other(None, field.type) for field in kind}
        first = kind.field(0)
        return {**known, first.name: other(known[first.name], first.type)}
    if pa.types.is_boolean(kind):
        return not value
    if pa.types.is_string(kind):
        return f"{value or ''}x"
    return (value or 0) + 1


def changes(rows, schema):
    """Yield rows with each column changed somewhere, no problem twice, and the ids to be named."""
    left = list(schema)
    while left:
        made = copies.deepcopy(rows)
        once = {row["id"]: row for row in made}
        named = {}
        for field, row in zip(left, once.values(), strict=False):
            before = row["id"]
            row[field.name] = other(row[field.name], field.type)
            named[field.name] = {before, row["id"]}
        left = left[len(named) :]
        yield made, named


def make_consistent(place):
    """Let manifest, report and hashes say what the files are, as a forger would."""
    manifest = read_json(place / "manifest.json")
    write_json(place / "manifest.json", {**manifest, "files": describe(place)})
    report = read_json(place / "report.json")
    size = sum(facts["bytes"] for facts in describe(place).values())
    write_json(place / "report.json", {**report, "bytes": size})
    write_sums(place)


def named(place):
    return {finding.place for finding in verify(place, rows=1000).findings}


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS)
def test_a_change_in_any_column_of_any_config_is_found_and_the_row_named(config, copy):
    path = next(copy.glob(f"data/{config}/train-*"))
    rows, schema = pq.read_table(path).to_pylist(), SCHEMAS[config]
    for made, ids in changes(rows, schema):
        pq.write_table(pa.Table.from_pylist(made, schema=schema), path)
        make_consistent(copy)
        found = named(copy)
        assert [column for column in ids if not ids[column] & found] == []


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS)
def test_a_row_that_is_moved_to_another_split_is_found(config, copy):
    path = next(copy.glob(f"data/{config}/train-*"))
    to = next(
        copy.glob(f"data/{config}/test-*"), path.with_name(path.name.replace("train", "test"))
    )
    rows = pq.read_table(path).to_pylist()
    there = pq.read_table(to).to_pylist() if to.is_file() else []
    pq.write_table(pa.Table.from_pylist(rows[1:], schema=SCHEMAS[config]), path)
    pq.write_table(pa.Table.from_pylist([*there, rows[0]], schema=SCHEMAS[config]), to)
    make_consistent(copy)
    assert rows[0]["id"] in named(copy)


def test_a_family_in_two_splits_is_found(copy):
    train, test = (next(copy.glob(f"data/problems/{split}-*")) for split in ("train", "test"))
    rows = pq.read_table(test).to_pylist()
    rows[0]["family"] = pq.read_table(train)["family"][0].as_py()
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMAS["problems"]), test)
    said = [f.what for f in verify(copy, rows=0).findings if f.place == "data/problems"]
    assert len(said) == 1
    assert "relatives must not cross splits" in said[0]


REPORTED = {
    "problems": "problems is 61, counted again 60",
    "cells": "cells is",
    "files": "files is",
    "bytes": "bytes is",
    "programs_tried": "programs_tried is not programs_kept and what was refused",
    "programs_kept": "programs_tried is not programs_kept and what was refused",
}


@pytest.mark.parametrize("name", REPORTED)
def test_a_number_of_the_report_that_is_not_so_is_found(name, copy):
    report = read_json(copy / "report.json")
    write_json(copy / "report.json", {**report, name: report[name] + 1})
    write_sums(copy)
    said = [f.what for f in verify(copy, rows=0).findings if f.place == "report.json"]
    assert any(text.startswith(REPORTED[name]) for text in said), said


def test_further_numbers_of_the_report_that_are_not_so_are_found(copy):
    report = read_json(copy / "report.json")
    report["tiers"]["hard"] += 1
    report["refused"]["too alike"] = report["refused"].get("too alike", 0) + 1
    report["duplicates"] = report["programs_kept"]
    report["quarantined"].append("def f(): ...")
    report["decontamination"]["b"] = {"programs": 1, "refused": 10**6}
    write_json(copy / "report.json", report)
    said = " ".join(f.what for f in verify(copy, rows=0).findings if f.place == "report.json")
    for what in ("tiers is", "programs_tried", "no duplicates", "quarantined does", "benchmarks"):
        assert what in said


def test_rows_columns_and_descriptions_that_are_not_so_are_found(copy):
    manifest = read_json(copy / "manifest.json")
    name = next(name for name in manifest["files"] if "/sft/" in name)
    manifest["files"][name]["rows"] += 1
    manifest["columns"]["sft"]["more"] = "string"
    write_json(copy / "manifest.json", manifest)
    (copy / "croissant.json").write_text("{}\n")
    write_sums(copy)
    said = {(f.place, f.what) for f in verify(copy, rows=0).findings}
    rows = manifest["files"][name]["rows"]
    assert (name, f"it has {rows - 1} rows, manifest.json says {rows}") in said
    assert ("manifest.json", "its columns are not those of the files") in said
    assert "croissant.json" in {place for place, _ in said}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    out = tmp_path_factory.mktemp("small") / "build"
    build_folder(Spec("all", 16, 7), out, workers=1)
    return out


def published(build, place, **options):
    stage(build, place, **options)
    prepare(place, "me/demo", read_version("1.0.0"))
    return place


@pytest.fixture(scope="module")
def narrated(small, tmp_path_factory):
    """A version whose reasoning comes from a server, which is wrong for every fifth prompt."""
    replies = {}
    for row in (row for _, row in folders.split_rows(small)):
        problem = from_row(row)
        trace = run(problem.source, problem.call)
        for task in TASKS:
            told = narrate(problem, trace, task).messages[-1]["content"]
            text = told if len(replies) % 5 else "I do not know."
            replies[prompt_of(problem, task)[-1]["content"]] = text
    with ScriptedServer(lambda prompt, n: [replies[prompt]] * n) as server:
        place = tmp_path_factory.mktemp("narrated") / "version"
        return published(small, place, configs=["sft"], narrator=server.spec)


def test_what_a_model_wrote_is_checked_as_it_was_before_it_was_kept(narrated):
    assert read_manifest(narrated)["narration"]["refused"]
    done = verify(narrated, rows=1000)
    assert done.is_right, done.findings


def test_the_address_of_the_server_that_wrote_is_not_published(narrated):
    narration = read_manifest(narrated)["narration"]
    assert "@" not in narration["narrator"]
    assert (narration["temperature"], narration["max_tokens"]) == (1.0, 1024)
    path = next(narrated.glob("data/sft/train-*"))
    assert set(pq.read_table(path)["narrator"].to_pylist()) == {narration["narrator"]}
    assert [
        p.name for p in narrated.rglob("*") if p.is_file() and b"127.0.0.1" in p.read_bytes()
    ] == []


def wrong_value(row):
    row["messages"][-1]["content"] = "It is so.\n<answer>assert f() == 0</answer>"


def wrong_question(row):
    row["messages"][0]["content"] += " Please."


def another_narrator(row):
    row["narrator"] = "vllm:other"


def another_task(row):
    row["task"] = "guess"


def no_message(row):
    row["messages"] = []


@pytest.mark.parametrize(
    "change", [wrong_value, wrong_question, another_narrator, another_task, no_message]
)
def test_a_conversation_of_a_model_that_was_changed_is_found(change, narrated, tmp_path):
    place = tmp_path / "version"
    shutil.copytree(narrated, place)
    path = next(place.glob("data/sft/train-*"))
    rows = pq.read_table(path).to_pylist()
    change(rows[0])
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMAS["sft"]), path)
    make_consistent(place)
    said = [f.what for f in verify(place, rows=1000).findings if f.place == rows[0]["id"]]
    assert len(said) == 1
    assert said[0].startswith("its rows in sft ")


def test_a_conversation_of_a_model_that_is_lost_is_counted(narrated, tmp_path):
    place = tmp_path / "version"
    shutil.copytree(narrated, place)
    path = next(place.glob("data/sft/train-*"))
    pq.write_table(pq.read_table(path).slice(1), path)
    make_consistent(place)
    said = [f.what for f in verify(place, rows=0).findings if f.place == "manifest.json"]
    assert said == ["its narration does not add up to the rows of sft"]


@pytest.fixture(scope="module")
def graded(small, tmp_path_factory):
    """A version of a folder that was graded, with its replies."""
    build = tmp_path_factory.mktemp("graded") / "build"
    shutil.copytree(small, build)
    right = {row["call"]: row["output"] for _, row in folders.split_rows(small)}
    turn = count()

    def answer(prompt, n):
        call = next(call for call in sorted(right, key=len, reverse=True) if call in prompt)
        output = (right[call] or {"literal": "0"})["literal"]
        wrong = "<answer>assert f() == 0</answer>"
        good = f"<answer>assert {call} == {output}</answer>"
        return [good if next(turn) % 3 else wrong for _ in range(n)]

    with ScriptedServer(answer) as server:
        grade_folder(build, server.spec, keep_replies=True)
    return published(build, build.with_name("version"))


def test_replies_are_scored_again(graded):
    done = verify(graded, rows=1000)
    assert done.is_right, done.findings


def test_replies_are_in_the_split_of_their_problem_and_go_with_their_rates(graded, tmp_path):
    build = tmp_path / "build"
    shutil.copytree(graded.with_name("build"), build)
    for split in ("train", "validation", "test"):
        of = {
            config: set(
                pq.read_table(next(build.glob(f"data/{config}/{split}-*")))["id"].to_pylist()
            )
            for config in ("problems", "replies")
        }
        assert of["replies"] == of["problems"]
    with ScriptedServer(lambda _, n: ["<answer>what?</answer>"] * n) as server:
        grade_folder(build, server.spec)
    assert not (build / "data" / "replies").exists()
    assert not any("/replies/" in name for name in read_manifest(build)["files"])


@pytest.mark.parametrize("column", SCHEMAS["replies"].names)
def test_a_reply_that_was_changed_is_found(column, graded, tmp_path):
    place = tmp_path / "version"
    shutil.copytree(graded, place)
    path = next(place.glob("data/replies/train-*"))
    rows = pq.read_table(path).to_pylist()
    identity = rows[0]["id"]
    kind = SCHEMAS["replies"].field(column).type
    rows[0][column] = other(rows[0][column], kind) if column != "reply" else "?"
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMAS["replies"]), path)
    make_consistent(place)
    assert identity in named(place)


@pytest.mark.parametrize("name", ["rate", "low", "high", "passes", "samples"])
def test_a_measured_rate_that_does_not_follow_from_its_replies_is_found(name, graded, tmp_path):
    place = tmp_path / "version"
    shutil.copytree(graded, place)
    path = next(place.glob("data/problems/train-*"))
    rows = pq.read_table(path).to_pylist()
    rows[0]["difficulty"][-1][name] += 1
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMAS["problems"]), path)
    make_consistent(place)
    assert rows[0]["id"] in named(place)
