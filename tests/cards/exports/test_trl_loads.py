"""TRL itself: its trainers take the files as they are, for a step with a model that knows nothing."""

import pytest

pytest.importorskip("trl", reason="needs TRL (make test-exports)")

from datasets import load_dataset
from transformers import LlamaConfig, LlamaForCausalLM
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

from rl.rewards import white_box

CPU = {"max_steps": 1, "report_to": [], "use_cpu": True, "bf16": False}


@pytest.fixture
def model(tokenizer):
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            intermediate_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
            max_position_embeddings=50_000,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def rows_of(folder, tmp_path):
    files = str(folder / "train.parquet")
    return load_dataset("parquet", data_files=files, split="train", cache_dir=str(tmp_path / "c"))


def test_its_grpo_trainer_hands_the_reward_every_column(exported, model, tokenizer, tmp_path):
    rows = rows_of(exported["trl_grpo"], tmp_path).select(range(2))
    seen = []

    def reward(prompts, completions, **columns):
        seen.append((prompts, columns))
        return white_box(prompts=prompts, completions=completions, **columns)

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=reward,
        train_dataset=rows,
        args=GRPOConfig(
            output_dir=str(tmp_path / "out"),
            per_device_train_batch_size=2,
            num_generations=2,
            max_completion_length=4,
            **CPU,
        ),
    )
    trainer.train()
    ((prompts, columns),) = seen
    assert prompts[0] == prompts[1]
    (row,) = [row for row in rows if row["prompt"] == prompts[0]]
    assert {name: columns[name][0] for name in row if name != "prompt"} == {
        name: value for name, value in row.items() if name != "prompt"
    }
    assert trainer.state.log_history[0]["reward"] == 0.0


def test_its_sft_trainer_makes_examples_of_the_conversations(exported, model, tokenizer, tmp_path):
    rows = rows_of(exported["trl_sft"], tmp_path).select(range(4))
    trainer = SFTTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=rows,
        args=SFTConfig(
            output_dir=str(tmp_path / "out"),
            per_device_train_batch_size=2,
            max_length=None,
            **CPU,
        ),
    )
    texts = [tokenizer.decode(example["input_ids"]) for example in trainer.train_dataset]
    assert texts == [tokenizer.apply_chat_template(row["messages"], tokenize=False) for row in rows]
    trainer.train()
    assert trainer.state.log_history[0]["train_loss"] > 0
