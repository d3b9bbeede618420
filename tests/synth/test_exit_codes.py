"""What is wrong with the call ends with exit code 2, and nothing is written."""

import os

import pytest

from synth.build import build_folder
from tests.synth.building import SPEC, digests, finish, start

BUILD = ["build", "--tier", "easy", "--size", "5", "--out", "new"]
ENGINE = "openai:m@http://127.0.0.1:9/v1"
CALLS = {
    "decontaminate nothing": ([*BUILD, "--decontaminate", ""], "a benchmark's name is empty"),
    "decontaminate with no file": (
        [*BUILD, "--decontaminate", "nowhere.jsonl"],
        "there is no file nowhere.jsonl",
    ),
    "decontaminate with rubbish": ([*BUILD, "--decontaminate", "bad.jsonl"], "is no JSON"),
    "decontaminate with no rows": ([*BUILD, "--decontaminate", "empty.jsonl"], "no Python program"),
    "a source that there is not": ([*BUILD, "--source", "nonsense"], "names no engine"),
    "a source at no address": ([*BUILD, "--source", "openai:m@http://[::1"], "names no model"),
    "a source in another encoding": (
        [*BUILD, "--source", os.fsdecode(b"openai:m@http://x/\xff")],
        "names no engine",
    ),
    "evaluate with no file": (
        ["evaluate", ENGINE, "cruxeval", "--data", "nowhere.jsonl"],
        "nowhere.jsonl does not exist",
    ),
    "evaluate with rubbish": (
        ["evaluate", ENGINE, "cruxeval", "--data", "bad.jsonl"],
        "row 1 is no JSON",
    ),
    "compare with no file": (
        ["evaluate", ENGINE, "heldout", "--data", "made", "--compare", "nowhere.json"],
        "nowhere.json cannot be read",
    ),
    "compare with rubbish": (
        ["evaluate", ENGINE, "heldout", "--data", "made", "--compare", "bad.jsonl"],
        "bad.jsonl is no report",
    ),
    "check with no workers": (["check", "made", "--workers", "0"], "workers must be a whole"),
    "check with many workers": (["check", "made", "--workers", "1025"], "from 1 to 1024"),
    "show fewer than none": (["show", "made", "--count", "-1"], "count must be a whole number"),
    "show none": (["show", "made", "--count", "0"], "count must be a whole number from 1"),
    "skip fewer than none": (["show", "made", "--skip", "-5"], "skip must be a whole number"),
    "skip all": (["show", "made", "--skip", "50"], "has no more than 50 problems"),
    "stream fewer than none": (["stream", "--count", "-1"], "count must be a whole number"),
    "stream from before the start": (["stream", "--start", "-1"], "start must be a whole number"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    found = tmp_path_factory.mktemp("codes")
    build_folder(SPEC, found / "made", workers=2)
    (found / "bad.jsonl").write_text("{rubbish\n")
    (found / "empty.jsonl").write_text("")
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("call", "message"), CALLS.values(), ids=CALLS)
def test_a_wrong_call_is_a_sentence_and_code_2(place, call, message):
    before = digests(place)
    code, out, said = finish(start(call, place))
    assert (code, out) == (2, "")
    assert message in said
    assert len(said.strip().splitlines()) == 1
    assert said.strip().startswith("synth: ")
    assert digests(place) == before
    assert not list(place.glob(".*"))
