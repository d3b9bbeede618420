"""OpenRLHF: prompts with labels, conversations, and a reward file that is loaded as it does."""

import importlib.util
import json

import pytest


def test_prompts_are_conversations_with_a_label_in_text(exported, lines):
    for row in lines(exported["openrlhf"] / "prompts_train.jsonl"):
        assert [message["role"] for message in row["prompt"]] == ["user"]
        assert json.loads(row["label"])["task"] == row["datasource"].removeprefix("execverify/")


def test_prompts_hold_nothing_that_it_takes_for_a_picture(exported, lines):
    for row in lines(exported["openrlhf"] / "prompts_train.jsonl"):
        assert "<image>" not in row["prompt"][0]["content"]


def test_a_conversation_ends_with_the_reply(exported, lines):
    for row in lines(exported["openrlhf"] / "sft_train.jsonl"):
        assert [message["role"] for message in row["messages"]] == ["user", "assistant"]


def test_the_reward_file_scores_a_query_without_its_prompt(exported, lines, replies):
    pytest.importorskip("torch", reason="OpenRLHF takes tensors (make test-models)")
    spec = importlib.util.spec_from_file_location("reward", exported["openrlhf"] / "reward.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rows = lines(exported["openrlhf"] / "prompts_train.jsonl")[:4]
    prompts = [row["prompt"][0]["content"] for row in rows]
    labels = [row["label"] for row in rows]
    queries = [prompt + reply for prompt, reply in zip(prompts, replies, strict=False)]
    right = module.reward_func(queries, prompts, labels)
    assert right["rewards"].tolist() == [2.0] * 4
    assert right["scores"].tolist() == [1.0] * 4
    assert right["extra_logs"]["machine_failed"].tolist() == [0.0] * 4
    wrong = module.reward_func(prompts, prompts, labels)
    assert wrong["rewards"].tolist() == [0.0] * 4
