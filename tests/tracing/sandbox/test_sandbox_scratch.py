"""A scratch folder goes, whatever is in it, and nothing outside does."""

import os

import pytest

from tracing.sandbox import scratch


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "scratch"
    path.mkdir()
    return path


def test_a_missing_folder_is_fine(tmp_path):
    scratch.remove(str(tmp_path / "none"))


def test_an_empty_folder_goes(folder):
    scratch.remove(str(folder))
    assert not folder.exists()


def test_folders_and_files_without_permissions_go(folder):
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").write_text("x")
    for path in (inner / "file", inner, folder / "a", folder):
        path.chmod(0)
    scratch.remove(str(folder))
    assert not folder.exists()


def test_a_tree_too_deep_for_a_path_goes(folder):
    before = os.getcwd()
    os.chdir(folder)
    try:
        for _ in range(200):
            os.mkdir("d" * 100)
            os.chdir("d" * 100)
            with open("file", "w") as file:
                file.write("x")
    finally:
        os.chdir(before)
    scratch.remove(str(folder))
    assert not folder.exists()


def test_links_go_and_their_targets_stay(folder, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "keep").write_text("keep")
    (folder / "folder").symlink_to(outside)
    (folder / "file").symlink_to(outside / "keep")
    (folder / "hard").hardlink_to(outside / "keep")
    scratch.remove(str(folder))
    assert not folder.exists()
    assert (outside / "keep").read_text() == "keep"


def test_names_that_the_removal_would_use_are_no_matter(folder):
    for number in range(1, 4):
        (folder / f"lifted-{number}" / "x" / f"lifted-{number}").mkdir(parents=True)
    scratch.remove(str(folder))
    assert not folder.exists()
