"""What no build has made is never replaced, whatever a command is asked."""

import json

import fsspec
import pytest

from synth import folder, remote, replacing, work
from synth.build import build_folder
from synth.regrade import grade_folder
from synth.spec import Spec
from tests.synth.building import COMMAND, SPEC, digests, finish, start
from tracing.errors import UsageError

SMALL = Spec("easy", 5, 3)
FOREIGN = {
    "a folder of notes": {"notes.txt": "years of work"},
    "an extension's manifest": {"manifest.json": '{"manifest_version": 3, "files": {}}'},
    "a damaged manifest": {"manifest.json": '{"files": {'},
    "a bundler's build.json": {"build.json": '{"spec": "x"}'},
    "nothing at all": {},
}


def write(place, files):
    place.mkdir(parents=True)
    for name, text in files.items():
        (place / name).write_text(text)
    return place


@pytest.mark.parametrize("files", FOREIGN.values(), ids=FOREIGN)
def test_force_does_not_replace_a_folder_that_no_build_made(tmp_path, files):
    place = write(tmp_path / "made", files)
    before = digests(place)
    with pytest.raises(UsageError, match="made is no folder that a build made"):
        build_folder(SMALL, place, force=True)
    assert digests(place) == before
    assert list(tmp_path.iterdir()) == [place]


def test_force_does_not_replace_a_file_or_a_link_to_nowhere(tmp_path):
    (tmp_path / "file").write_text("years of work")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("file", "link"):
        with pytest.raises(UsageError, match=f"{name} is no folder that a build made"):
            build_folder(SMALL, tmp_path / name, force=True)
    assert (tmp_path / "file").read_text() == "years of work"
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("name", [".made.partial", ".made.replaced"])
def test_a_hidden_folder_that_no_build_made_is_not_removed(tmp_path, name):
    place = write(tmp_path / name, {"notes.txt": "years of work"})
    with pytest.raises(UsageError, match=f"{name} is no folder that a build made"):
        build_folder(SMALL, tmp_path / "made", workers=1)
    assert (place / "notes.txt").read_text() == "years of work"


def test_force_replaces_a_build_and_what_a_killed_one_left(tmp_path):
    out = tmp_path / "made"
    build_folder(SMALL, out, workers=1)
    before = digests(out)
    out.rename(tmp_path / ".made.replaced")
    with work.alone(Spec("easy", 6, 3), out):
        pass
    other = Spec("easy", 4, 9)
    build_folder(other, out, workers=1)
    assert [p.name for p in tmp_path.iterdir()] == ["made"]
    build_folder(SMALL, out, workers=1, force=True)
    assert digests(out) == before


def test_a_folder_says_whose_it_is_until_the_last_of_it_is_gone(tmp_path, monkeypatch):
    place = write(tmp_path / "made", {"notes.txt": ""})
    folder.write_json(place / "manifest.json", {"build": work.identity(SMALL), "files": {}})
    gone = []
    monkeypatch.setattr(folder, "remove", lambda path: gone.append(path.name) or path.unlink())
    replacing.clear(place)
    assert gone == ["notes.txt"]
    assert not place.exists()


def test_grading_asks_no_model_where_a_hidden_folder_of_others_is_in_the_way(tmp_path):
    write(tmp_path / ".made.replaced", {"notes.txt": "years of work"})
    with pytest.raises(UsageError, match="replaced is no folder that a build made"):
        grade_folder(tmp_path / "made", "openai:m@http://127.0.0.1:9/v1")


@pytest.mark.slow
def test_force_on_the_command_line_ends_with_code_2(tmp_path):
    write(tmp_path / "made", {"notes.txt": "years of work"})
    code, out, said = finish(start([*COMMAND, "--out", "made", "--force"], tmp_path))
    assert (code, out) == (2, "")
    assert said.startswith("synth: made is no folder that a build made")
    assert "Traceback" not in said


@pytest.mark.parametrize("force", [False, True])
def test_an_address_with_files_of_others_takes_no_build(tmp_path, monkeypatch, force):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    system = fsspec.filesystem("memory")
    system.pipe("/bucket/mine/data/years.csv", b"of work")
    try:
        with pytest.raises(UsageError, match="holds files that no build sent"):
            build_folder(SMALL, "memory://bucket/mine", force=force)
        assert system.cat("/bucket/mine/data/years.csv") == b"of work"
    finally:
        system.store.clear()


def test_a_readme_at_an_address_is_in_nobodys_way():
    system = fsspec.filesystem("memory")
    system.pipe("/bucket/mine/README.md", b"hello")
    try:
        assert remote.report_of("memory://bucket/mine", work.identity(SPEC)) is None
    finally:
        system.store.clear()


@pytest.mark.slow
@pytest.mark.parametrize("place", ["/", ".", "notes.json", "/dev/null"])
def test_an_evaluation_is_not_written_over_what_is_no_report(tmp_path, place):
    (tmp_path / "notes.json").write_text(json.dumps({"years": "of work"}))
    arguments = ["evaluate", "openai:m@http://127.0.0.1:9/v1", "cruxeval", "--out", place]
    code, out, said = finish(start(arguments, tmp_path))
    assert (code, out) == (2, "")
    assert said.startswith(f"synth: {place} is ")
    assert "Traceback" not in said
    assert json.loads((tmp_path / "notes.json").read_text()) == {"years": "of work"}
