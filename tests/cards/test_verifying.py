"""Verifying: what is right is found right, and each kind of change is found."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cards.errors import DatasetError
from cards.files import read_json, write_json
from cards.sums import write_sums
from cards.verifying import verify
from curricula.problem import SCHEMA
from tracing.errors import ExecVerifyError, UsageError


def test_what_was_published_is_right(prepared):
    done = verify(prepared, rows=30)
    assert done.is_right, done.findings
    assert (done.version, done.rows) == ("1.0.0", 30)


def test_the_sample_follows_from_the_seed(prepared):
    from cards.verifying import _sample

    assert _sample(prepared, 5, 1) == _sample(prepared, 5, 1) != _sample(prepared, 5, 2)
    assert len(_sample(prepared, 1000, 0)) == 60


def output(row):
    row["output"]["literal"], row["output"]["type"] = "'never'", "str"


def answer(row):
    row["questions"][0]["answers"] = [{"type": "int", "literal": "-7"}]


def wording(row):
    row["questions"][0]["text"] += " Really?"


def measure(row):
    row["structure"]["steps"] += 1


def rate(row):
    row["difficulty"][0]["rate"] = 0.0001


def source(row):
    row["source"] = row["source"].replace("return", "return  ", 1)


def program(row):
    row["source"] = "def f("


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (output, "output is"),
        (answer, "question 1"),
        (wording, "question 1"),
        (measure, "structure is"),
        (rate, "difficulty is"),
        (source, "id is"),
        (program, "no ground truth"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_row_that_does_not_follow_from_its_run_is_found(change, said, copy):
    path = next(copy.glob("data/problems/train-*"))
    rows = pq.read_table(path).to_pylist()
    row = next(r for r in rows if r["questions"])
    change(row)
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)
    findings = [f for f in verify(copy, rows=1000).findings if f.place == row["id"]]
    assert any(said in f.what for f in findings), findings


@pytest.mark.parametrize("config", ["hard", "stage1", "sft"])
@pytest.mark.parametrize("change", ["family", "less"])
def test_a_view_that_does_not_follow_is_found(config, change, copy):
    path = next(copy.glob(f"data/{config}/train-*"))
    table = pq.read_table(path)
    rows = table.to_pylist()
    row = rows[0]
    if change == "less":
        rows = rows[1:]
    else:
        row["family"] += "0"
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    said = {
        (f.place, f.what)
        for f in verify(copy, rows=1000).findings
        if "/" not in f.place and f.place != "report.json"
    }
    assert said == {(row["id"], f"its rows in {config} do not follow from problem and run")}


def test_a_missing_and_an_unknown_file_are_found(copy):
    path = next(copy.glob("data/sft/train-*"))
    path.rename(path.with_name("train-00007-of-00009.parquet"))
    write_sums(copy)
    said = {(f.place, f.what) for f in verify(copy, rows=0).findings}
    assert ("data/sft/train-00000-of-00001.parquet", "the file is missing") in said
    assert (
        "data/sft/train-00007-of-00009.parquet",
        "manifest.json does not know this file",
    ) in said


def test_a_damaged_file_and_other_columns_are_found(copy):
    path = next(copy.glob("data/trace/train-*"))
    path.write_bytes(path.read_bytes()[:100])
    other = next(copy.glob("data/problems/train-*"))
    pq.write_table(pq.read_table(other).drop_columns("id"), other)
    done = verify(copy)
    said = [f.what for f in done.findings]
    assert done.rows == 0
    assert "the file does not have the columns of problems" in said
    assert any(text.startswith("the file is damaged") for text in said)


@pytest.mark.parametrize(
    "files",
    [
        [],
        {"../../secret": {"rows": 1, "bytes": 1, "sha256": "0" * 64}},
        {"data/problems/train-00000-of-00001.parquet": {"rows": 1}},
        {"data/problems/train-00000-of-00001.parquet": None},
    ],
    ids=["a list", "a file outside", "no hash", "nothing"],
)
def test_a_manifest_that_is_none_is_refused(files, copy):
    manifest = read_json(copy / "manifest.json")
    write_json(copy / "manifest.json", {**manifest, "files": files})
    with pytest.raises(DatasetError, match="is damaged: its 'files' is"):
        verify(copy)


def test_a_folder_that_is_none_is_named(tmp_path):
    with pytest.raises(UsageError, match="there is no folder"):
        verify(tmp_path / "nowhere")
    with pytest.raises(ExecVerifyError, match=r"manifest\.json is missing"):
        verify(tmp_path)


def test_a_name_that_no_repository_has_is_refused():
    with pytest.raises(UsageError, match="is no name of a repository; write owner/name"):
        verify("not a name!")
