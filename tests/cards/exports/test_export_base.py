"""What holds for every format: which there are, what is refused, and that no row is lost."""

import pyarrow.parquet as pq
import pytest
from datasets import load_dataset

from cards import export
from cards.exports import EXPORTS
from cards.layout import SPLITS
from tracing.errors import UsageError

ROWS = {
    "jsonl": ("problems", "{}.jsonl"),
    "trl_grpo": ("stage1", "{}.parquet"),
    "trl_sft": ("sft", "{}.parquet"),
    "verl": ("stage1", "stage1_{}.parquet"),
    "llama_factory": ("sft", "{}.jsonl"),
    "openrlhf": ("stage1", "prompts_{}.jsonl"),
    "reasoning_gym": ("stage1", "{}.jsonl"),
    "verifiers": ("stage1", "execverify_curriculum/data/{}.parquet"),
}


def test_every_format_is_tested_here():
    assert ROWS.keys() == EXPORTS.keys()


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("name", ROWS)
def test_datasets_loads_every_row_of_a_format(name, split, exported, prepared, tmp_path):
    config, file = ROWS[name]
    path = exported[name] / file.format(split)
    if not list(prepared.glob(f"data/{config}/{split}-*")):
        assert not path.exists()  # a split without rows has no file, here as there
        return
    kind = "parquet" if path.suffix == ".parquet" else "json"
    rows = load_dataset(kind, data_files=str(path), split="train", cache_dir=str(tmp_path))
    of_config = prepared.glob(f"data/{config}/{split}-*")
    assert len(rows) == sum(pq.read_metadata(p).num_rows for p in of_config)


def test_an_export_is_the_same_from_memory_and_from_its_folder(built, exported, tmp_path):
    from synth import folder

    export(folder.load(built), "jsonl", tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        assert path.read_bytes() == (exported["jsonl"] / path.name).read_bytes()


def test_a_published_folder_is_exported_as_its_build_is(prepared, exported, tmp_path):
    export(prepared, "verl", tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        assert path.read_bytes() == (exported["verl"] / path.name).read_bytes()


def test_an_unknown_format_is_refused_with_those_there_are(built, tmp_path):
    with pytest.raises(UsageError, match=r"no export format 'tfrecord'; choose of jsonl, .*verl"):
        export(built, "tfrecord", tmp_path / "out")


def test_a_folder_with_something_in_it_is_left_alone(built, tmp_path):
    (tmp_path / "mine").write_text("")
    with pytest.raises(UsageError, match="is there already; choose another folder"):
        export(built, "jsonl", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
