"""Folders that a call writes: what a kill left is cleared up, what others have is not touched."""

import os
import signal
import subprocess
import sys
import time

import pytest

from cards.folders import new_folder
from tracing.errors import UsageError

WAIT = """
import sys, time
from cards.folders import new_folder
with new_folder(sys.argv[1]) as made:
    (made / "half").write_text("half")
    print("writing", flush=True)
    time.sleep(60)
"""
CALLS = {
    "export": ["export", "{built}", "--format", "jsonl", "--out", "made"],
    "publish": [
        "publish",
        "{built}",
        "me/demo",
        "--version",
        "1.0.0",
        "--dry-run",
        "--out",
        "made",
    ],
}


@pytest.fixture
def writing(tmp_path):
    """A process that writes a folder, and does not come to an end."""
    process = subprocess.Popen(
        [sys.executable, "-c", WAIT, tmp_path / "made"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "writing\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def names(place):
    return sorted(path.name for path in place.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_what_a_killed_command_left_is_gone_after_the_next(call, built, tmp_path):
    command = [sys.executable, "-m", "synth", *(a.format(built=built) for a in CALLS[call])]
    # No Hub is there: a dry run does without.
    environment = {**os.environ, "HF_ENDPOINT": "http://127.0.0.1:9"}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (tmp_path / ".made.writing" / "folder").exists() and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert names(tmp_path) == [".made.writing"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert names(tmp_path) == ["made"]


def test_what_was_half_written_is_no_part_of_the_next(writing, tmp_path):
    writing.kill()
    writing.wait()
    assert names(tmp_path / ".made.writing") == ["folder", "lock"]
    with new_folder(tmp_path / "made") as made:
        assert names(made) == []
    assert names(tmp_path) == ["made"]


def test_a_folder_that_another_process_writes_is_refused_and_left_to_it(writing, tmp_path):
    with pytest.raises(UsageError, match=r"another process writes .*; wait for its end"):
        new_folder(tmp_path / "made").__enter__()
    assert (tmp_path / ".made.writing" / "folder" / "half").read_text() == "half"


def test_what_a_kill_after_the_rename_left_is_gone_when_the_folder_is_refused(tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "data").touch()
    (tmp_path / ".made.writing").mkdir()
    (tmp_path / ".made.writing" / "lock").touch()
    with pytest.raises(UsageError, match="is there already"):
        new_folder(tmp_path / "made").__enter__()
    assert names(tmp_path) == ["made"]


@pytest.mark.parametrize("what", ["a folder", "a file", "a link"])
def test_what_is_not_ours_stays_in_the_hidden_place(what, tmp_path):
    theirs, hidden = tmp_path / "theirs", tmp_path / ".made.writing"
    theirs.mkdir()
    (theirs / "mine.txt").write_text("mine")
    if what == "a folder":
        theirs.rename(hidden)
    elif what == "a file":
        (theirs / "mine.txt").rename(hidden)
    else:
        hidden.symlink_to(theirs)
    before = names(tmp_path)
    with pytest.raises(UsageError, match="is in the way, and no call that was ended left it"):
        new_folder(tmp_path / "made").__enter__()
    assert names(tmp_path) == before
    assert (hidden if what == "a file" else hidden / "mine.txt").read_text() == "mine"


def test_long_names_that_begin_alike_do_not_share_a_hidden_place(tmp_path):
    one, other = (tmp_path / ("x" * 200 + end) for end in "ab")
    with new_folder(one), new_folder(other):
        assert len(names(tmp_path)) == 2
    assert names(tmp_path) == [one.name, other.name]
