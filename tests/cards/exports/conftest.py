"""Every format, written once from the small build, and a tokenizer that loses nothing."""

from __future__ import annotations

import json

import pytest

from cards.exports import EXPORTS, export


@pytest.fixture(scope="session")
def exported(built, tmp_path_factory):
    """Folders by format; not to be changed."""
    out = tmp_path_factory.mktemp("exported")
    for name in EXPORTS:
        export(built, name, out / name)
    return {name: out / name for name in EXPORTS}


@pytest.fixture(scope="session")
def lines():
    """Reads a file of JSON lines."""
    return lambda path: [json.loads(line) for line in path.read_text().split("\n")[:-1]]


@pytest.fixture(scope="session")
def replies(exported, lines):
    """Right replies to the prompts of the train split, in order."""
    entries = lines(exported["reasoning_gym"] / "train.jsonl")
    return [f"<answer>\n{entry['answer']}\n</answer>" for entry in entries]


TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}<eos>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


@pytest.fixture
def tokenizer():
    """A tokenizer of bytes with a chat template: what it encodes, it decodes."""
    transformers = pytest.importorskip(
        "transformers", reason="needs transformers (make test-exports)"
    )
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytes_alone = Tokenizer(models.BPE({char: id for id, char in enumerate(alphabet)}, []))
    bytes_alone.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bytes_alone.decoder = decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=bytes_alone,
        eos_token="<eos>",
        pad_token="<pad>",
        chat_template=TEMPLATE,
    )


@pytest.fixture
def own_cache(monkeypatch, tmp_path):
    """A folder for what ``datasets`` keeps, for consumers that name none."""
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "datasets"))
