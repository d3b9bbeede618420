"""Croissant: mlcroissant accepts it, and reads the records by it."""

import hashlib
import json

import mlcroissant
import pyarrow.parquet as pq
import pytest


@pytest.fixture(scope="module")
def described(prepared):
    return mlcroissant.Dataset(jsonld=str(prepared / "croissant.json"))


def test_mlcroissant_finds_no_error(described):
    assert not described.metadata.issues.errors


def test_every_file_is_described_with_its_hash(prepared):
    plain = json.loads((prepared / "croissant.json").read_text())
    files = {f["@id"]: f for f in plain["distribution"] if f["@type"] == "cr:FileObject"}
    paths = {p.relative_to(prepared).as_posix(): p for p in prepared.glob("data/*/*")}
    assert files.keys() == paths.keys()
    for name, path in paths.items():
        assert files[name]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert files[name]["contentSize"] == f"{path.stat().st_size} B"


@pytest.mark.parametrize(
    "name",
    ["problems/train", "problems/test", "trace/train", "stage1/test", "sft/test", "stage2/train"],
)
def test_records_are_those_of_the_files(name, described, prepared):
    config, split = name.split("/")
    rows = [
        r
        for p in sorted(prepared.glob(f"data/{config}/{split}-*"))
        for r in pq.read_table(p).to_pylist()
    ]
    records = list(described.records(name))
    assert [r[f"{name}/id"].decode() for r in records] == [row["id"] for row in rows]
    if config == "problems":
        assert (
            records[0][f"{name}/output"][f"{name}/output/literal"].decode()
            == (rows[0]["output"]["literal"])
        )
        asked = [q[f"{name}/questions/line"] for q in records[0][f"{name}/questions"]]
        assert asked == [q["line"] for q in rows[0]["questions"]]
