"""Folders and arguments that are not what they should be: one sentence, and exit code 2."""

import json
import os
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cards.staging import stage
from synth import folder
from synth.build import build_folder
from synth.check import Finding, check_folder
from synth.folder import FolderError, manifest_of
from synth.spec import Spec, SpecError, from_json, to_json
from tests.synth.building import COMMAND, SPEC, finish, start

FACTS = {"rows": 1, "bytes": 1, "sha256": "0" * 64}
MANIFESTS = {
    "empty": b"",
    "a BOM alone": b"\xef\xbb\xbf",
    "NUL": b"\0" * 100,
    "no UTF-8": b'{"files": "\xff"}',
    "cut off": b'{"files": {',
    "a list": b"[]",
    "files is a list": b'{"files": []}',
    "a surrogate": b'{"files": {"data/\\ud800/train-0.parquet": {}}}',
    "lists nested too deep": b"[" * 100_000,
    "objects nested too deep": b'{"build":' * 100_000,
    "build nested deep": b'{"files": {}, "build": ' + b"[" * 900 + b"]" * 900 + b"}",
    "a number too long": b'{"files": {}, "build": ' + b"9" * 5_000 + b"}",
}
TRAIN = "data/problems/train-00000-of-00001.parquet"
DAMAGES = {  # what is done to a build's manifest, and what the sentence says of it
    "no files": (lambda m: m.pop("files"), "lists no files"),
    "no build": (lambda m: m.pop("build"), "build does not say what was built"),
    "build is a text": (lambda m: m.update(build="no"), "build does not say what was built"),
    "no spec": (lambda m: m["build"].pop("spec"), "build does not say what was built"),
    "version is a number": (
        lambda m: m["build"].update(generator_version=1),
        r"build\.generator_version is no text but 1",
    ),
    "size is a bool": (lambda m: m["build"]["spec"].update(size=True), r"build\.spec: size must"),
    "kinds are a number": (lambda m: m["build"]["spec"].update(kinds=3), r"build\.spec: "),
    "source is a list": (lambda m: m["build"]["spec"].update(source=[]), r"build\.spec: source"),
    "another size": (lambda m: m["build"]["spec"].update(size=51), "50 together, and size .* 51"),
    "a name outside": (lambda m: m["files"].update({"../../etc/passwd": FACTS}), "no name of a"),
    "another split": (
        lambda m: m["files"].update({"data/problems/dev-00000-of-00001.parquet": FACTS}),
        "no name of a data file",
    ),
    "facts are a list": (lambda m: m["files"].update({TRAIN: []}), f"{TRAIN} has no rows"),
    "no sha256": (lambda m: m["files"][TRAIN].pop("sha256"), f"sha256 of {TRAIN} is None"),
    "a file of many is gone": (
        lambda m: m["files"].update({TRAIN.replace("of-00001", "of-00002"): FACTS}),
        "not all files of the train split of problems",
    ),
    "rows move between splits": (
        lambda m: m["files"][TRAIN].update(rows=m["files"][TRAIN]["rows"] - 1),
        "the train split has .* rows of problems and .* of trace",
    ),
    "a run is gone": (
        lambda m: m["files"][TRAIN.replace("problems", "trace")].update(rows=1),
        "the train split has .* rows of problems and 1 of trace",
    ),
    **{
        f"{field} is {value!r:.20}": (
            lambda m, field=field, value=value: m["files"][TRAIN].update({field: value}),
            f"{field} of {TRAIN} is ",
        )
        for field in ("rows", "bytes")
        for value in (-5, 10**40, True, "7", 7.0, None, [[]])
    },
    **{
        f"no {split} split of {config}": (
            lambda m, start=f"data/{config}/{split}-": [
                m["files"].pop(name) for name in list(m["files"]) if name.startswith(start)
            ],
            f"no file of the {split} split of {config}"
            if config == "trace"
            else "lists no file|50",
        )
        for config in ("problems", "trace")
        for split in ("train", "validation", "test")
    },
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    place = tmp_path_factory.mktemp("hostile") / "made"
    build_folder(SPEC, place, workers=2)
    return place


def damaged(built, tmp_path, change):
    """Copy a build and change its manifest."""
    place = tmp_path / "made"
    shutil.copytree(built, place)
    plain = json.loads((place / "manifest.json").read_text())
    change(plain)
    (place / "manifest.json").write_text(json.dumps(plain))
    return place


def refused(arguments, cwd):
    code, out, said = finish(start(arguments, cwd))
    assert code == 2, (out, said)
    assert out == ""
    assert said.startswith("synth: ") or "Usage:" in said
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) == 1 or "Usage:" in said
    return said


@pytest.mark.parametrize("content", MANIFESTS.values(), ids=MANIFESTS)
def test_a_damaged_manifest_is_a_sentence(tmp_path, content):
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(FolderError, match=r"manifest\.json is damaged"):
        manifest_of(tmp_path)


@pytest.mark.parametrize(("change", "said"), DAMAGES.values(), ids=DAMAGES)
def test_a_manifest_that_no_build_writes_is_a_sentence(built, tmp_path, change, said):
    place = damaged(built, tmp_path, change)
    with pytest.raises(FolderError, match=rf"manifest\.json is damaged: .*({said})"):
        manifest_of(place)


def test_what_is_published_without_its_empty_splits_is_read(built, tmp_path):
    stage(built, tmp_path / "staged")
    files = manifest_of(built)["files"]
    left = [n for n, facts in files.items() if "/problems/" in n and facts["rows"]]
    assert len(list((tmp_path / "staged" / "data" / "problems").iterdir())) == len(left)
    assert manifest_of(tmp_path / "staged")["build"] == manifest_of(built)["build"]


def test_rows_that_the_files_do_not_have_are_found(built, tmp_path):
    def change(plain):
        for config in ("problems", "trace"):
            plain["files"][f"data/{config}/train-00000-of-00001.parquet"]["rows"] += 1
        plain["build"]["spec"]["size"] += 1

    place = damaged(built, tmp_path, change)
    found = [f for f in check_folder(place) if isinstance(f, Finding)]
    assert {f.place for f in found} == {TRAIN, TRAIN.replace("problems", "trace")}
    assert "manifest.json says" in found[0].what


def rewritten(built, tmp_path, change):
    """Copy a build and change the rows of its train split, hashes and all."""
    place = tmp_path / "made"
    shutil.copytree(built, place)
    table = pq.ParquetFile(place / TRAIN).read()
    pq.write_table(change(table), place / TRAIN)
    plain = json.loads((place / "manifest.json").read_text())
    rows = {name: facts["rows"] for name, facts in plain["files"].items()}
    folder.write_json(place / "manifest.json", {**plain, "files": folder.described(place, rows)})
    return place


def nulls(table):
    columns = [pa.nulls(table.num_rows, field.type) for field in table.schema]
    return pa.table(columns, schema=table.schema)


ROWS = {
    "null rows": nulls,
    "null questions": lambda t: t.set_column(
        t.column_names.index("questions"),
        t.schema.field("questions"),
        pa.nulls(t.num_rows, t.schema.field("questions").type),
    ),
    "numbers for programs": lambda t: t.set_column(
        t.column_names.index("source"), "source", pa.array(range(t.num_rows))
    ),
    "no family": lambda t: t.drop_columns(["family"]),
    "other columns": lambda t: pa.table({"a": list(range(t.num_rows))}),
}


@pytest.mark.slow
@pytest.mark.parametrize("change", ROWS.values(), ids=ROWS)
def test_rows_that_are_no_problems_are_a_sentence_of_each_verb(built, tmp_path, change):
    rewritten(built, tmp_path, change)
    said = refused(["show", "made"], tmp_path)
    assert TRAIN in said
    for verb in (
        ["check", "made"],
        ["show", "made", "abc"],
        ["grade", "made", "--engine", "openai:m@http://127.0.0.1:9/v1"],
        ["train", "stage1", "--preset", "cpu", "--model", "m", "--data", "made"],
    ):
        code, _, said = finish(start(verb, tmp_path))
        assert code in (1, 2)
        assert "Traceback" not in said


@pytest.mark.parametrize("change", ["null rows", "null questions", "numbers for programs"])
def test_check_finds_every_row_that_is_no_problem(built, tmp_path, change):
    place = rewritten(built, tmp_path, ROWS[change])
    found = [f for f in check_folder(place) if isinstance(f, Finding)]
    count = manifest_of(place)["files"][TRAIN]["rows"]
    assert len([f for f in found if "the row cannot be read" in f.what]) == count


REPORTS = {
    "empty": "",
    "nested too deep": "[" * 100_000,
    "a list": "[]",
    "counts are texts": {"problems": "many"},
    "refused is a list": {"refused": []},
    "a negative count": {"tiers": {"easy": -1}},
    "seconds are a text": {"seconds": "0"},
    "the idioms are counted": {"idioms": 25},
    "the catalogue is a list": {"catalogue": ["str"]},
    "a type's methods are counted": {"catalogue": {"str": 61}},
}


@pytest.mark.parametrize("change", REPORTS.values(), ids=REPORTS)
def test_a_damaged_report_is_a_sentence(built, tmp_path, change):
    place = tmp_path / "made"
    shutil.copytree(built, place)
    if isinstance(change, dict):
        change = json.dumps({**json.loads((place / "report.json").read_text()), **change})
    (place / "report.json").write_text(change)
    with pytest.raises(FolderError, match=r"report\.json is missing or damaged"):
        build_folder(SPEC, place)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["check", "show"])
def test_a_split_that_is_gone_ends_each_verb_with_code_2(built, tmp_path, verb):
    place = damaged(built, tmp_path, DAMAGES["no test split of trace"][0])
    for path in place.glob("data/*/test-*"):
        path.unlink()
    said = refused([verb, "made"], tmp_path)
    assert "no file of the test split of trace" in said


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["check", "show", "build"])
def test_a_damaged_manifest_ends_each_verb_with_code_2(tmp_path, verb):
    place = tmp_path / "made"
    place.mkdir()
    (place / "manifest.json").write_bytes(MANIFESTS["cut off"])
    arguments = [*COMMAND, "--out", "made"] if verb == "build" else [verb, "made"]
    said = refused(arguments, tmp_path)
    assert "manifest.json is damaged" in said.replace("\n", " ")


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["check", "show", "build"])
def test_a_file_in_the_place_of_a_folder_is_a_sentence(tmp_path, verb):
    (tmp_path / "made").write_text("not a folder")
    arguments = [*COMMAND, "--out", "made"] if verb == "build" else [verb, "made"]
    refused(arguments, tmp_path)
    assert (tmp_path / "made").read_text() == "not a folder"


@pytest.mark.slow
def test_a_file_above_the_folder_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    code, _, said = finish(start([*COMMAND, "--out", "file/made"], tmp_path))
    assert code in (1, 2)
    assert "Traceback" not in said


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    place = "/sys/made"  # nobody writes there, root included
    if os.geteuid():
        tmp_path.chmod(0o555)
        place = "made"
    code, _, said = finish(start([*COMMAND, "--out", place], tmp_path))
    tmp_path.chmod(0o755)
    assert code == 1
    assert "synth: " in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\ufeff{}",
        "\0",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        '{"tier": "\ud800"}',
        to_json(Spec("easy", 5, 0))[:-1],
    ],
    ids=["empty", "BOM", "NUL", "list", "null", "no keys", "deep", "surrogate", "cut off"],
)
def test_a_text_that_is_no_spec_is_a_sentence(text):
    with pytest.raises(SpecError, match="no spec of a build"):
        from_json(text)
