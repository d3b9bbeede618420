"""Folders and arguments that are not what they should be: one sentence, and exit code 2."""

import json
import os

import pytest

from synth.folder import FolderError, manifest_of
from synth.spec import Spec, SpecError, from_json, to_json
from tests.synth.building import COMMAND, finish, start

FACTS = {"rows": 1, "bytes": 1, "sha256": "0"}
MANIFESTS = {
    "empty": b"",
    "a BOM alone": b"\xef\xbb\xbf",
    "NUL": b"\0" * 100,
    "no UTF-8": b'{"files": "\xff"}',
    "cut off": b'{"files": {',
    "a list": b"[]",
    "files is a list": b'{"files": []}',
    "a name outside": json.dumps({"files": {"../../etc/passwd": FACTS}}).encode(),
    "a surrogate": b'{"files": {"data/\\ud800/train-0.parquet": {}}}',
    "no facts": b'{"files": {"data/problems/train-0.parquet": {}}}',
    "rows is a text": json.dumps(
        {"files": {"data/problems/train-0.parquet": {**FACTS, "rows": "1"}}}
    ).encode(),
    "nested too deep": b"[" * 100_000,
    "build is a text": b'{"files": {}, "build": "no"}',
}


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
