"""The reward with verl's signature, and loaded by verl itself where that is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rl.adapters import verl as adapter
from tracing.errors import InfrastructureError

ROW = {
    "source": "def double(n):\n    m = n * 2\n    return m\n",
    "call": "double(3)",
    "entry": "double",
    "output": {"type": "int", "literal": "6"},
    "questions": [
        {"kind": "next_statement", "line": 2, "occurrence": 1, "answers": [3]},
        {"kind": "executed", "line": 3, "answers": [True]},
    ],
}
RIGHT = "<answer>\nassert double(3) == 6\nreturn m\nyes\n</answer>"
WRONG = "<answer>\nassert double(3) == 7\nreturn m\nno\n</answer>"


@pytest.mark.parametrize("row", [ROW, json.dumps(ROW)], ids=["mapping", "json"])
def test_a_solution_is_scored_by_its_ground_truth(row):
    assert adapter.compute_score("execverify", RIGHT, row, extra_info={"index": 0}) == 2.0
    assert adapter.compute_score("execverify", WRONG, row) == 0.5


def test_options_of_the_configuration_are_taken():
    assert adapter.compute_score("execverify", WRONG, ROW, gate=True) == 0.0
    assert adapter.compute_score("execverify", WRONG, ROW, alpha=0.0) == 0.0


def test_a_failing_machine_is_no_reward(monkeypatch):
    def fail(*_, **__):
        raise InfrastructureError("broke")

    monkeypatch.setattr("curricula.scoring.reward.run_arguments", fail)
    row = {**ROW, "task": "input"}
    with pytest.raises(InfrastructureError, match="broke"):
        adapter.compute_score("execverify", "<answer>double(3)</answer>", row)


def test_verl_loads_it_by_its_path():
    reward = pytest.importorskip("verl.trainer.ppo.reward", reason="needs verl (make test-exports)")
    from omegaconf import OmegaConf

    custom = {
        "path": str(Path(adapter.__file__)),
        "name": "compute_score",
        "reward_kwargs": {"alpha": 0.25},
    }
    function = reward.get_custom_reward_fn(
        OmegaConf.create({"reward": {"custom_reward_function": custom}})
    )
    score = function(
        data_source="execverify",
        solution_str=WRONG,
        ground_truth=json.dumps(ROW),
        extra_info=None,
    )
    assert score == pytest.approx(2 * 0.25 * 0.5)
