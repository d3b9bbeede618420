"""LLaMA-Factory itself: it finds the datasets by name and makes examples to train on.

Its multimodal half imports torchaudio, whose builds want CUDA's libraries; conversations of
text use nothing of it, so an empty module stands in for it where it does not load.
"""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

pytest.importorskip("llamafactory", reason="needs LLaMA-Factory (make test-exports)")

try:
    import torchaudio  # noqa: F401
except (ImportError, OSError):
    sys.modules["torchaudio"] = ModuleType("torchaudio")
    sys.modules["torchaudio"].__spec__ = ModuleSpec("torchaudio", None)


@pytest.fixture
def examples(exported, tokenizer, monkeypatch, tmp_path):
    """The train split, as its trainer gets it: token ids and labels."""
    monkeypatch.setenv("DISABLE_VERSION_CHECK", "1")
    from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
    from llamafactory.hparams import get_train_args

    model, data, training, _, _ = get_train_args(
        {
            "stage": "sft",
            "do_train": True,
            "model_name_or_path": "none",
            "cache_dir": str(tmp_path / "datasets"),
            "dataset_dir": str(exported["llama_factory"]),
            "dataset": "execverify_train",
            "template": "qwen",
            "cutoff_len": 100_000,
            "output_dir": str(tmp_path / "out"),
            "report_to": "none",
        }
    )
    template = get_template_and_fix_tokenizer(tokenizer, data)
    return get_dataset(template, model, data, training, stage="sft", tokenizer=tokenizer)[
        "train_dataset"
    ]


def test_its_trainer_gets_every_conversation_and_learns_the_reply(
    examples, exported, lines, tokenizer
):
    rows = lines(exported["llama_factory"] / "train.jsonl")
    assert len(examples) == len(rows)
    for example, row in zip(examples, rows, strict=True):
        asked, said = [turn["value"] for turn in row["conversations"]]
        assert asked in tokenizer.decode(example["input_ids"])
        taught = tokenizer.decode([id for id in example["labels"] if id >= 0])
        assert taught.removesuffix("<|im_end|>\n").removesuffix("<|im_end|>") == said
