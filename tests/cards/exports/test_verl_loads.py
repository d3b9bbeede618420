"""verl itself: its RLHFDataset reads the files, its reward manager asks our function."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

pytest.importorskip("verl", reason="needs verl (make test-exports)")

import torch
from omegaconf import OmegaConf
from verl import DataProto
from verl.trainer.ppo.reward import load_reward_manager
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn

from rl.adapters import verl as adapter

REWARD = {
    "custom_reward_function": {"path": str(Path(adapter.__file__)), "name": "compute_score"},
    "reward_manager": {"source": "register", "name": "naive"},
}


@pytest.fixture
def read(exported, tokenizer, own_cache, tmp_path):
    """Reads a file of the export as a trainer does, with its filter of long prompts."""

    def load(name):
        config = OmegaConf.create(
            {
                "cache_dir": str(tmp_path / "verl"),
                "max_prompt_length": 100_000,
                "filter_overlong_prompts_workers": None,
            }
        )
        return RLHFDataset(str(exported["verl"] / name), tokenizer, config)

    return load


@pytest.fixture
def rewarded(tokenizer):
    """The rewards of replies to rows, by the manager that verl takes if none is named."""
    manager = load_reward_manager(OmegaConf.create({"reward": REWARD}), tokenizer)

    def score(rows, replies):
        rewards = []
        for row, reply in zip(rows, replies, strict=True):
            batch = collate_fn([row])
            ids = torch.tensor([tokenizer.encode(reply)])
            batch |= {"responses": ids, "attention_mask": torch.ones_like(ids)}
            made = manager.loop.run_until_complete(
                manager.run_single(DataProto.from_single_dict(batch))
            )
            rewards.append(made["reward_score"])
        return rewards

    return score


@pytest.mark.parametrize("stage", ["stage1", "stage2"])
def test_its_dataset_yields_every_prompt_with_what_the_reward_needs(stage, read, exported):
    name = f"{stage}_train.parquet"
    written = pq.read_table(exported["verl"] / name).to_pylist()
    rows = list(read(name))
    assert len(rows) == len(written)
    for row, wanted in zip(rows, written, strict=True):
        assert row["raw_prompt"] == wanted["prompt"]
        assert row["reward_model"] == wanted["reward_model"]
        assert row["data_source"] == wanted["data_source"]
        assert row["index"] == wanted["extra_info"]["index"]


def test_its_reward_manager_gives_right_replies_all_and_wrong_ones_nothing(read, rewarded, replies):
    dataset = read("stage1_train.parquet")
    rows = [dataset[index] for index in range(10)]
    assert rewarded(rows, replies[:10]) == [2.0] * 10
    assert rewarded(rows, ["<answer>\nnothing\n</answer>"] * 10) == [0.0] * 10


def test_its_reward_manager_runs_the_tests_of_a_program(read, rewarded, prepared):
    (path,) = prepared.glob("data/stage2/train-*")
    solutions = pq.read_table(path)["solution"].to_pylist()[:2]
    right = [f"<answer>\n```python\n{text}```\n</answer>" for text in solutions]
    dataset = read("stage2_train.parquet")
    rows = [dataset[index] for index in range(len(right))]
    assert all(reward > 0 for reward in rewarded(rows, right))
    assert rewarded(rows, ["no program"] * len(right)) == [0.0] * len(right)
