"""Staging: every config is written, and what must not be published is refused."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import DatasetDict

from cards.errors import DatasetError
from cards.files import FILE_ROWS, GROUP_ROWS, Shards, read_json
from cards.staging import stage
from curricula.problem import SCHEMA, from_row
from curricula.views import trace as traces
from synth import folder
from tracing.errors import UsageError


def rows_of(place, config):
    paths = sorted(place.glob(f"data/{config}/*.parquet"))
    return [row for path in paths for row in pq.read_table(path).to_pylist()]


def test_every_config_is_there_and_says_what_it_should(prepared):
    problems = {row["id"]: row for row in rows_of(prepared, "problems")}
    assert len(problems) == 60
    for tier in ("easy", "medium", "hard"):
        ids = [row["id"] for row in rows_of(prepared, tier)]
        assert sorted(ids) == sorted(i for i, row in problems.items() if row["tier"] == tier)
    assert [r["id"] for r in rows_of(prepared, "trace")] == list(problems)
    for config in ("stage1", "sft"):
        tasks = [(row["id"], row["task"]) for row in rows_of(prepared, config)]
        assert tasks == [(i, task) for i in problems for task in ("output", "input")]
    assert {row["solution"] for row in rows_of(prepared, "stage2")} <= {
        row["source"] for row in problems.values()
    }


def test_the_trace_of_a_problem_is_its_run(prepared):
    runs = {row["id"]: row for row in rows_of(prepared, "trace")}
    for row in rows_of(prepared, "problems"):
        problem = from_row(row)
        trace = traces.from_row(runs[problem.id], problem.source, problem.call)
        assert trace.output == problem.output
        assert len(trace.steps) == problem.structure.steps


def test_a_dataset_in_memory_gives_the_same_files_as_its_folder(built, prepared, tmp_path):
    place = stage(folder.load(built), tmp_path / "memory")
    mine, theirs = (read_json(p / "manifest.json")["files"] for p in (place, prepared))
    assert mine == theirs


def test_only_the_configs_that_are_asked_for_are_written(built, tmp_path):
    place = stage(built, tmp_path / "some", configs=["sft"])
    assert sorted(p.name for p in place.glob("data/*")) == ["problems", "sft"]


def test_files_are_compressed_by_zstd(prepared):
    for path in prepared.glob("data/*/*.parquet"):
        group = pq.ParquetFile(path).metadata.row_group(0)
        assert {group.column(i).compression for i in range(group.num_columns)} == {"ZSTD"}


def test_long_splits_are_cut_into_groups_and_files(tmp_path):
    schema = pa.schema([("n", pa.int64())])
    total = FILE_ROWS + GROUP_ROWS + 5
    with Shards(tmp_path, "problems", "train", schema) as shards:
        for start in range(0, total, 999):
            rows = range(start, min(start + 999, total))
            shards.write(pa.table({"n": list(rows)}, schema=schema))
    paths = sorted(tmp_path.glob("data/problems/*"))
    assert [p.name for p in paths] == [f"train-0000{n}-of-00002.parquet" for n in (0, 1)]
    files = [pq.ParquetFile(path) for path in paths]
    groups = [[f.metadata.row_group(g).num_rows for g in range(f.num_row_groups)] for f in files]
    assert groups == [[GROUP_ROWS] * (FILE_ROWS // GROUP_ROWS), [GROUP_ROWS, 5]]
    assert [n for path in paths for n in pq.read_table(path)["n"].to_pylist()] == list(range(total))


def changed(built, change):
    """The build in memory, with the rows of its splits changed by a function."""
    made = folder.load(built)
    rows = change({split: made[split].to_list() for split in made})
    from datasets import Dataset

    return DatasetDict(
        {s: Dataset(pa.Table.from_pylist(part, schema=SCHEMA)) for s, part in rows.items()}
    )


def test_a_family_in_two_splits_is_refused(built, tmp_path):
    def cross(rows):
        first, other = rows["train"][0], rows["train"][1]
        other["family"] = first["family"]
        return {"train": rows["train"][:1], "test": [other]}

    with pytest.raises(DatasetError, match="relatives must not cross splits"):
        stage(changed(built, cross), tmp_path / "out")


def test_a_problem_that_stands_twice_is_refused(built, tmp_path):
    def twice(rows):
        return {"train": rows["train"][:3] + rows["train"][:1]}

    with pytest.raises(DatasetError, match="in the dataset twice"):
        stage(changed(built, twice), tmp_path / "out")


def test_a_dataset_without_problems_is_refused(built, tmp_path):
    with pytest.raises(DatasetError, match="no problem"):
        stage(changed(built, lambda rows: {"train": []}), tmp_path / "out")


def test_a_file_that_was_changed_after_the_build_is_refused(built, tmp_path):
    import shutil

    place = tmp_path / "changed"
    shutil.copytree(built, place)
    path = next(place.glob("data/problems/train-*"))
    pq.write_table(pq.read_table(path).slice(1), path)
    with pytest.raises(DatasetError, match=r"is not the file that manifest\.json describes"):
        stage(place, tmp_path / "out")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nowhere", "there is no folder"),
        ({}, "a dataset is a DatasetDict"),
        ({"rows": []}, "a dataset is a DatasetDict"),
        (3, "a dataset is a DatasetDict"),
    ],
    ids=["no folder", "empty", "other splits", "a number"],
)
def test_what_is_no_dataset_is_named(given, said, tmp_path):
    with pytest.raises(UsageError, match=said):
        stage(given, tmp_path / "out")


def test_a_folder_without_a_manifest_is_named(tmp_path):
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match=r"has no manifest\.json; give a folder that synth build"):
        stage(tmp_path / "other", tmp_path / "out")


def test_a_manifest_that_is_no_json_is_named(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "manifest.json").write_text("{")
    with pytest.raises(DatasetError, match="is no JSON"):
        stage(tmp_path / "other", tmp_path / "out")


def test_a_published_folder_can_be_staged_again(prepared, tmp_path):
    place = stage(prepared, tmp_path / "again")
    files = json.loads((place / "manifest.json").read_text())["files"]
    assert files == read_json(prepared / "manifest.json")["files"]
