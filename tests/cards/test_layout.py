"""Names of files and configs."""

import pytest

from cards.layout import CONFIGS, config_of, data_file, pattern
from synth import folder
from tracing.errors import UsageError


def test_builds_and_cards_name_files_alike():
    assert data_file("trace", "test", 1, 12) == folder.data_file("trace", "test", 1, 12)
    assert folder.SPLITS == ("train", "validation", "test")


def test_a_pattern_matches_the_files_of_its_split_alone(tmp_path):
    for split in ("train", "test"):
        path = tmp_path / data_file("problems", split, 0, 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert [p.name for p in tmp_path.glob(pattern("problems", "test"))] == [
        "test-00000-of-00001.parquet"
    ]


def test_an_unknown_config_is_named():
    with pytest.raises(UsageError, match="no config 'raw'; choose of problems, easy"):
        config_of("raw")
    assert next(iter(CONFIGS)) == "problems"
