"""The taskset, in the package it is made for."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from tracing.errors import InfrastructureError

vf = pytest.importorskip("verifiers.v1", reason="needs verifiers (make test-exports)")
adapter = pytest.importorskip("rl.adapters.verifiers", reason="needs verifiers (make test-exports)")

ROW = {
    "id": "a",
    "prompt": [{"role": "user", "content": "What does double(3) return?"}],
    "source": "def double(n):\n    return n * 2\n",
    "call": "double(3)",
    "entry": "double",
    "outcome": "returned",
    "output": {"type": "int", "literal": "6"},
    "exception": None,
    "questions": [],
}


def rewarded(task: Any, reply: str) -> SimpleNamespace:
    """Score a reply as a rollout does, with what scoring needs of a trace."""
    trace = SimpleNamespace(last_reply=reply, metrics={}, rewards={}, info={})
    trace.record_metric = trace.metrics.__setitem__
    trace.record_reward = lambda name, value, weight: trace.rewards.__setitem__(name, value)
    asyncio.run(task.score(trace))
    return trace


@pytest.mark.parametrize(("value", "reward"), [("6", 2.0), ("6.0", 0.0), ("double(3)", 0.0)])
def test_a_reply_earns_what_it_deserves(value, reward):
    trace = rewarded(adapter.task_of(ROW), f"<answer>assert double(3) == {value}</answer>")
    assert trace.rewards == {"score_reply": reward}
    assert trace.metrics["io"] == reward / 2
    assert trace.info["reason"]


def test_a_failing_machine_is_no_reward(monkeypatch):
    monkeypatch.setattr(
        "rl.adapters.verifiers.score", lambda *a, **k: SimpleNamespace(total=None, reason="broke")
    )
    with pytest.raises(vf.TaskError) as caught:
        rewarded(adapter.task_of(ROW), "anything")
    assert isinstance(caught.value.__cause__, InfrastructureError)


def test_the_answer_of_the_row_is_validated():
    assert asyncio.run(adapter.task_of(ROW).validate(None)) is True
    odd = {"kind": "executed", "line": 2, "answers": [{"type": "int", "literal": "5"}]}
    assert asyncio.run(adapter.task_of({**ROW, "questions": [odd]}).validate(None)) is False


def test_code_has_no_answer_to_validate():
    row = {"task": "code", "prompt": ROW["prompt"], "tests": [{"input": "[3]", "output": "6"}]}
    assert asyncio.run(adapter.task_of({**row, "entry": "double"}).validate(None)) is None


def test_the_row_survives_the_wire():
    task = adapter.task_of(ROW)
    again = type(task.data).model_validate_json(task.data.model_dump_json())
    assert json.loads(again.row) == {k: v for k, v in ROW.items() if k != "prompt"}


def test_a_folder_of_rows_is_a_taskset(tmp_path):
    lines = "".join(json.dumps({**ROW, "id": str(i)}) + "\n" for i in range(3))
    (tmp_path / "train.jsonl").write_text(lines)
    tasks = list(adapter.Curriculum(adapter.CurriculumConfig(path=str(tmp_path), subset=None)))
    assert [task.data.id for task in tasks] == ["0", "1", "2"]
    assert rewarded(tasks[2], "<answer>assert double(3) == 6</answer>").rewards["score_reply"] == 2
