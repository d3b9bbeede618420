"""A model that knows nothing, for tests of trainers."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def untrained_folder(untrained, tmp_path_factory):
    """Give a folder of the model that knows nothing, as any model lies on a disk."""
    folder = str(tmp_path_factory.mktemp("untrained"))
    for part in untrained:
        part.save_pretrained(folder)
    return folder
