"""Builds that end at an address; fsspec's own memory stands for an object store."""

from dataclasses import fields
from pathlib import Path

import fsspec
import pytest

from synth import remote, work
from synth.build import build_folder, build_shards
from synth.report import BuildReport
from synth.spec import Spec
from tests.synth.building import SPEC, digests
from tracing.errors import InfrastructureError, UsageError

URL = "memory://bucket/made"


@pytest.fixture(autouse=True)
def _places(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield
    fsspec.filesystem("memory").store.clear()


def fetched(tmp_path):
    system = fsspec.filesystem("memory")
    system.get("/bucket/made", str(tmp_path / "fetched"), recursive=True)
    return digests(tmp_path / "fetched")


@pytest.mark.slow
def test_an_address_gets_the_bytes_of_a_local_build(undisturbed, tmp_path):
    made = build_folder(SPEC, URL, workers=2)
    assert fetched(tmp_path) == undisturbed
    assert list((tmp_path / "cache").rglob("*.parquet")) == []
    assert build_folder(SPEC, URL).problems == made.problems  # at once: it is there
    with pytest.raises(UsageError, match="another build"):
        build_folder(Spec("easy", 51, 3), URL)


@pytest.mark.slow
def test_a_file_address_is_a_folder(undisturbed, tmp_path):
    build_folder(SPEC, f"file://{tmp_path}/made", workers=2)
    assert digests(tmp_path / "made") == undisturbed


def a_build(tmp_path):
    """Write a folder that looks as a finished build does."""
    from synth import folder

    made = tmp_path / "local"
    rows = {
        folder.data_file(config, split, 0, 1): SPEC.size if split == "train" else 0
        for config in ("problems", "trace")
        for split in folder.SPLITS
    }
    for name in rows:
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(b"rows")
    files = folder.described(made, rows)
    folder.write_json(made / "manifest.json", {"build": work.identity(SPEC), "files": files})
    facts = dict.fromkeys(field.name for field in fields(BuildReport))
    folder.write_json(made / "report.json", facts)
    return made


def test_the_manifest_is_sent_last_and_taken_away_first(tmp_path, monkeypatch):
    from fsspec.implementations.memory import MemoryFileSystem

    done = []
    put, rm = MemoryFileSystem.put_file, MemoryFileSystem.rm_file
    monkeypatch.setattr(
        MemoryFileSystem,
        "put_file",
        lambda self, a, b, **k: (done.append(("put", b)), put(self, a, b, **k)),
    )
    monkeypatch.setattr(
        MemoryFileSystem, "rm_file", lambda self, a: (done.append(("rm", a)), rm(self, a))
    )
    made = a_build(tmp_path)
    remote.upload(made, URL)
    assert done[-1] == ("put", "/bucket/made/manifest.json")
    del done[:]
    remote.upload(made, URL)
    assert done[0] == ("rm", "/bucket/made/manifest.json")
    assert done[-1] == ("put", "/bucket/made/manifest.json")


def test_a_folder_that_was_not_sent_to_its_end_is_not_there(tmp_path):
    made = a_build(tmp_path)
    remote.upload(made, URL)
    fsspec.filesystem("memory").rm_file("/bucket/made/manifest.json")
    assert remote.report_of(URL, work.identity(SPEC)) is None
    remote.upload(made, URL)
    assert fsspec.filesystem("memory").exists("/bucket/made/manifest.json")


@pytest.mark.parametrize("url", ["nothing://a/b", "://", "a\0://b"])
def test_an_address_of_no_kind_is_a_sentence(url):
    with pytest.raises(UsageError, match=r"\w+ \w+ \w+"):
        build_folder(SPEC, url)


def test_an_address_that_cannot_be_reached_is_a_sentence():
    with pytest.raises((InfrastructureError, UsageError), match=r"127\.0\.0\.1:1"):
        build_folder(SPEC, "ftp://127.0.0.1:1/made")


def test_shards_need_a_shared_folder():
    with pytest.raises(UsageError, match="folder that all makers share"):
        build_shards(SPEC, URL, [0])


SMALL = Spec("easy", 4, 5)
TRAIN = "data/problems/train-00000-of-00001.parquet"


def no_shards(*_):
    raise AssertionError("a shard was made")


@pytest.mark.slow
@pytest.mark.parametrize("force", [False, True])
def test_a_build_that_could_not_be_sent_is_not_made_again(tmp_path, monkeypatch, force):
    from fsspec.implementations.memory import MemoryFileSystem

    put = MemoryFileSystem.put_file

    def fail(self, source, target, **options):
        if target.endswith(TRAIN):
            raise ConnectionResetError("the line is dead")
        put(self, source, target, **options)

    with monkeypatch.context() as patched:
        patched.setattr(MemoryFileSystem, "put_file", fail)
        with pytest.raises(InfrastructureError, match="dead; what was built is kept"):
            build_folder(SMALL, URL, workers=1)
    monkeypatch.setattr("synth.build.executor_of", lambda _: (no_shards, ""))
    begun = []
    assert build_folder(SMALL, URL, force=force, begin=begun.append).problems == 4
    assert begun == ["It was built before, and is sent now"]
    assert TRAIN in fetched(tmp_path)
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


def kept(spec, url):
    """Build in the folder where a build for an address is made, as one that was not sent."""
    place = remote.staging_of(url, work.identity(spec))
    build_folder(spec, place, workers=1)
    return place


@pytest.mark.slow
def test_what_was_kept_is_made_again_where_it_was_damaged(tmp_path):
    place = kept(SMALL, URL)
    whole = digests(place)
    (place / TRAIN).write_bytes((place / TRAIN).read_bytes()[:-1])
    (place / "mine.txt").write_text("nobody writes here")
    build_folder(SMALL, URL, workers=1)
    assert fetched(tmp_path) == whole


@pytest.mark.slow
def test_two_do_not_send_one_build_at_a_time():
    with (
        work.sending(kept(SMALL, URL)),
        pytest.raises(UsageError, match=r"another process sends .*; wait for its end"),
    ):
        build_folder(SMALL, URL)
    assert fsspec.filesystem("memory").find("/bucket/made") == []
    build_folder(SMALL, URL)
    with pytest.raises(UsageError, match="another process has sent"), work.sending(Path("gone")):
        pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "damage"), [(URL, "missing"), ("memory://data", "cut off")], ids=lambda given: given
)
def test_a_damaged_build_at_an_address_is_sent_again(url, damage):
    system = fsspec.filesystem("memory")
    build_folder(SMALL, url, workers=1)
    whole = system.cat(f"{url}/{TRAIN}")
    system.rm_file(f"{url}/{TRAIN}")
    if damage == "cut off":
        system.pipe_file(f"{url}/{TRAIN}", whole[:-1])
    system.pipe_file(f"{url}/data/mine.txt", b"years of work")
    with pytest.raises(UsageError, match=r"holds data/mine\.txt, which the build did not write"):
        build_folder(SMALL, url, workers=1)
    system.rm_file(f"{url}/data/mine.txt")
    begun = []
    build_folder(SMALL, url, workers=1, begin=begun.append)
    assert begun[0].startswith(f"Damaged, so it is built again: {TRAIN}")
    assert system.cat(f"{url}/{TRAIN}") == whole


def test_an_address_that_cannot_be_written_is_told_before_the_work(monkeypatch):
    from fsspec.implementations.memory import MemoryFileSystem

    def refuse(*_, **__):
        raise PermissionError("you may only read")

    monkeypatch.setattr(MemoryFileSystem, "pipe_file", refuse)
    monkeypatch.setattr("synth.build.executor_of", lambda _: (no_shards, ""))
    with pytest.raises(InfrastructureError, match="you may only read"):
        build_folder(SMALL, URL)


def test_the_trial_of_an_address_leaves_nothing_there():
    remote.check_writable(URL)
    assert fsspec.filesystem("memory").find("/bucket/made") == []
