"""Builds on a Ray cluster of this machine's own; ``make test-ray`` installs what it needs."""

import os
import signal
import tempfile
import threading
import time
from pathlib import Path

import pytest

from synth import shard_files
from synth.build import build_folder
from synth.executors.ray import RETRIES, _cluster, make_shards
from synth.spec import Spec
from tests.synth.building import SPEC, digests
from tracing.errors import InfrastructureError

ray = pytest.importorskip("ray", reason='Ray is not installed: pip install -e ".[ray]"')


BOUND = 300
"""Seconds that a test may take: ten times what the slowest needs on two cores."""


@pytest.fixture(autouse=True)
def bounded():
    """End a test that waits for a cluster forever."""

    def end(*_):
        raise TimeoutError(f"the test took more than {BOUND} seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(BOUND)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


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
    """List the workers of our own Ray that are at a shard, and not those of other clusters."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdigit() and b"ray::_" in (place / "cmdline").read_bytes()[:20]:
                found.append(int(place.name))
        except OSError:
            continue
    return [pid for pid in found if is_ours(pid)]


def is_ours(pid):
    while pid > 1 and pid != os.getpid():
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return False
    return pid == os.getpid()


CORES = 3
SMALL = Spec("easy", 4, 5)
LOSSES = {
    "no memory": lambda: ray.exceptions.OutOfMemoryError("no memory"),
    "no machine": lambda: ray.exceptions.NodeDiedError("no machine"),
    "no result": lambda: ray.exceptions.ObjectLostError("ab", None, ""),
}


@pytest.fixture(scope="module")
def running():
    """Run a cluster that this process is not connected to; give its address."""
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    with (
        tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as place,
        pytest.MonkeyPatch.context() as patched,
    ):
        # Else it would write its address, and delete it later, where "auto" of others looks.
        patched.setenv("RAY_TMPDIR", place)
        try:
            cluster.add_node(num_cpus=CORES, include_dashboard=False)
            yield cluster.address
        finally:
            cluster.shutdown()


@pytest.mark.slow
def test_without_an_address_a_cluster_of_our_own_is_started(running, monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", running)
    with _cluster(ray, 1, "") as workers:
        assert ray.get_runtime_context().gcs_address != running
        assert workers == ray.cluster_resources()["CPU"] == 1
    with _cluster(ray, None, "auto"):
        assert ray.get_runtime_context().gcs_address == running


@pytest.mark.slow
def test_all_cores_of_a_cluster_are_used_unless_a_number_is_given(running):
    with _cluster(ray, None, running) as workers:
        assert workers == CORES
    with _cluster(ray, 2, running) as workers:
        assert workers == 2


def test_a_cluster_that_is_not_there_is_a_sentence():
    with (
        pytest.raises(InfrastructureError, match=r"no Ray cluster at 127\.0\.0\.1:1 .*ray start"),
        _cluster(ray, 1, "127.0.0.1:1"),
    ):
        pass


def losing(monkeypatch, loss, times):
    """Let results be lost on their way, as they are with a machine."""
    get, left = ray.get, [loss] * times

    def lose(task):
        found = get(task)
        if left:
            raise left.pop()()
        return found

    monkeypatch.setattr(ray, "get", lose)


@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_what_was_lost_is_made_again(running, tmp_path, monkeypatch, loss):
    losing(monkeypatch, loss, 1)
    (done,) = make_shards(SMALL, [0], tmp_path, 1, running)
    assert shard_files.report_of(tmp_path, 0) == done


@pytest.mark.slow
def test_what_is_lost_again_and_again_ends_the_build_with_a_sentence(
    running, tmp_path, monkeypatch
):
    losing(monkeypatch, LOSSES["no memory"], RETRIES + 1)
    with pytest.raises(InfrastructureError, match=r"shard 0 was lost 3 times .* no memory; the sa"):
        list(make_shards(SMALL, [0], tmp_path, 1, running))
    assert list(tmp_path.iterdir()) == []
