"""OpenRLHF itself: its datasets read the files, its agent loads the reward and asks it."""

import asyncio
from types import SimpleNamespace

import pytest

pytest.importorskip("openrlhf", reason="needs OpenRLHF (make test-exports)")

from openrlhf.datasets import PromptDataset, SFTDataset
from openrlhf.datasets.utils import blending_datasets
from openrlhf.utils.agent import SingleTurnAgentExecutor


def strategy(**data):
    """What its datasets ask of a training strategy, with the options after ``--data.``."""
    return SimpleNamespace(
        args=SimpleNamespace(data=SimpleNamespace(apply_chat_template=True, **data), use_ms=False),
        is_rank_0=lambda: False,
        print=lambda *_: None,
    )


class Reciter:
    """An engine whose model says what it was told to."""

    def __init__(self, ids):
        self.ids = ids

    async def generate(self, *_, **__):
        said = SimpleNamespace(token_ids=self.ids, finish_reason="stop", logprobs=None)
        return SimpleNamespace(outputs=[said])


@pytest.fixture
def prompts(exported, tokenizer, own_cache):
    options = strategy(input_key="prompt", label_key="label")
    file = str(exported["openrlhf"] / "prompts_train.jsonl")
    return PromptDataset(blending_datasets(file, None, options), tokenizer, options)


def test_its_prompt_dataset_yields_every_prompt_in_the_chat_template(prompts, exported, lines):
    rows = lines(exported["openrlhf"] / "prompts_train.jsonl")
    assert len(prompts) == len(rows)
    for (source, prompt, label, images), row in zip(prompts, rows, strict=True):
        assert prompt == f"<user>{row['prompt'][0]['content']}<eos><assistant>"
        assert (source, label, images) == (row["datasource"], row["label"], None)


def test_its_agent_gets_the_reward_of_what_the_model_said(prompts, exported, tokenizer, replies):
    agent = SingleTurnAgentExecutor(str(exported["openrlhf"] / "reward.py"))
    sampling = SimpleNamespace(max_tokens=1000, logprobs=None)

    def rewarded(index, reply):
        _, prompt, label, _ = prompts[index]
        engine = Reciter(tokenizer.encode(reply + "<eos>"))
        return asyncio.run(agent.execute(prompt, label, sampling, 100_000, tokenizer, engine))

    for index in range(5):
        right = rewarded(index, replies[index])
        assert (right["reward"].item(), right["scores"].item()) == (2.0, 1.0)
        wrong = rewarded(index, "<answer>\nnothing\n</answer>")
        assert (wrong["reward"].item(), wrong["scores"].item()) == (0.0, 0.0)


def test_its_sft_dataset_learns_the_replies_and_nothing_else(exported, lines, tokenizer, own_cache):
    options = strategy(input_key="messages")
    file = str(exported["openrlhf"] / "sft_train.jsonl")
    rows = lines(exported["openrlhf"] / "sft_train.jsonl")
    data = blending_datasets(file, None, options)
    dataset = SFTDataset(data, tokenizer, 100_000, options, num_processors=1)
    assert len(dataset) == len(rows)
    for (ids, _, learned), row in zip((dataset[i] for i in range(5)), rows, strict=False):
        # A position predicts the token after it, so the mask is one place to the left.
        taught = ids[0][1:][learned[0][:-1].bool()]
        assert tokenizer.decode(taught) == row["messages"][-1]["content"] + "<eos>"
