"""``synth publish`` and ``synth verify``, as they are typed."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def synth(client, tmp_path):
    def call(*arguments, **env):
        return subprocess.run(
            [sys.executable, "-m", "synth", *map(str, arguments)],
            cwd=tmp_path,
            env={**client.env, "COLUMNS": "100", **env},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return call


def test_a_build_is_published_and_verified(built, hub, synth):
    done = synth("publish", built, "me/demo", "--version", "1.0.0", "--private", "--json")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    repo = hub.repos["me/demo"]
    assert repo.private
    assert (facts["tag"], facts["is_new"]) == ("v1.0.0", True)
    assert repo.tags == {"v1.0.0": facts["commit"]}
    checked = synth("verify", "me/demo", "--revision", "v1.0.0", "--rows", 3)
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout == ""
    assert "version 1.0.0:" in checked.stderr
    assert "3 rows checked, 0 findings" in checked.stderr


def test_a_dry_run_pushes_nothing_and_names_its_folder(built, hub, synth, tmp_path):
    options = ["--version", "1.0.0", "--dry-run", "--configs", "stage1"]
    done = synth("publish", built, "me/demo", *options)
    assert (done.returncode, done.stdout) == (0, "demo-1.0.0\n"), done.stderr
    assert "nothing was pushed" in done.stderr
    assert not hub.repos
    place = tmp_path / "demo-1.0.0"
    assert sorted(p.name for p in place.glob("data/*")) == ["problems", "stage1"]
    again = synth("publish", built, "me/demo", *options)
    assert again.returncode == 2
    assert again.stderr == "synth: demo-1.0.0 is there already; choose another folder\n"


def test_what_was_changed_is_found_and_the_exit_code_says_so(copy, synth):
    path = next(copy.glob("data/sft/train-*"))
    path.write_bytes(path.read_bytes() + b"\0")
    done = synth("verify", copy, "--rows", 0, "--json")
    assert done.returncode == 1
    # One line for each finding; what the byte breaks besides is told, too.
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {one["place"] for one in found} == {path.relative_to(copy).as_posix()}
    assert found[0]["what"].startswith("its SHA-256")


def test_a_token_that_does_not_serve_is_one_line_without_it(prepared, hub, synth):
    done = synth("publish", prepared, "me/demo", "--version", "1.0.0", HF_TOKEN="hf_wrong")
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = [text for text in done.stderr.splitlines() if text.startswith("synth: ")]
    assert "the Hub does not accept the token" in line
    assert "hf_wrong" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["publish", "nowhere", "me/demo", "--version", "1.0.0"], 2, "there is no folder nowhere"),
        (["publish", ".", "not a name!", "--version", "1.0.0"], 2, "is no name of a repository"),
        (["publish", ".", "me/demo", "--version", "one"], 2, "is no version of a dataset"),
        (["publish", ".", "me/demo"], 2, "Missing option '--version'"),
        (["verify", "me/nothing"], 1, "there is no such repository or revision"),
        (["verify", "./nowhere"], 2, "there is no folder nowhere"),
        (["verify", ".", "--revision", "v1.0.0"], 2, "has no revisions; give none"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_call_that_is_wrong_is_told_what_to_do(arguments, code, said, synth):
    done = synth(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
