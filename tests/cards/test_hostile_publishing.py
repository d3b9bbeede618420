"""Folders that came from anywhere: one clear sentence, and nothing left behind."""

import json
import shutil
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cards import export, verify
from cards.errors import DatasetError
from cards.files import describe, read_json, write_json
from cards.folders import new_folder
from cards.manifest import read_manifest
from cards.publishing import prepare
from cards.report import read_report
from cards.schemas import SCHEMAS
from cards.staging import stage
from cards.sums import write_sums
from cards.versions import read_version
from tracing.errors import UsageError

DEEP = "[" * 100_000


@pytest.fixture
def build(built, tmp_path):
    """A copy of a build that may be changed."""
    place = tmp_path / "build"
    shutil.copytree(built, place)
    return place


@pytest.fixture
def calls(client):
    """What reads a build: an export here, and a dry run whose client has a Hub to ask."""

    def dry_run(folder, out, repo_id="me/demo", version="1.0.0", **options):
        options |= {"version": version, "dry_run": True, "out": out}
        return client.call("cards.publishing.publish", folder, repo_id, **options)

    return {"export": lambda folder, out: export(folder, "jsonl", out), "dry run": dry_run}


def refused(call, folder, tmp_path, said):
    out = tmp_path / "out"
    with pytest.raises(UsageError, match=said) as caught:
        call(folder, out)
    assert "\n" not in str(caught.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["build"]


MANIFESTS = {
    "deep": (DEEP, "is no JSON"),
    "half": ('{"files": ', "is no JSON"),
    "bytes": ("\udc80", "is no JSON"),
    "a number": ("7", "holds no object"),
    "empty": ("", "is no JSON"),
}


@pytest.mark.parametrize("call", ["export", "dry run"])
@pytest.mark.parametrize("name", ["manifest.json", "report.json"])
@pytest.mark.parametrize("what", MANIFESTS)
def test_a_description_that_is_no_json_is_refused(what, name, call, calls, build, tmp_path):
    text, said = MANIFESTS[what]
    (build / name).write_text(text, errors="surrogateescape")
    refused(calls[call], build, tmp_path, f"{name} {said}")


FIELDS = {
    "files": [7, None, [], {"x": 1}, {"data/problems/train-00000-of-00001.parquet": "x"}],
    "build": [7, "x", {"spec": 7}, {"spec": {"tier": 1}}, {"packages": {"a": 1}}, {"python": 3}],
    "columns": [7, {"problems": 7}, {"problems": {"id": 7}}],
    "changes": [7, [7], [{"version": "1.0.0", "lines": 7}]],
    "narration": [7, {}, {"narrator": "x", "asked": "x", "refused": {}}],
    "version": [7, None, []],
}


@pytest.mark.parametrize("name", FIELDS)
def test_fields_of_a_manifest_of_other_types_are_refused(name, build):
    known = read_json(build / "manifest.json")
    for value in FIELDS[name]:
        write_json(build / "manifest.json", {**known, name: value})
        with pytest.raises(DatasetError, match=f"is damaged: its '{name}' is"):
            read_manifest(build)


@pytest.mark.parametrize("name", ["size", "seed", "kinds", "like", "stdlib", "benchmarks_sha256"])
def test_what_a_build_was_asked_for_must_be_of_the_right_types(name, build):
    known = read_json(build / "manifest.json")
    known["build"]["spec"][name] = {"a": 1}
    write_json(build / "manifest.json", known)
    with pytest.raises(DatasetError, match="is damaged: its 'build' is"):
        read_manifest(build)


@pytest.mark.parametrize("value", [None, "7", -1, 7.5, [7], {"a": "b"}, True])
def test_fields_of_a_report_of_other_types_are_refused(value, build):
    known = read_json(build / "report.json")
    for name in known.keys() - {"seconds"}:
        write_json(build / "report.json", {**known, name: value})
        with pytest.raises(DatasetError, match=rf"report\.json .* is damaged: its '{name}'"):
            read_report(build)


def change(folder, config, made):
    """Put other rows in a file, with a manifest that describes it."""
    path = next(folder.glob(f"data/{config}/train-*"))
    pq.write_table(made(pq.read_table(path)), path)
    manifest = read_json(folder / "manifest.json")
    write_json(folder / "manifest.json", {**manifest, "files": describe(folder)})


def without_value(column):
    def made(table):
        rows = table.to_pylist()
        rows[3][column] = None
        return pa.Table.from_pylist(rows, schema=table.schema)

    return made


def without_answers(table):
    rows = table.to_pylist()
    row = next(row for row in rows if row["questions"])
    row["questions"][0]["answers"] = None
    return pa.Table.from_pylist(rows, schema=table.schema)


def without_row(table):
    rows = table.to_pylist()
    rows[0] = dict.fromkeys(rows[0])
    return pa.Table.from_pylist(rows, schema=table.schema)


ROWS = {
    "no id": (without_value("id"), "has a row without id"),
    "no questions": (without_value("questions"), "has a row without questions"),
    "no shape": (without_value("shape"), "has a row without shape"),
    "no answers": (without_answers, r"has a row without questions\.answers"),
    "a row of nothing": (without_row, "has a row without id"),
    "a column less": (lambda t: t.drop_columns("questions"), "does not have the columns of"),
    "another type": (
        lambda t: t.set_column(0, "id", pa.array(range(t.num_rows))),
        "does not have the columns of problems",
    ),
}


@pytest.mark.parametrize("call", ["export", "dry run"])
@pytest.mark.parametrize("what", ROWS)
def test_rows_that_lack_something_are_refused(what, call, calls, build, tmp_path):
    made, said = ROWS[what]
    change(build, "problems", made)
    refused(calls[call], build, tmp_path, said)


@pytest.mark.parametrize("what", ROWS)
def test_verify_names_a_file_whose_rows_lack_something(what, copy):
    made, said = ROWS[what]
    change(copy, "problems", made)
    write_sums(copy)
    name = next(copy.glob("data/problems/train-*")).relative_to(copy).as_posix()
    found = " ".join(f.what for f in verify(copy).findings if f.place == name)
    assert said.replace("\\", "") in found


@pytest.mark.parametrize("config", ["trace", "stage1", "sft", "stage2"])
def test_a_row_of_nothing_in_any_config_is_named(config, copy):
    change(copy, config, without_row)
    write_sums(copy)
    name = next(copy.glob(f"data/{config}/train-*")).relative_to(copy).as_posix()
    assert (name, "the file has a row without id") in {
        (f.place, f.what) for f in verify(copy).findings
    }


def test_verify_tells_of_a_damaged_report_and_goes_on(copy):
    (copy / "report.json").write_text(DEEP)
    write_sums(copy)
    done = verify(copy, rows=2)
    assert done.rows == 2
    assert {f.place for f in done.findings} == {"report.json", "README.md"}


def test_verify_tells_of_a_card_that_is_none(copy):
    for text in ("", "---\n" + DEEP + "\n---\n", "---\nlicense: 2001-99-99\n---\nx"):
        (copy / "README.md").write_text(text)
        write_sums(copy)
        assert "README.md" in {f.place for f in verify(copy, rows=0).findings}


def test_a_dataset_without_a_row_is_told(copy):
    for path in copy.glob("data/*/*"):
        path.unlink()
    manifest = read_json(copy / "manifest.json")
    write_json(copy / "manifest.json", {**manifest, "files": {}})
    write_sums(copy)
    said = {(f.place, f.what) for f in verify(copy).findings}
    assert ("data/problems", "the dataset has no problem") in said


@pytest.mark.parametrize("path", [None, "", "a\0b", 3, b"out"], ids=repr)
def test_a_path_that_is_none_is_refused(path, calls, built, tmp_path):
    every = [
        lambda: export(built, "jsonl", path),
        lambda: export(path, "jsonl", tmp_path / "out"),
        lambda: verify(path),
    ]
    if path is not None:
        every.append(lambda: calls["dry run"](built, path))
    for call in [*every, lambda: calls["dry run"](path, tmp_path / "out")]:
        with pytest.raises(UsageError):
            call()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"repo_id": "demo"}, "is no name of a repository; write owner/name"),
        ({"repo_id": None}, "is no name of a repository; write owner/name"),
        ({"repo_id": "me/"}, "is no name of a repository; write owner/name"),
        ({"repo_id": "me/a\0b"}, "is no name of a repository; write owner/name"),
        ({"license": "My Own"}, "the Hub knows no licence"),
        ({"license": None}, "the Hub knows no licence"),
        ({"version": None}, "is no version of a dataset"),
        ({"configs": ["nothing"]}, "there is no config"),
    ],
    ids=lambda value: repr(value) if isinstance(value, dict) else "",
)
def test_a_dry_run_refuses_what_a_publish_would(options, said, calls, built, tmp_path):
    with pytest.raises(UsageError, match=said):
        calls["dry run"](built, tmp_path / "out", **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", [None, 3, "", "no\0ne"])
def test_a_format_that_is_none_is_refused(format, built, tmp_path):
    with pytest.raises(UsageError, match="there is no export format"):
        export(built, format, tmp_path / "out")


@pytest.mark.parametrize("dataset", [{"train": []}, {"train": None}], ids=repr)
def test_a_split_that_is_no_dataset_is_refused(dataset, tmp_path):
    with pytest.raises(UsageError, match="the train split is no Dataset"):
        stage(dataset, tmp_path / "out")


def test_a_dataset_in_memory_whose_columns_are_of_other_types_is_refused(built, tmp_path):
    from datasets import DatasetDict

    from synth import folder

    train = folder.load(built)["train"]
    numbers = train.remove_columns("id").add_column("id", list(range(len(train))))
    tiers = train.remove_columns("shape").add_column("shape", ["x"] * len(train))
    nothing = train.remove_columns("tier").add_column("tier", [None] * len(train))
    with pytest.raises(DatasetError, match="has other types than a build writes"):
        stage(DatasetDict(train=tiers), tmp_path / "one")
    with pytest.raises(DatasetError, match="has a row without tier"):
        stage(DatasetDict(train=nothing), tmp_path / "two")
    assert stage(DatasetDict(train=numbers), tmp_path / "three", configs=[])


def test_a_folder_that_is_there_and_empty_is_filled(tmp_path):
    (tmp_path / "out").mkdir()
    with new_folder(tmp_path / "out") as made:
        (made / "file").write_text("x")
        assert list((tmp_path / "out").iterdir()) == []
    assert [p.name for p in tmp_path.rglob("*")] == ["out", "file"]


@pytest.mark.parametrize("kind", ["file", "link", "full"])
def test_what_is_there_already_is_not_written_over(kind, tmp_path):
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("mine")
    elif kind == "link":
        out.symlink_to(tmp_path / "nowhere")
    else:
        (out / "mine").mkdir(parents=True)
    with (
        pytest.raises(UsageError, match="is there already; choose another folder"),
        new_folder(out),
    ):
        pytest.fail("it was given")


@pytest.mark.parametrize(
    "verb",
    [
        ["export", "--format", "jsonl", "--out", "out"],
        ["publish", "me/demo", "--version", "1.0.0", "--dry-run", "--out", "out"],
        ["verify"],
    ],
    ids=lambda verb: verb[0],
)
def test_a_damaged_folder_is_the_callers_mistake_on_the_command_line(verb, copy, client):
    (copy / "manifest.json").write_text(DEEP)
    done = subprocess.run(
        [sys.executable, "-m", "synth", verb[0], copy, *verb[1:]],
        cwd=copy.parent,
        env={**client.env, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "manifest.json is no JSON" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert list(copy.parent.iterdir()) == [copy]


def test_a_published_folder_with_a_forged_card_is_published_again_without_it(copy, tmp_path):
    manifest = read_json(copy / "manifest.json")
    manifest["build"]["spec"]["tier"] = "</details><script>"
    write_json(copy / "manifest.json", manifest)
    place = stage(copy, tmp_path / "again")
    prepare(place, "me/demo", read_version("1.0.0"))
    assert json.loads((place / "manifest.json").read_text())["version"] == "1.0.0"
    assert set(SCHEMAS) >= {p.name for p in place.glob("data/*")}
