"""An identical completion earns the identical reward, whichever trainer asks for it."""

from __future__ import annotations

import json
from collections import defaultdict

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from rl import rewards
from rl.adapters.verl import compute_score
from rl.exploits import cases

KEYS = ("task", "source", "entry", "call", "output", "exception", "questions", "tests")


def row_of(case) -> dict:
    """Give a case's row with all the columns that a dataset has."""
    return {name: case.row.get(name) for name in KEYS}


def by_options():
    """Group the published cases by what they are scored with."""
    groups = defaultdict(list)
    for case in cases():
        if isinstance(case.completion, str):
            groups[case.task == "code", case.row.get("alpha", 0.5)].append(case)
    return dict(groups)


GROUPS = by_options()


def from_trl(group, is_code: bool, alpha: float) -> list[float | None]:
    """Score as GRPOTrainer does: columns of a dataset that went through Arrow, messages."""
    rows = [{**row_of(case), "prompt": "?"} for case in group]
    columns = Dataset.from_list(rows)[:]
    prompts = columns.pop("prompt")
    completions = [[{"role": "assistant", "content": case.completion}] for case in group]
    extra = {
        "completion_ids": [[0]] * len(group),
        "trainer_state": None,
        "log_extra": lambda *_: None,
        "log_metric": lambda *_: None,
    }
    if is_code:
        return rewards.unit_tests(prompts, completions, **columns, **extra)
    return rewards.white_box(prompts, completions, alpha=alpha, **columns, **extra)


def from_verl(group, is_code: bool, alpha: float, folder) -> list[float]:
    """Score as verl's reward manager does: one at a time, the row as JSON out of parquet."""
    tables = [
        {"data_source": "execverify", "reward_model": {"ground_truth": json.dumps(row_of(case))}}
        for case in group
    ]
    pq.write_table(pa.Table.from_pylist(tables), folder / "train.parquet")
    loaded = pq.read_table(folder / "train.parquet").to_pylist()
    return [
        compute_score(
            row["data_source"],
            case.completion,
            row["reward_model"]["ground_truth"],
            {"index": 0},
            alpha=alpha,
        )
        for case, row in zip(group, loaded, strict=True)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("is_code", "alpha"), GROUPS, ids=[f"{'code' if c else 'runs'}-{a}" for c, a in GROUPS]
)
def test_every_published_case_earns_the_same_in_trl_in_verl_and_by_itself(tmp_path, is_code, alpha):
    # Programs take their time in the sandbox: every other one of them.
    group = GROUPS[is_code, alpha][:: 2 if is_code else 1]
    alone = [rewards.score(case.completion, row_of(case), alpha=alpha).total for case in group]
    assert None not in alone
    assert from_trl(group, is_code, alpha) == alone
    assert from_verl(group, is_code, alpha, tmp_path) == alone


ROW = {
    "task": "output",
    "source": "def f(n):\n    m = n * 2\n    return m + 1\n",
    "entry": "f",
    "call": "f(3)",
    "outcome": "returned",
    "output": {"type": "int", "literal": "7"},
    "exception": None,
    "questions": [
        {
            "kind": "state",
            "text": "?",
            "line": 2,
            "occurrence": 1,
            "variable": "m",
            "answers": [{"type": "int", "literal": "6"}],
        },
        {
            "kind": "executed",
            "text": "?",
            "line": 3,
            "occurrence": None,
            "variable": None,
            "answers": [{"type": "bool", "literal": "True"}],
        },
    ],
}
LINES = ("assert f(3) == 7", "assert f(3) == 8", "6; int", "6", "yes", "no", "3", "")


@given(
    st.lists(st.sampled_from(LINES), max_size=5),
    st.floats(0.0, 1.0),
    st.booleans(),
    st.sampled_from(["<answer>{}</answer>", "<answer>{}", "{}", "<answer></answer><answer>{}"]),
)
def test_any_answer_and_any_weight_earn_the_same(lines, alpha, gate, form):
    completion = form.format("\n" + "\n".join(lines) + "\n")
    alone = rewards.score(completion, ROW, alpha=alpha, gate=gate).total
    columns = {name: [value] for name, value in ROW.items()}
    (trl,) = rewards.white_box(["?"], [completion], alpha=alpha, gate=gate, **columns)
    verl = compute_score("execverify", completion, json.dumps(ROW), None, alpha=alpha, gate=gate)
    assert trl == verl == alone
