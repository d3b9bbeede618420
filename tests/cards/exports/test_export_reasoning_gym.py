"""reasoning-gym: entries with the three keys of its datasets, worth all by our rewards."""

import pytest

from rl.rewards import score


@pytest.fixture(scope="module")
def entries(exported, lines):
    return lines(exported["reasoning_gym"] / "train.jsonl")


def test_an_entry_has_the_keys_and_types_of_its_datasets(entries):
    for index, entry in enumerate(entries):
        assert list(entry) == ["question", "answer", "metadata"]
        assert entry["question"]
        assert entry["answer"]
        assert entry["metadata"]["source_index"] == index
        assert entry["metadata"]["source_dataset"].startswith("execverify_")


def test_the_answer_is_worth_all_by_the_row_of_its_metadata(entries, replies):
    for entry, reply in zip(entries[:20], replies, strict=False):
        assert score(reply, entry["metadata"]["row"]).total == 2.0
