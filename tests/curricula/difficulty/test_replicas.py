"""Copies of an engine on a Ray cluster of this machine's own; the engine is scripted.

``make test-ray`` installs what this needs.
"""

import os
import signal

import pytest

from curricula.difficulty.engines import Completion, open_engine
from curricula.difficulty.engines.replicas import ReplicaEngine
from tracing.errors import InfrastructureError, UsageError

ray = pytest.importorskip("ray", reason='Ray is not installed: pip install -e ".[ray]"')
PROMPTS = [[{"role": "user", "content": f"question {n}"}] for n in range(23)]


def scripted(log=None, poison=None, refused=None):
    """Make a function that opens an engine; it is sent to the copies by value."""

    class Scripted:
        model, revision = "scripted", "7"

        def complete(self, prompts, *, n=1, sampling=None):
            for place, messages in enumerate(prompts):
                text = messages[-1]["content"]
                if poison is not None and text.endswith(poison):
                    with open(log, "a") as file:
                        file.write("died\n")
                    os.kill(os.getpid(), signal.SIGKILL)
                if refused is not None and text.endswith(refused):
                    yield Completion(place, (), error="too long", refused=True)
                    continue
                yield Completion(place, tuple(f"{text}, {i}" for i in range(n)), n)

        def close(self):
            pass

    return Scripted


@pytest.fixture(scope="module")
def cluster():
    ray.init(num_cpus=4, include_dashboard=False, logging_level="error", log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3])
def test_each_prompt_gets_its_own_replies_whatever_the_copies(cluster, count):
    engine = ReplicaEngine(scripted(), count, batch=4)
    found = {c.prompt: c.texts for c in engine.complete(PROMPTS, n=2)}
    engine.close()
    assert (engine.model, engine.revision) == ("scripted", "7")
    assert found == {n: (f"question {n}, 0", f"question {n}, 1") for n in range(23)}


@pytest.mark.slow
def test_a_batch_that_kills_its_copy_twice_is_given_up_and_the_others_are_not(cluster, tmp_path):
    log = tmp_path / "log"
    engine = ReplicaEngine(scripted(str(log), " 9"), 1, batch=1)
    found = {c.prompt: c for c in engine.complete(PROMPTS)}
    engine.close()
    assert log.read_text().count("died") == 2
    assert sorted(found) == list(range(23))
    assert [n for n, c in found.items() if c.error] == [9]


@pytest.mark.slow
def test_a_prompt_that_a_copy_refuses_for_good_is_said_to_be_refused(cluster):
    engine = ReplicaEngine(scripted(refused=" 9"), 2, batch=4)
    found = {c.prompt: c for c in engine.complete(PROMPTS)}
    engine.close()
    assert [n for n, c in found.items() if c.refused] == [9]
    assert found[9].error == "too long"


@pytest.mark.slow
def test_copies_without_gpus_are_refused_at_once(cluster):
    with pytest.raises(UsageError, match="more than the cluster's 0"):
        open_engine("ray:8:vllm:nobody/nothing")


@pytest.mark.slow
def test_what_ails_a_copy_is_told_as_it_would_be_without_copies(cluster):
    with pytest.raises((UsageError, InfrastructureError), match="names no engine"):
        open_engine("ray:2:nothing:model")


@pytest.mark.parametrize("text", ["ray:", "ray:x", "ray:0:vllm:m", "ray:2:", "ray:vllm:m"])
def test_a_wrong_name_is_a_sentence(text):
    with pytest.raises(UsageError, match="names no engine"):
        open_engine(text)
