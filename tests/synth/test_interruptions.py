"""Builds that are killed, starved and damaged end as the same bytes."""

import json
import os
import random
import resource
import signal
import time
from pathlib import Path

import pytest

from synth.folder import problems
from synth.shards import make
from synth.spec import Spec
from tests.synth.building import COMMAND, digests, finish, start


def workers_of(parent):
    """List the shard workers of a build."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdigit() and f"\nPPid:\t{parent}\n" in (place / "status").read_text():
                found.append(int(place.name))
        except OSError:
            continue
    return sorted(found)


def until_done(rng, kills, command, cwd, seconds):
    """Run a build, killing workers and the parent at random moments; give what was killed.

    All kills fit into the seconds that the build takes: however fast the machine is, it is not
    done before each kind has come.
    """
    killed = []
    process = start(command, cwd)
    for kind in rng.sample(kills, len(kills)):
        while process.poll() is None and not workers_of(process.pid):
            time.sleep(0.05)
        time.sleep(rng.uniform(0, seconds / len(kills)))
        crew = workers_of(process.pid)
        if process.poll() is not None or not crew:
            break
        if kind == "worker":
            os.kill(rng.choice(crew), signal.SIGKILL)
        else:
            process.kill()
            finish(process)
            process = start(command, cwd)
        killed.append(kind)
    code, _, said = finish(process)
    assert code == 0, said
    return killed


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_killing_workers_and_the_parent_changes_no_byte(timed, tmp_path, seed):
    undisturbed, seconds = timed
    command = [*COMMAND, "--out", "made", "--workers", "2"]
    killed = until_done(random.Random(seed), ["worker", "parent"] * 3, command, tmp_path, seconds)
    assert {"worker", "parent"} <= set(killed)
    assert digests(tmp_path / "made") == undisturbed
    assert [p.name for p in tmp_path.iterdir()] == ["made"]


@pytest.mark.slow
def test_workers_end_with_their_parent(tmp_path):
    process = start([*COMMAND, "--out", "made", "--workers", "2"], tmp_path)
    deadline = time.monotonic() + 20
    while len(crew := workers_of(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    process.kill()
    finish(process)
    time.sleep(1)
    assert len(crew) == 2
    assert [pid for pid in crew if is_running(pid)] == []


def is_running(pid):
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    return "synth" in Path(f"/proc/{pid}/cmdline").read_text() and "State:\tZ" not in status


@pytest.mark.slow
def test_a_build_without_room_says_so_and_goes_on_when_there_is(undisturbed, tmp_path):
    command = [*COMMAND, "--out", "made", "--workers", "1"]
    room = 12_000  # bytes of a file: less than a shard's

    def starve():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    code, _, said = finish(start(command, tmp_path, preexec_fn=starve))
    assert code == 1
    assert "File too large; mend that and run the same command again" in said
    assert "Traceback" not in said
    assert not (tmp_path / "made").exists()
    assert not list((tmp_path / ".made.partial").glob("shard-*"))
    assert finish(start(command, tmp_path))[0] == 0
    assert digests(tmp_path / "made") == undisturbed


POISON = """\
import os, sys
if "synth.executors.local" in sys.orig_argv:
    import synth.shards as shards
    fingerprint = shards.fingerprint
    def poisoned(source):
        if {start!r} in source:
            with open({log!r}, "a") as log:
                log.write("died\\n")
            os.abort()
        return fingerprint(source)
    shards.fingerprint = poisoned
"""


@pytest.mark.slow
def test_a_program_that_ends_its_worker_twice_is_quarantined(tmp_path):
    source = make(Spec("easy", 25, 3), 0).problems[12].source
    log = tmp_path / "log"
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(POISON.format(start=source, log=str(log)))
    command = ["build", "--tier", "easy", "--size", "25", "--seed", "3", "--out", "made", "--json"]
    code, told, said = finish(start(command, tmp_path, tmp_path / "site"))
    assert code == 0, said
    assert log.read_text().count("died") == 3  # in its batch, alone, and once more
    assert json.loads(told)["quarantined"] == [source]
    report = json.loads((tmp_path / "made" / "report.json").read_text())
    assert report["quarantined"] == [source]
    assert report["refused"]["quarantined"] == 1
    made = list(problems(tmp_path / "made"))
    assert len(made) == 25
    assert source not in {problem.source for problem in made}
