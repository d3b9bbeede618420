"""TRL: its own functions take the prompts and conversations, and the reward its columns."""

import pytest
from datasets import load_dataset

from rl.rewards import white_box

TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"


def rows_of(folder, tmp_path):
    files = str(folder / "train.parquet")
    return load_dataset("parquet", data_files=files, split="train", cache_dir=str(tmp_path))


def test_the_reward_gets_its_columns_as_the_trainer_hands_them_over(exported, replies, tmp_path):
    batch = rows_of(exported["trl_grpo"], tmp_path)[:8]
    completions = [[{"role": "assistant", "content": reply}] for reply in replies[:8]]
    prompts = batch.pop("prompt")
    assert white_box(prompts=prompts, completions=completions, **batch) == [2.0] * 8


@pytest.mark.parametrize(("name", "key"), [("trl_grpo", "prompt"), ("trl_sft", "messages")])
def test_trl_knows_its_conversations(name, key, exported, tmp_path):
    trl = pytest.importorskip("trl.data_utils", reason="needs the extra rl (make test-models)")
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE()))
    tokenizer.chat_template = TEMPLATE
    for row in rows_of(exported[name], tmp_path).select(range(5)):
        assert trl.is_conversational(row)
        said = trl.apply_chat_template({key: row[key]}, tokenizer)
        (text,) = said.values()
        assert text == "".join(f"<{m['role']}>{m['content']}" for m in row[key])
