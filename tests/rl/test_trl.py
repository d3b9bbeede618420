"""The rewards in TRL's own trainer: one step of GRPO with a model that knows nothing."""

from __future__ import annotations

import pytest

from rl import rewards

pytest.importorskip("trl", reason="needs the extra rl (make test-models)")

pytestmark = pytest.mark.slow

ROW = {
    "prompt": [{"role": "user", "content": "f(3)?"}],
    "task": "output",
    "source": "def f(n):\n    return n\n",
    "entry": "f",
    "call": "f(3)",
    "output": {"type": "int", "literal": "3"},
    "exception": None,
    "questions": [
        {"kind": "executed", "line": 2, "answers": [{"type": "bool", "literal": "True"}]},
    ],
}


def untrained():
    """Make a model of a few thousand weights, and a tokenizer of bytes."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: place for place, letter in enumerate([*letters, "<end>", "<pad>"])}
    bytes_only = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bytes_only.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_only.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bytes_only, eos_token="<end>", pad_token="<pad>"
    )
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        eos_token_id=vocabulary["<end>"],
        pad_token_id=vocabulary["<pad>"],
    )
    return LlamaForCausalLM(config), tokenizer


def test_grpo_takes_the_reward_with_its_columns(tmp_path):
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    seen: list[list[float | None]] = []

    def white_box(prompts, completions, **columns):
        seen.append(rewards.white_box(prompts, completions, **columns))
        return seen[-1]

    model, tokenizer = untrained()
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=white_box,
        train_dataset=Dataset.from_list([ROW] * 2),
        args=GRPOConfig(
            output_dir=str(tmp_path),
            per_device_train_batch_size=4,
            num_generations=2,
            max_completion_length=8,
            max_steps=1,
            report_to=[],
            use_cpu=True,
            bf16=False,
        ),
    )
    trainer.train()
    assert [len(given) for given in seen] == [4]
    assert seen[0] == [0.0] * 4
    logged = {name for entry in trainer.state.log_history for name in entry}
    assert {"io", "white", "infrastructure_errors", "white_executed"} <= logged
