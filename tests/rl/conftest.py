"""A model that knows nothing, for tests of trainers."""

from __future__ import annotations

from pathlib import Path

import pytest

from curricula import prompts


@pytest.fixture(scope="session")
def untrained():
    """Make a model of a few thousand weights, and its tokenizer."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    # Words of prompts are tokens, which keeps prompts short.
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=800,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        special_tokens=["<end>", "<pad>"],
        show_progress=False,
    )
    words.train_from_iterator([Path(prompts.__file__).read_text()], trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, eos_token="<end>", pad_token="<pad>"
    )
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config), tokenizer


@pytest.fixture(scope="session")
def untrained_folder(untrained, tmp_path_factory):
    """Give a folder of the model that knows nothing, as any model lies on a disk."""
    folder = str(tmp_path_factory.mktemp("untrained"))
    for part in untrained:
        part.save_pretrained(folder)
    return folder
