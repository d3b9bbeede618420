"""Nothing becomes visible before all of it is on disk: a loss of power leaves all or nothing."""

import os
from pathlib import Path

import pytest

from synth import folder, replacing, shard_files, work
from synth.spec import Spec

SPEC = Spec("easy", 4, 5)


@pytest.fixture
def unsynced(monkeypatch):
    """Collect, at each rename of a folder, what of it was not on disk then."""
    fsync, rename = os.fsync, Path.rename
    synced, found = set(), {}

    def sync(handle):
        fsync(handle)
        synced.add(os.readlink(f"/proc/self/fd/{handle}"))

    def look(self, target):
        if self.is_dir():
            places = {str(place) for place in (self, *self.rglob("*"))}
            found[Path(target).name] = sorted(places - synced)
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "rename", look)
    return synced, found


def test_a_finished_folder_is_on_disk_before_it_is_seen(tmp_path, unsynced):
    synced, found = unsynced
    data = tmp_path / "final" / "data" / "problems" / "train.parquet"
    data.parent.mkdir(parents=True)
    data.write_bytes(b"rows")
    folder.write_json(
        tmp_path / "final" / "manifest.json", {"build": work.identity(SPEC), "files": {}}
    )
    replacing.put(tmp_path / "final", tmp_path / "made")
    assert found == {"made": []}
    assert str(tmp_path) in synced  # and its name after that


def test_a_shard_is_on_disk_before_it_is_seen(tmp_path, unsynced):
    synced, found = unsynced
    shard_files.write_files({"a": b"1", "b": b"2"}, 3, tmp_path)
    assert found == {"shard-000003": []}
    assert str(tmp_path) in synced
