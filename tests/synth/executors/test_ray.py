"""Builds on a Ray cluster of this machine's own; ``make test-ray`` installs what it needs."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from synth.build import build_folder
from tests.synth.building import SPEC, digests

ray = pytest.importorskip("ray", reason='Ray is not installed: pip install -e ".[ray]"')


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_cluster_gives_the_bytes_of_a_local_build(undisturbed, tmp_path, workers):
    build_folder(SPEC, tmp_path / "made", workers=workers, executor="ray")
    assert digests(tmp_path / "made") == undisturbed


@pytest.mark.slow
def test_killed_tasks_are_made_again(undisturbed, tmp_path):
    killed = []
    over = threading.Event()

    def kill():
        # The first kill is Ray's own to mend, a second one over the same shard is ours.
        while len(killed) < 2 and not over.wait(0.1):
            for pid in task_processes():
                if pid not in killed:
                    time.sleep(1)
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
                    break

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        build_folder(SPEC, tmp_path / "made", workers=1, executor="ray")
    finally:
        over.set()
        killer.join()
    assert len(killed) == 2
    assert digests(tmp_path / "made") == undisturbed


def task_processes():
    """List the workers of Ray that are at a shard."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdigit() and b"ray::_" in (place / "cmdline").read_bytes()[:20]:
                found.append(int(place.name))
        except OSError:
            continue
    return found
