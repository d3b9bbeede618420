"""vLLM for real: twenty problems graded in this process, and by its server in another.

Runs in an environment of its own (``make test-vllm``): the CPU build of vLLM pins its own
torch. The small model answers; what is tested is that all of its replies arrive and count.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("vllm", reason="needs vLLM (make test-vllm)")

from curricula.difficulty.engines import Sampling, open_engine
from curricula.difficulty.engines.base import folder_revision
from curricula.difficulty.grading import Grading, Plan, measure_rates
from curricula.difficulty.journal import entries_of
from curricula.difficulty.small_model import small_model

sys.path.append(str(Path(__file__).parent.parent / "curricula" / "difficulty"))
from sample_problems import additions

pytestmark = pytest.mark.slow

PROBLEMS = additions(20)
PLAN = Plan(samples=4, shots=1, sampling=Sampling(max_tokens=40))
START_SECONDS = 900


@pytest.fixture(scope="module")
def model() -> str:
    os.environ.update(HF_HUB_OFFLINE="1", VLLM_CPU_KVCACHE_SPACE="2", VLLM_NO_USAGE_STATS="1")
    return str(small_model())


def check(made: Grading, journal: Path) -> None:
    assert made.unanswered == {}
    assert {one.samples for one in made.difficulties.values()} == {4}
    assert len(made.difficulties) == 20
    entries = list(entries_of(journal))
    assert all(text for entry in entries for text in entry.replies)
    assert len({text for entry in entries for text in entry.replies}) > 20
    assert 0 < sum(entry.tokens for entry in entries) <= 20 * 4 * 40
    # One example shown is enough for the format: replies fail by what they say.
    wrong = sum(
        c.count for d in made.difficulties.values() for c in d.reasons if "value" in c.reason
    )
    assert wrong + sum(d.passes for d in made.difficulties.values()) > 0


def test_problems_are_graded_in_this_process(model, tmp_path):
    engine = open_engine(
        f"vllm:{model}", batch=8, dtype="float32", enforce_eager=True, max_model_len=2048
    )
    long = [{"role": "user", "content": "word " * 3000}]
    short = [{"role": "user", "content": "Hello."}]
    try:
        made = measure_rates(PROBLEMS, engine, PLAN, journal=tmp_path / "journal.jsonl")
        told = list(engine.complete([long, short], n=2, sampling=Sampling(max_tokens=4)))
    finally:
        engine.close()
    check(made, tmp_path / "journal.jsonl")
    assert {d.revision for d in made.difficulties.values()} == {folder_revision(model)}
    # A prompt that is too long is named, and ends nothing.
    assert [(c.prompt, len(c.texts)) for c in told] == [(0, 0), (1, 2)]
    assert "and the model reads and writes 2,048 at most" in told[0].error


@pytest.fixture
def server(model, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = ["--model", model, "--served-model-name", "smollm2", "--port", str(port)]
    options = ["--dtype", "float32", "--enforce-eager", "--max-model-len", "2048"]
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", *arguments, *options]
    with (tmp_path / "server.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/health", process, tmp_path / "server.log")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()[-3000:]
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(1)
    raise AssertionError(f"the server did not start: {log.read_text()[-3000:]}")


def test_problems_are_graded_by_the_server(server, tmp_path):
    engine = open_engine(f"openai:smollm2@{server}", concurrency=8)
    made = measure_rates(PROBLEMS, engine, PLAN, journal=tmp_path / "journal.jsonl")
    check(made, tmp_path / "journal.jsonl")
