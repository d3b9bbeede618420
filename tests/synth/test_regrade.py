"""``synth grade`` as a process, with a server that answers from a table."""

import json
import re
import shutil

import pyarrow.parquet as pq
import pytest

from curricula.difficulty.estimate import read
from synth import folder
from synth.build import build_folder
from synth.check import Finding, check_folder
from synth.spec import Spec
from tests.curricula.difficulty.scripted import Faults, ScriptedServer
from tests.synth.building import digests, finish, start
from tests.synth.grading_server import answer_of

COUNT = 60


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("regrade") / "easy"
    build_folder(Spec("easy", COUNT, 3), out, workers=2)
    return out


@pytest.fixture(scope="module")
def server(built):
    with ScriptedServer(answer_of(built)) as server:
        yield server


@pytest.fixture(scope="module")
def graded(built, server):
    """Grade a copy and fit the estimate to it; give its folder and what was printed."""
    out = built.parent / "graded"
    shutil.copytree(built, out)
    call = ["grade", out, "--engine", server.spec, "--refit", "--json"]
    code, printed, said = finish(start(call, out.parent))
    assert code == 0, said
    return out, json.loads(printed), said


def test_grading_and_fitting_are_one_call(graded):
    out, printed, said = graded
    made = read(out / "estimate.json")
    assert (made.model, made.name, made.revision) == ("scripted", "estimate-of-scripted", "")
    assert made.problems == COUNT
    assert made.data == "tier easy, seed 3 (output prediction, 10 samples at temperature 1)"
    quality = {"auc": made.auc, "spearman": made.spearman, "problems": COUNT}
    assert printed.pop("estimate") == {
        "file": str(out / "estimate.json"),
        "model": "scripted",
        **quality,
    }
    assert sum(printed.values()) == COUNT
    assert f"cross-validated AUC {made.auc:.2f} (" in said
    assert f"Spearman {made.spearman:.2f} (" in said


def test_the_folder_is_still_one_that_check_accepts(graded):
    out, _, _ = graded
    assert [found for found in check_folder(out) if isinstance(found, Finding)] == []


def test_fitting_alone_asks_no_model_and_writes_the_same_bytes(graded, server):
    out, _, _ = graded
    before, asked = digests(out), server.requests
    (out / "estimate.json").unlink()
    code, printed, said = finish(
        start(["grade", out, "--refit", "--model", "scripted"], out.parent)
    )
    assert (code, printed) == (0, ""), said
    assert digests(out) == before
    assert server.requests == asked


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ([], 2, "say which model to ask (--engine), or --refit"),
        (["--model", "scripted", "--engine", "openai:m@http://127.0.0.1:9/v1"], 2, "give --refit"),
        (["--refit"], 1, "0 problems have a measured rate: grade them before"),
        (["--refit", "--model", "nobody"], 1, "0 problems have a measured rate of nobody"),
    ],
)
def test_what_cannot_be_done_is_said(built, options, code, message):
    before = digests(built)
    left, printed, said = finish(start(["grade", built, *options], built.parent))
    assert (left, printed) == (code, "")
    assert message in said
    assert "Traceback" not in said
    assert digests(built) == before


def test_a_file_that_is_not_as_it_was_built_is_not_graded(built, server, tmp_path):
    cut = tmp_path / "cut"
    shutil.copytree(built, cut)
    name = next(n for n in folder.manifest_of(cut)["files"] if "problems/train" in n)
    pq.write_table(pq.ParquetFile(cut / name).read().slice(0, 12), cut / name)
    before, asked = digests(cut), server.requests
    code, printed, said = finish(start(["grade", cut, "--engine", server.spec], tmp_path))
    assert (code, printed) == (2, "")
    assert f"{name}: its SHA-256 is not what manifest.json says" in said
    assert (digests(cut), server.requests) == (before, asked)


def test_too_few_graded_problems_are_counted(built, server, tmp_path):
    few = tmp_path / "few"
    build_folder(Spec("easy", 12, 3), few, workers=2)
    call = ["grade", few, "--engine", server.spec, "--refit", "--json"]
    code, printed, said = finish(start(call, tmp_path))
    assert (code, printed) == (1, "")
    assert re.search(r"1\d problems of \d+ program families, \d+ of them solved by scripted", said)
    assert "at least 50 of 10 families" in said
    assert not (few / "estimate.json").exists()
    assert {d["model"] for _, row in folder.split_rows(few) for d in row["difficulty"]} == {
        "estimate-1",
        "scripted",
    }


def test_what_was_not_answered_is_said_and_asked_again_alone(built, server, tmp_path):
    out = tmp_path / "refused"
    shutil.copytree(built, out)
    call = ["grade", out, "--engine", server.spec, "--json", "--option", "concurrency=4"]
    problem = next(row for _, row in folder.split_rows(out))
    server.faults = Faults(refuse=f"assert {problem['call']} == ????")
    before = server.requests
    code, printed, said = finish(start(call, tmp_path))
    missing = json.loads(printed)["unanswered"]
    asked = server.requests - before
    assert (code, missing >= 1) == (0, True), said
    assert f"unanswered {missing}" in said
    assert "the same command asks for the rest" in said
    assert (tmp_path / ".refused.replies").exists()
    server.faults = Faults()
    before = server.requests
    code, printed, said = finish(start(call, tmp_path))
    assert (code, "unanswered" in json.loads(printed)) == (0, False), said
    assert server.requests - before == missing < asked
    assert not (tmp_path / ".refused.replies").exists()
    rates = [row["difficulty"][-1] for _, row in folder.split_rows(out)]
    assert {(rate["model"], rate["samples"]) for rate in rates} == {("scripted", 10)}
