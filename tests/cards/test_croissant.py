"""Croissant: mlcroissant accepts it, and reads the records by it."""

import hashlib
import json
import subprocess

import mlcroissant
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cards.croissant import croissant_of
from cards.files import read_json
from cards.schemas import SCHEMAS
from cards.statistics import statistics_of


@pytest.fixture(scope="module")
def plain(prepared):
    return json.loads((prepared / "croissant.json").read_text())


@pytest.fixture(scope="module")
def described(prepared):
    """The description, with a copy of the repository in its place."""
    return mlcroissant.Dataset(
        jsonld=str(prepared / "croissant.json"), mapping={"repo": str(prepared)}
    )


def test_mlcroissant_finds_no_error_and_warns_of_the_missing_day_alone(described):
    # No creator was named; the day is not known to the files that the description follows from.
    assert not described.metadata.issues.errors
    warnings = described.metadata.issues.warnings
    assert len(warnings) == 1
    assert "datePublished" in next(iter(warnings))


def test_every_file_is_described_with_its_hash(prepared, plain):
    files = {f["@id"]: f for f in plain["distribution"] if f["@type"] == "cr:FileObject"}
    assert files.pop("repo")["encodingFormat"] == "git+https"
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
        # Lists inside of structs were described as single values.
        idioms = records[0][f"{name}/provenance"][f"{name}/provenance/idioms"]
        assert [word.decode() for word in idioms] == rows[0]["provenance"]["idioms"]


def test_records_are_read_from_the_repository_at_the_tag(prepared, tmp_path, monkeypatch):
    # Files were in nothing, so records could be read from a local copy alone. A real clone:
    # git takes the Hub's address for that of a repository here.
    pytest.importorskip("git")

    def git(*words):
        named = ("-c", "user.name=me", "-c", "user.email=me@localhost")
        subprocess.run(["git", "-C", str(work), *named, *words], check=True, capture_output=True)

    work = tmp_path / "work"
    (work / "data" / "stage2").mkdir(parents=True)
    for path in prepared.glob("data/stage2/*"):
        (work / "data" / "stage2" / path.name).write_bytes(path.read_bytes())
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "version")
    git("tag", "v1.0.0")
    git("rm", "-rq", ".")
    git("commit", "-qm", "what comes after", "--allow-empty")
    hub = "https://huggingface.co/datasets/me/demo"
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{work}.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", hub)
    constants = mlcroissant._src.core.constants
    cache = type(constants.DOWNLOAD_PATH)(tmp_path / "cache")
    monkeypatch.setattr(constants, "DOWNLOAD_PATH", cache)
    dataset = mlcroissant.Dataset(jsonld=str(prepared / "croissant.json"))
    found = [record["stage2/train/id"].decode() for record in dataset.records("stage2/train")]
    rows = [row for p in sorted(prepared.glob("data/stage2/train-*")) for row in ids(p)]
    assert found == rows != []


def ids(path):
    return pq.read_table(path, columns=["id"])["id"].to_pylist()


def test_replies_are_described_with_their_verdict_as_true_or_false(copy):
    # passed was a text.
    row = {"id": "a" * 16, "sample": 0, "reply": "no", "passed": False, "reason": "wrong"}
    (copy / "data" / "replies").mkdir()
    path = copy / "data" / "replies" / "train-00000-of-00001.parquet"
    pq.write_table(pa.Table.from_pylist([row], schema=SCHEMAS["replies"]), path)
    files = read_json(copy / "manifest.json")["files"]
    said = {"repo_id": "me/demo", "version": "1.0.0", "license": "mit"}
    (copy / "croissant.json").write_text(croissant_of(copy, statistics_of(copy), files, **said))
    made = mlcroissant.Dataset(jsonld=str(copy / "croissant.json"), mapping={"repo": str(copy)})
    assert not made.metadata.issues.errors
    (found,) = made.records("replies/train")
    passed = found["replies/train/passed"]
    assert passed is False or passed == False  # noqa: E712  numpy has its own
    assert not isinstance(passed, (str, bytes))
