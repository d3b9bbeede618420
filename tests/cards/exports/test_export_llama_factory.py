"""LLaMA-Factory: sharegpt conversations, and the dataset_info.json that names their columns."""

import json


def test_every_file_is_described_as_sharegpt(exported):
    place = exported["llama_factory"]
    described = json.loads((place / "dataset_info.json").read_text())
    files = {f"execverify_{path.stem}": path.name for path in place.glob("*.jsonl")}
    assert {name: facts["file_name"] for name, facts in described.items()} == files
    assert "execverify_train" in files
    for facts in described.values():
        assert facts["formatting"] == "sharegpt"
        assert facts["columns"] == {"messages": "conversations"}


def test_turns_alternate_between_its_default_tags(exported, lines):
    for row in lines(exported["llama_factory"] / "train.jsonl"):
        assert [turn["from"] for turn in row["conversations"]] == ["human", "gpt"]
        assert all(turn["value"].strip() for turn in row["conversations"])


def test_conversations_are_those_of_sft(exported, lines, prepared):
    import pyarrow.parquet as pq

    (path,) = prepared.glob("data/sft/test-*")
    wanted = [[m["content"] for m in row["messages"]] for row in pq.read_table(path).to_pylist()]
    rows = lines(exported["llama_factory"] / "test.jsonl")
    assert [[turn["value"] for turn in row["conversations"]] for row in rows] == wanted
