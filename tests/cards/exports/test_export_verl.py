"""verl: the columns of its RLHFDataset, and a ground truth that its reward function scores."""

import pyarrow.parquet as pq
import pytest

from cards.exports.verl import SCHEMA
from rl.adapters.verl import compute_score


@pytest.fixture(scope="module")
def rows(exported):
    return pq.read_table(exported["verl"] / "stage1_train.parquet").to_pylist()


def test_columns_are_those_that_verl_reads(exported):
    assert pq.read_schema(exported["verl"] / "stage2_test.parquet").equals(SCHEMA)
    names = ["data_source", "prompt", "ability", "reward_model", "extra_info"]
    assert SCHEMA.names == names


def test_a_prompt_is_a_conversation_and_the_rule_is_named(rows):
    for index, row in enumerate(rows):
        assert [message["role"] for message in row["prompt"]] == ["user"]
        assert row["reward_model"]["style"] == "rule"
        assert row["extra_info"]["index"] == index


def test_right_replies_are_worth_all_by_their_ground_truth(rows, replies):
    for row, reply in zip(rows[:20], replies, strict=False):
        truth = row["reward_model"]["ground_truth"]
        assert compute_score(row["data_source"], reply, truth, row["extra_info"]) == 2.0
        assert compute_score(row["data_source"], "", truth, row["extra_info"]) == 0.0


def test_a_program_is_scored_by_its_tests(exported, prepared):
    rows = pq.read_table(exported["verl"] / "stage2_train.parquet").to_pylist()
    (path,) = prepared.glob("data/stage2/train-*")
    solution = pq.read_table(path).to_pylist()[0]["solution"]
    reply = f"<answer>\n```python\n{solution}```\n</answer>"
    truth = rows[0]["reward_model"]["ground_truth"]
    assert compute_score("execverify/code", reply, truth) > compute_score(
        "execverify/code", "", truth
    )
