"""``SHA256SUMS``: every file of a version is in it, and a byte that is flipped is found."""

import shutil
import subprocess

import pytest

from cards.sums import check_sums, names_of
from cards.verifying import verify


def files_of(place):
    return sorted(p.relative_to(place).as_posix() for p in place.rglob("*") if p.is_file())


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_every_file_of_a_version_has_its_hash(prepared):
    names = {name.split("/")[0] for name in names_of(prepared)}
    assert names == {
        *("README.md", "croissant.json", "data", "manifest.json", "plots", "report.json"),
    }
    assert [*names_of(prepared), "SHA256SUMS"] == sorted(files_of(prepared), key=by_sums_last)
    assert list(check_sums(prepared)) == []


def by_sums_last(name):
    return (name == "SHA256SUMS", name)


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="coreutils are not installed")
def test_sha256sum_reads_the_file(prepared):
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=prepared,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count(": OK\n") == len(names_of(prepared))
    assert done.stderr == ""


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0], ids=["first", "middle", "last"])
def test_a_byte_that_is_flipped_in_any_file_is_found_and_the_file_named(share, copy):
    for name in names_of(copy):
        data = (copy / name).read_bytes()
        flip(copy / name, int(share * (len(data) - 1)))
        assert [finding.place for finding in check_sums(copy)] == [name]
        (copy / name).write_bytes(data)


def test_a_byte_that_is_flipped_in_the_hashes_themselves_is_found(copy):
    data = (copy / "SHA256SUMS").read_bytes()
    for at in range(len(data)):
        flip(copy / "SHA256SUMS", at)
        found = list(check_sums(copy))
        assert found, at
        assert all("SHA256SUMS" in finding.place + finding.what for finding in found)
        (copy / "SHA256SUMS").write_bytes(data)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 1.0])
def test_verify_names_a_flipped_file_even_where_it_cannot_be_read_any_more(share, prepared, copy):
    for path in sorted(copy.glob("data/*/train-*")):
        name = path.relative_to(copy).as_posix()
        flip(path, int(share * (path.stat().st_size - 1)))
        assert name in {finding.place for finding in verify(copy, rows=0).findings}
        shutil.copyfile(prepared / name, path)


def test_files_that_are_missing_or_unknown_are_named(copy):
    (copy / "plots" / "tiers.png").rename(copy / "plots" / "other.png")
    (copy / "croissant.json").unlink()
    assert {(f.place, f.what) for f in check_sums(copy)} == {
        ("croissant.json", "SHA256SUMS names this file, and it is missing"),
        ("plots/other.png", "SHA256SUMS does not know this file"),
        ("plots/tiers.png", "SHA256SUMS names this file, and it is missing"),
    }


def test_what_a_person_adds_beside_is_no_file_of_the_version(copy):
    (copy / "LICENSE").write_text("mine")
    assert list(check_sums(copy)) == []


def test_hashes_that_are_gone_or_written_otherwise_are_found(copy):
    path = copy / "SHA256SUMS"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(reversed(lines)))
    assert [f.what for f in check_sums(copy)] == ["it is not written as a version writes it"]
    path.unlink()
    assert [(f.place, f.what) for f in check_sums(copy)] == [("SHA256SUMS", "the file is missing")]
