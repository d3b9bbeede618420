"""Tiers that were drawn by lines of one's own: card and verification go by those lines."""

import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from recomputed import disagreements

import curricula
from cards.files import describe, read_json, write_json
from cards.finding import Finding
from cards.publishing import prepare
from cards.schemas import SCHEMAS
from cards.staging import stage
from cards.sums import write_sums
from cards.verifying import verify
from cards.versions import read_version
from curricula.difficulty import Thresholds
from curricula.difficulty.grade import retier
from curricula.difficulty.plan import Plan
from synth import Spec, build_folder
from synth import folder as folders
from synth.check import check_folder
from synth.regrade import grade_folder
from tests.curricula.difficulty.scripted import ScriptedServer

OWN = Thresholds(hard=0.15, medium=0.45, easy=0.85, unsolved=0.0)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    out = tmp_path_factory.mktemp("lines") / "build"
    build_folder(Spec("all", 24, 11), out, workers=1)
    return out


@pytest.fixture(scope="module")
def server(small):
    """Solve from none to all of ten replies, so that every tier comes out."""
    rows = [row for _, row in folders.split_rows(small)]
    right = {row["call"]: (place % 11, row["output"]) for place, row in enumerate(rows)}

    def answer(prompt, n):
        call = next(call for call in sorted(right, key=len, reverse=True) if call in prompt)
        passes, output = right[call]
        good = f"<answer>assert {call} == {(output or {'literal': '0'})['literal']}</answer>"
        return [good if place < passes else "<answer>what?</answer>" for place in range(n)]

    with ScriptedServer(answer) as server:
        yield server


@pytest.fixture(scope="module")
def graded(small, server):
    """The dataset in memory, graded with the lines."""
    return curricula.grade(folders.load(small), server.spec, thresholds=OWN)


def published(dataset, place):
    stage(dataset, place)
    prepare(place, "me/lines", read_version("1.0.0"))
    return place, " ".join((place / "README.md").read_text().split())


def test_lines_of_ones_own_are_told_by_the_card_and_verified(graded, tmp_path):
    # The card told the usual lines, and each tier that they do not give was a finding.
    place, card = published(graded, tmp_path / "version")
    assert (
        "The tier of 24 problems follows from it. Hard: up to 0.15; medium: up to 0.45; easy: up "
        "to 0.85; trivial above; unsolved: never right, and the interval ends at 0.0 or below."
    ) in card
    assert "up to 0.3" not in card
    assert "No tier follows from it: other rates count." in card
    assert verify(place, rows=1000).findings == ()


def test_lines_of_ones_own_stay_with_a_folder_that_was_graded(small, server, tmp_path):
    build, place = tmp_path / "build", tmp_path / "version"
    shutil.copytree(small, build)
    grade_folder(build, server.spec, Plan(thresholds=OWN))
    assert not [found for found in check_folder(build) if isinstance(found, Finding)]
    published(build, place)
    assert verify(place, rows=1000).findings == ()
    assert disagreements(place) == set()


def test_tiers_that_were_drawn_anew_are_told_and_verified(graded, tmp_path):
    # Of an estimate under a measured rate the tier was taken to follow from the rate.
    place, card = published(retier(graded, model="estimate-1"), tmp_path / "usual")
    assert "**Estimated** by `estimate-1` for 24 problems" in card
    assert "Hard: up to 0.25; medium: up to 0.45; easy above." in card
    assert verify(place, rows=1000).findings == ()

    by_lines = retier(graded, Thresholds(0.5, 0.6, 1.0), model="estimate-1")
    place, card = published(by_lines, tmp_path / "own")
    assert "Hard: up to 0.5; medium: up to 0.6; easy above." in card
    assert verify(place, rows=1000).findings == ()


def test_lines_that_the_tiers_do_not_follow_are_found(graded, tmp_path):
    place, _ = published(graded, tmp_path / "version")
    path = next(place.glob("data/problems/train-*"))
    rows = pq.read_table(path).to_pylist()
    row = next(row for row in rows if row["tier"] == "easy")
    row["difficulty"][-1]["thresholds"] = [0.15, 0.9, 0.95, 0.0]
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMAS["problems"]), path)
    write_sums(place)
    said = [f.what for f in verify(place, rows=1000).findings if f.place == row["id"]]
    assert said == ["tier is 'easy', derived again 'medium'"]


@pytest.mark.parametrize("lines", [[0.5, 0.4, 0.9, 0.0], [0.1, 0.2], [float("nan")] * 4])
def test_lines_that_are_none_are_a_finding_and_no_traceback(lines, graded, tmp_path):
    place, _ = published(graded, tmp_path / "version")
    path = next(place.glob("data/problems/train-*"))
    rows = pq.read_table(path).to_pylist()
    rows[0]["difficulty"][-1]["thresholds"] = lines
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMAS["problems"]), path)
    manifest = read_json(place / "manifest.json")
    write_json(place / "manifest.json", {**manifest, "files": describe(place)})
    write_sums(place)
    said = {f.place: f.what for f in reversed(verify(place, rows=1000).findings)}
    assert said[rows[0]["id"]].startswith("the row cannot be read: thresholds ")
    assert said["data/problems"].startswith("a rate of the dataset is none: thresholds ")
