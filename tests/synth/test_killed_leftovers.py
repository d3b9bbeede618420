"""What a build that was killed leaves beside its folder is gone after the next; no more than that."""

import json
import signal
import subprocess
import sys

import pytest

from synth import replacing, work
from synth.build import build_folder
from synth.spec import Spec

SPEC = Spec("easy", 4, 5)
KILLED = """
import os, signal, sys
from pathlib import Path
from synth import folder, replacing, work
from synth.build import build_folder
from synth.spec import Spec

where, path = {where}, Path(sys.argv[1])
calls = 0
inner = getattr(*where)

def kill(*arguments, **named):
    global calls
    calls += 1
    if calls == {number}:
        os.kill(os.getpid(), signal.SIGKILL)
    return inner(*arguments, **named)

setattr(*where, kill)
build_folder(Spec("easy", 4, 5), path, workers=1, force=True)
"""
MOMENTS = {
    "before the working folder is described": ('(folder, "write_json")', 1),
    "before the working folder has its name": ('(Path, "rename")', 1),
    "before the old build is removed": ('(replacing, "clear")', 2),
    "before the working folder is removed": ('(replacing, "clear")', 3),
}


def names(place):
    return sorted(path.name for path in place.iterdir())


def killed(moment, place):
    where, number = MOMENTS[moment]
    code = KILLED.format(where=where, number=number)
    done = subprocess.run([sys.executable, "-c", code, place], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("is_there", [True, False], ids=["over a build", "anew"])
def test_the_next_build_clears_up_what_a_killed_one_left(moment, is_there, tmp_path):
    if is_there:
        build_folder(SPEC, tmp_path / "made", workers=1)
    killed(moment, tmp_path / "made")
    assert names(tmp_path) != ["made"]
    build_folder(SPEC, tmp_path / "made", workers=1)
    assert names(tmp_path) == ["made"]


def test_a_working_folder_that_is_being_made_is_left_to_its_maker(tmp_path):
    young = tmp_path / ".made.partial.abcdefgh"
    young.mkdir()
    (young / "build.json").write_text(json.dumps(work.identity(SPEC)))
    with work.locked(young, work.fcntl.LOCK_SH), work.alone(SPEC, tmp_path / "made"):
        assert young.exists()
    with work.alone(SPEC, tmp_path / "made"):
        assert not young.exists()


@pytest.mark.parametrize("name", ["mine.txt", "build.json"])
def test_a_folder_with_such_a_name_that_no_build_left_stays(name, tmp_path):
    theirs = tmp_path / ".made.partial.document"
    theirs.mkdir()
    (theirs / name).write_text("mine")
    with work.alone(SPEC, tmp_path / "made"):
        pass
    assert (theirs / name).read_text() == "mine"


def test_a_build_that_is_there_leaves_the_hidden_folders_of_one_that_replaces_it(tmp_path):
    with work.alone(SPEC, tmp_path / "made") as where:
        work.forget(tmp_path / "made")
        assert (where / "build.json").exists()
    work.forget(tmp_path / "made")
    assert names(tmp_path) == []


@pytest.mark.parametrize("inside", [[], ["lock"], [".build.json.77.tmp"], [".manifest.json.7.tmp"]])
def test_a_hidden_folder_that_does_not_say_whose_it_is_yet_is_cleared(inside, tmp_path):
    for place in (tmp_path / ".made.partial", tmp_path / ".made.replaced"):
        place.mkdir()
        for name in inside:
            (place / name).touch()
    replacing.check_hidden(tmp_path / "made")
    with work.alone(SPEC, tmp_path / "made"):
        assert (tmp_path / ".made.partial" / "build.json").exists()
    work.forget(tmp_path / "made")
    assert names(tmp_path) == []
