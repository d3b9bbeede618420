"""tracing.runs: outcomes, limits, deaths, threads and forks."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tracing
from tracing import Limits, Value, workers
from tracing.errors import ExecVerifyError

ADD = "def f(n):\n    return n + 1\n"
SOON = Limits(seconds=0.3)
WILD = "import os\n\ndef f(what):\n    {}\n    return 0\n"


def test_a_run_gives_steps_and_output() -> None:
    trace = tracing.run(ADD, "f(1)")
    assert (trace.outcome, trace.output, trace.reason) == ("returned", Value("int", "2"), "")


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("while True:\n        pass", "unsupported"),
        ("sum(i for i in iter(int, 1))", "timeout"),
        ("9 ** 9 ** 9", "timeout"),
        ("[0] * (1 << 33)", "memory"),
        ("x = []\n    for i in range(999):\n        x.append('a' * 9999999)", "memory"),
        ("os.abort()", "unsupported"),
        ("os._exit(0)", "unsupported"),
        ("os.kill(os.getpid(), 9)", "unsupported"),
        ("import time\n    time.sleep(60)", "timeout"),
        ("print('a' * (1 << 22))", "unsupported"),
        ("os.close(3)\n    os.closerange(0, 100)", "unsupported"),
    ],
)  # fmt: skip
def test_what_a_run_may_not_do_is_an_outcome_and_the_next_run_is_well(
    body: str, outcome: str
) -> None:
    # Filling the memory takes time of its own.
    limits = Limits(seconds=5) if outcome == "memory" else SOON
    trace = tracing.run(WILD.format(body), "f(1)", limits=limits)
    assert trace.outcome == outcome, trace.reason
    assert trace.reason
    assert trace.output is None
    assert trace.steps == ()
    assert tracing.run(ADD, "f(1)").output == Value("int", "2")


@pytest.mark.parametrize(
    "body",
    ["os.listdir('/root')", "open('{0}/secret').read()", "open('{0}/new', 'w')", "os.fork()",
     "os.mkdir('{0}/new')", "os.remove('{0}/secret')", "os.kill(os.getppid(), 9)",
     "__import__('socket').socket().connect(('127.0.0.1', 9))", "os.execv('/bin/true', ['true'])"],
)  # fmt: skip
def test_files_network_and_processes_are_out_of_reach(body: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    if "__import__" in body:
        body = body.replace("__import__('socket')", "socket")
    source = WILD.replace("import os", "import os\nimport socket").format(body.format(tmp_path))
    trace = tracing.run(source, "f(1)")
    assert trace.exception in ("PermissionError", "OSError"), (trace.outcome, trace.output)
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


@pytest.mark.parametrize(
    "body",
    ["return hash('a')", "return id(object())", "return [x for x in {'a', 'b', 'c', 'd'}]",
     "return random.random()", "return time.perf_counter_ns()", "return repr(object())",
     "return os.getpid()", "return sorted('ab', key=id)", "return os.urandom(4)"],
)  # fmt: skip
def test_what_changes_from_run_to_run_is_refused(body: str) -> None:
    source = f"import os\nimport random\nimport time\n\ndef f():\n    {body}\n"
    if "sorted" in body:
        source = "def f():\n    return [id(x) % 1024 for x in ('ab', [1])]\n"
    trace = tracing.run(source, "f()")
    assert trace.outcome == "unsupported"
    assert trace.reason


def test_five_thousand_steps_are_run_and_one_more_is_not() -> None:
    source = "def f(n):\n    for i in range(n):\n        pass\n"
    assert len(tracing.run(source, "f(2499)").steps) == 4999
    assert "5000 steps" in tracing.run(source, "f(2500)").reason


def test_results_come_in_order_whatever_the_number_of_workers() -> None:
    jobs = [(ADD, f"f({n})") for n in range(70)]
    alone = list(tracing.run_many(jobs))
    assert alone == list(tracing.run_many(jobs, workers=3))
    assert [trace.output for trace in alone] == [Value.of(n + 1) for n in range(70)]


def test_a_death_among_many_is_only_its_own() -> None:
    dead = WILD.format("os.abort()")
    traces = list(tracing.run_many([(ADD, "f(1)"), (dead, "f(1)"), (ADD, "f(2)")]))
    assert [trace.outcome for trace in traces] == ["returned", "unsupported", "returned"]


def test_threads_may_run_at_once() -> None:
    with ThreadPoolExecutor(4) as threads:
        traces = list(threads.map(lambda n: tracing.run(ADD, f"f({n})"), range(24)))
    assert [trace.output for trace in traces] == [Value.of(n + 1) for n in range(24)]


def test_a_killed_server_is_replaced() -> None:
    assert tracing.run(ADD, "f(1)").output == Value("int", "2")
    for server in workers._current().servers.values():
        server.process.kill()
        server.process.wait()
    assert tracing.run(ADD, "f(2)").output == Value("int", "3")


def test_a_killed_worker_is_replaced() -> None:
    tracing.run(ADD, "f(1)")
    for idle in workers._current().idle:
        for worker in idle.workers.values():
            os.kill(worker.pid, signal.SIGKILL)
    assert tracing.run(ADD, "f(2)").output == Value("int", "3")


def test_a_forked_child_runs_too() -> None:
    tracing.run(ADD, "f(1)")
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            code = 0 if tracing.run(ADD, "f(4)").output == Value("int", "5") else 2
            workers.close()
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert tracing.run(ADD, "f(2)").output == Value("int", "3")


def test_a_tame_program_leaves_nothing_for_the_next() -> None:
    grown = "import math\nkept = []\n\ndef f(n):\n    kept.append(n)\n    return len(kept)\n"
    outputs = [tracing.run(grown, "f(1)").output for _ in range(3)]
    assert outputs == [Value("int", "1")] * 3


def test_memory_of_neighbours_is_not_counted() -> None:
    source = "def f(n):\n    x = [0] * (n << 20)\n    x.append(x)\n    return 1\n"
    jobs = [(source, "f(20)")] * 6
    assert {trace.outcome for trace in tracing.run_many(jobs)} == {"returned"}


def test_probe_and_outputs_give_the_same_outputs() -> None:
    calls = ["f(1)", "f('a')", "f(2.5)"]
    (probed,) = tracing.probe([(ADD, calls)])
    plain = tracing.outputs(ADD, calls)
    assert [t.output for t in probed] == [t.output for t in plain]
    assert [t.exception for t in plain] == [None, "TypeError", None]
    assert [len(t.steps) for t in probed] == [1, 1, 1]


def test_no_worker_at_all_is_an_error() -> None:
    with pytest.raises(ExecVerifyError):
        list(tracing.run_many([(ADD, "f(1)")], workers=0))


def test_limits_must_be_positive() -> None:
    with pytest.raises(ExecVerifyError):
        Limits(seconds=0)
