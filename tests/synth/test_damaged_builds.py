"""A second build over a finished one mends what is damaged, and loses nothing by that."""

import json
import shutil
from dataclasses import replace

import pytest

from synth import folder, work
from synth.build import build_folder, build_shards
from synth.shards import rows_of
from synth.spec import Spec
from tests.synth.building import digests, finish, start
from tracing.errors import UsageError

SPEC = Spec("easy", 4, 5)
COMMAND = ["build", "--tier", "easy", "--size", "4", "--seed", "5", "--out", "made"]
TRAIN = "data/problems/train-00000-of-00001.parquet"


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


DAMAGES = {
    "a flipped bit": flip,
    "a file that is gone": lambda path: path.unlink(),
    "a file cut off": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "an empty file": lambda path: path.write_bytes(b""),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "made"
    build_folder(SPEC, out, workers=1)
    return out


@pytest.fixture
def made(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "made")


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_build_is_made_again(whole, made, damage):
    damage(made / TRAIN)
    told = []
    build_folder(SPEC, made, workers=1, begin=told.append)
    assert told
    assert told[0].startswith(f"Damaged, so it is built again: {TRAIN}: ")
    assert digests(made) == digests(whole)
    assert [path.name for path in made.parent.iterdir()] == ["made"]


@pytest.mark.slow
def test_shards_of_a_damaged_build_are_made_again(whole, made):
    flip(made / TRAIN)
    assert build_shards(SPEC, made, [0], workers=1) == 1
    told = []
    build_folder(SPEC, made, workers=1, found=told.append, watch=lambda _: pytest.fail("made"))
    assert told == [rows_of(SPEC)]
    assert digests(made) == digests(whole)


def test_a_whole_build_is_not_made_again(whole, made):
    told = []
    build_folder(SPEC, made, begin=told.append)
    assert build_shards(SPEC, made, [0]) == 0
    assert told == []


def test_a_damaged_build_that_was_graded_is_not_made_again(made):
    # As a grading does it: other files of problems, in the manifest and not in the report.
    (made / TRAIN).write_bytes((made / "data/trace/train-00000-of-00001.parquet").read_bytes())
    plain = json.loads((made / "manifest.json").read_text())
    rows = {name: facts["rows"] for name, facts in plain["files"].items()}
    folder.write_json(made / "manifest.json", {**plain, "files": folder.described(made, rows)})
    build_folder(SPEC, made)  # whole as it is
    flip(made / TRAIN)
    before = digests(made)
    for build in (lambda: build_folder(SPEC, made), lambda: build_shards(SPEC, made, [0])):
        with pytest.raises(UsageError, match=r"damaged .* graded .* --force builds it again"):
            build()
    assert digests(made) == before


def test_a_damaged_build_with_a_file_of_somebody_else_is_not_made_again(made):
    (made / "notes").mkdir()
    (made / "notes" / "mine.txt").write_text("years of work")
    build_folder(SPEC, made)  # in nobody's way while all is whole
    (made / TRAIN).unlink()
    with pytest.raises(UsageError, match=r"holds notes/mine\.txt, which the build did not write"):
        build_folder(SPEC, made)
    assert (made / "notes" / "mine.txt").read_text() == "years of work"
    assert not work.place_of(made).exists()


def test_a_damaged_build_of_programs_that_a_model_proposed_is_not_made_of_others(made):
    spec = replace(SPEC, source="openai:m@http://127.0.0.1:1/v1")
    plain = json.loads((made / "manifest.json").read_text())
    folder.write_json(made / "manifest.json", {**plain, "build": work.identity(spec)})
    build_folder(spec, made)  # whole as it is
    flip(made / TRAIN)
    with pytest.raises(UsageError, match="openai:m would not propose the same programs again"):
        build_folder(spec, made)


def test_a_build_without_its_report_says_how_to_get_it(made):
    (made / "report.json").unlink()
    with pytest.raises(UsageError, match=r"report\.json is missing .*; --force builds it again"):
        build_folder(SPEC, made)


@pytest.mark.slow
def test_the_command_says_whether_it_wrote_a_build_or_found_it(whole, made):
    code, _, said = finish(start(COMMAND, made.parent))
    assert code == 0
    assert "made/ is there already" in said
    assert "Wrote" not in said
    flip(made / TRAIN)
    code, _, said = finish(start([*COMMAND, "--workers", "1"], made.parent))
    assert code == 0
    assert f"Damaged, so it is built again: {TRAIN}" in said.replace("\n", " ")
    assert "Wrote made/" in said
    assert digests(made) == digests(whole)
