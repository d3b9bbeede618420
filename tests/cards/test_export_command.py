"""``synth export``, as it is typed."""

import pytest
from typer.testing import CliRunner

from synth.__main__ import app
from tracing.errors import UsageError


def synth(*arguments):
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


def test_a_format_is_written_and_its_files_are_named(built, tmp_path):
    out = tmp_path / "verl"
    done = synth(built, "--format", "trl-grpo", "--out", out)
    assert done.exit_code == 0, done.output
    files = done.stdout.split()
    assert str(out / "train.parquet") in files
    assert sorted(files) == sorted(map(str, out.iterdir()))
    assert f"{len(files)} files in the form of trl-grpo" in done.stderr


def test_an_unknown_format_is_refused(built, tmp_path):
    done = synth(built, "--format", "tfrecord", "--out", tmp_path / "out")
    assert isinstance(done.exception, UsageError)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_no_build_wrote_is_refused(tmp_path):
    done = synth(tmp_path, "--format", "jsonl", "--out", tmp_path / "out")
    assert isinstance(done.exception, UsageError)
    assert "give a folder that synth build wrote" in str(done.exception)


@pytest.mark.parametrize("missing", ["--format", "--out"])
def test_format_and_folder_must_be_named(missing, built, tmp_path):
    options = {"--format": "jsonl", "--out": tmp_path / "out"}
    del options[missing]
    done = synth(built, *(word for pair in options.items() for word in pair))
    assert done.exit_code == 2
    assert f"Missing option '{missing}'" in done.stderr
