"""Versions: reading, order, the next one."""

import pytest

from cards.errors import VersionError
from cards.versions import Version, latest, read_version


@pytest.mark.parametrize(
    "text",
    ["1.2", "1.2.3.4", "01.2.3", "1.2.3-rc1", "latest", "", "v", "1.2.x", "１.2.3", None, 12],
)
def test_what_is_no_version_is_refused(text):
    with pytest.raises(VersionError, match=r"write three numbers like 1\.2\.0"):
        read_version(text)


def test_a_tag_and_its_version_are_the_same():
    assert read_version("v1.10.0") == read_version("1.10.0") == Version(1, 10, 0)
    assert read_version("1.10.0").tag == "v1.10.0"


def test_the_highest_version_is_found_among_other_tags():
    assert latest(["v1.9.0", "v1.10.0", "old", "v0.99.99"]) == Version(1, 10, 0)
    assert latest(["old", "x"]) is None


@pytest.mark.parametrize(
    ("before", "kind", "after"),
    [
        ("1.4.2", "major", "2.0.0"),
        ("1.4.2", "minor", "1.5.0"),
        ("1.4.2", "patch", "1.4.3"),
        ("0.4.2", "major", "0.5.0"),
    ],
)
def test_the_next_version_of_a_kind(before, kind, after):
    assert str(read_version(before).after(kind)) == after
