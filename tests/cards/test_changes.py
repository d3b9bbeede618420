"""What changed between versions, and which version that needs."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cards.changes import changelog_entry, check_bump, compare
from cards.errors import VersionError
from cards.files import describe, read_json, write_json
from cards.versions import Version, read_version
from curricula.problem import SCHEMA

BEFORE = Version(1, 2, 0)


def rewrite(place, change, split="train"):
    """Change the rows of a split in place, with the manifest."""
    path = next(place.glob(f"data/problems/{split}-*"))
    rows = change(pq.read_table(path).to_pylist())
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)
    refresh(place)


def refresh(place, **facts):
    manifest = read_json(place / "manifest.json")
    write_json(place / "manifest.json", {**manifest, "files": describe(place), **facts})


def drop_two(rows):
    return rows[2:]


def rename_first(rows):
    rows[0]["tier"] = "trivial"
    return rows


def test_nothing_changed_is_a_patch(prepared, copy):
    difference = compare(prepared, BEFORE, copy)
    assert difference.kind == "patch"
    assert changelog_entry(Version(1, 2, 1), difference)["lines"][1] == (
        "No problem was added, removed or changed."
    )


def test_removed_and_changed_rows_are_a_minor_change(prepared, copy):
    rewrite(copy, drop_two)
    rewrite(copy, rename_first)
    difference = compare(prepared, BEFORE, copy)
    assert (difference.added, difference.removed, difference.changed) == (0, 2, 1)
    assert difference.kind == "minor"
    lines = changelog_entry(Version(1, 3, 0), difference)["lines"]
    assert "0 problems were added, 2 removed and 1 changed." in lines
    assert lines[0].startswith("Since 1.2.0: 60 to 58 problems (train")


def test_added_rows_are_counted_from_the_other_side(prepared, copy):
    rewrite(copy, drop_two)
    assert compare(copy, BEFORE, prepared).added == 2


def test_a_problem_in_another_split_is_a_major_change(prepared, copy):
    moved = []

    def take(rows):
        moved.append(rows[0])
        return rows[1:]

    rewrite(copy, take)
    other = next(s for s in ("validation", "test") if list(copy.glob(f"data/problems/{s}-*")))
    rewrite(copy, lambda rows: rows + moved, split=other)
    difference = compare(prepared, BEFORE, copy)
    assert (difference.moved, difference.kind) == (1, "major")


@pytest.mark.parametrize(
    ("columns", "kind", "said"),
    [
        ({"problems": {}}, "major", "problems.id is gone"),
        ({}, "major", "config problems is gone"),
        ({"problems": {"id": "int64"}}, "major", "problems.id has another type"),
        ({"problems": {"id": "string", "x": "int8"}}, "minor", "problems.x is new"),
        ({"problems": {"id": "string"}, "more": {}}, "minor", "config more is new"),
    ],
)
def test_columns_and_configs_decide(columns, kind, said, prepared, copy, tmp_path):
    import shutil

    old = tmp_path / "old"
    shutil.copytree(prepared, old)
    refresh(old, columns={"problems": {"id": "string"}})
    refresh(copy, columns=columns)
    difference = compare(old, BEFORE, copy)
    assert difference.kind == kind
    assert said in (*difference.breaking, *difference.additions)


def test_a_config_that_was_written_anew_is_a_minor_change(prepared, copy):
    path = next(copy.glob("data/sft/train-*"))
    pq.write_table(pq.read_table(path).slice(1), path)
    refresh(copy)
    difference = compare(prepared, BEFORE, copy)
    assert (difference.rewritten, difference.kind) == (("sft",), "minor")


@pytest.mark.parametrize(
    ("version", "refused"),
    [("1.2.1", True), ("1.2.9", True), ("1.3.0", False), ("1.4.2", False), ("2.0.0", False)],
)
def test_a_version_that_says_too_little_is_refused(version, refused, prepared, copy):
    rewrite(copy, drop_two)
    difference = compare(prepared, BEFORE, copy)
    if not refused:
        return check_bump(read_version(version), difference)
    with pytest.raises(VersionError, match=r"is too low after 1\.2\.0.*publish 1\.3\.0 or higher"):
        check_bump(read_version(version), difference)


def test_a_split_that_is_gone_is_a_major_change_and_one_more_a_minor_one(prepared, copy):
    path = next(p for p in sorted(copy.glob("data/sft/*")) if not p.name.startswith("train"))
    split = path.name.partition("-")[0]
    path.unlink()
    refresh(copy)
    less, more = compare(prepared, BEFORE, copy), compare(copy, BEFORE, prepared)
    assert (less.kind, less.breaking) == ("major", (f"sft has no more {split} split",))
    assert (more.kind, more.additions) == ("minor", (f"sft has now a {split} split",))
