"""How far a build is, told where nobody sees a bar: in the log of a job."""

import io
import re
import time

import pytest
from rich.console import Console

from synth.executors.base import ShardReport
from synth.log_lines import lasting
from synth.progress import BuildProgress
from tests.synth.building import COMMAND, finish, start

OFTEN = """\
import synth.log_lines
synth.log_lines.LINE_SECONDS = 0.2
"""
LINE = r"  building   [0-9]+ of 50 problems"


@pytest.mark.slow
@pytest.mark.parametrize("shards", [False, True], ids=["a whole build", "some shards"])
def test_a_build_without_a_terminal_writes_a_line_now_and_then(tmp_path, shards):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(OFTEN)
    command = [*COMMAND, "--out", "made", "--workers", "1"]
    command += ["--shards", "0-1"] if shards else []
    code, out, said = finish(start(command, tmp_path, tmp_path / "site"))
    assert (code, out) == (0, "")
    assert len(re.findall(f"^{LINE}", said, re.MULTILINE)) > 1
    assert re.search(rf"^{LINE}, [0-9.]+/s, [0-9]+ \S+ left; refused: \S+", said, re.MULTILINE)


def progress_of(total):
    return BuildProgress(Console(file=io.StringIO()), total, "Building")


def test_a_line_says_what_is_done_how_fast_and_what_was_refused():
    progress = progress_of(1_000)
    progress.start = time.monotonic() - 10
    assert progress._line() == "  building   0 of 1,000 problems"
    counts = {"tried": 30, "kept": 10, "too long": 12, "too short": 2, "a loop": 5, "a lie": 1}
    progress.update(ShardReport(0, 250, counts))
    assert progress._line() == (
        "  building   250 of 1,000 problems, 25.0/s, 30 s left; "
        "refused: too long 12, a loop 5, too short 2"
    )


def test_what_an_earlier_try_made_is_done_and_no_sign_of_speed():
    progress = progress_of(1_000)
    progress.start = time.monotonic() - 10
    progress.found(500)
    progress.update(ShardReport(2, 100))
    assert progress._line() == "  building   600 of 1,000 problems, 10.0/s, 40 s left"


def test_more_than_was_asked_for_is_not_told():
    progress = progress_of(4)
    progress.update(ShardReport(0, 25))
    assert progress._line() == "  building   4 of 4 problems"


def test_times_are_told_as_exactly_as_a_person_cares():
    assert [lasting(s) for s in (0, 59, 61, 3_500, 7_500)] == [
        *("0 s", "59 s", "1 min", "58 min", "2 h 5 min")
    ]
