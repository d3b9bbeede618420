"""Keeping benchmark programs out: renamed, reformatted or lightly changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from synth.corpora import Item
from synth.decontaminate import Benchmarks, Contamination, load
from synth.dedup import fingerprint
from tracing.errors import ExecVerifyError

KNOWN = """\
def f(nums, target):
    seen = {}
    for i, n in enumerate(nums):
        if target - n in seen:
            return [seen[target - n], i]
        seen[n] = i
    return []
"""


@pytest.fixture
def benchmarks() -> Benchmarks:
    return Benchmarks([Item("bench:9", KNOWN, "f", ""), Item("bench:10", "print 'old'", "", "")])


def test_a_renamed_copy_is_found_and_named(benchmarks: Benchmarks) -> None:
    copy = KNOWN.replace("nums", "values").replace("seen", "known").replace("def f", "def pair")
    assert benchmarks.find(fingerprint(copy)) == Contamination("bench", "bench:9", "same structure")


def test_a_copy_with_one_thing_changed_is_found(benchmarks: Benchmarks) -> None:
    copy = KNOWN.replace("return []", "return None")
    assert benchmarks.find(fingerprint(copy)) == Contamination("bench", "bench:9", "near-duplicate")


def test_another_program_passes(benchmarks: Benchmarks) -> None:
    assert benchmarks.find(fingerprint("def f(a):\n    return sorted(a)[::-1]\n")) is None


def test_what_was_checked_against_is_counted(benchmarks: Benchmarks) -> None:
    assert benchmarks.programs == {"bench": 1}
    assert benchmarks.unread == {"bench": 1}


def test_several_files_are_joined(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(KNOWN)
    row = {"task_id": 3, "code": "def g(t):\n    return t.title().split()\n"}
    (tmp_path / "b.jsonl").write_text(json.dumps(row))
    known = load([tmp_path / "a.py", tmp_path / "b.jsonl"])
    assert known.programs == {"a.py": 1, "b.jsonl": 1}
    found = known.find(fingerprint("def f(s):\n    return s.title().split()\n"))
    assert found == Contamination("b.jsonl", "b.jsonl:3", "same structure")


@pytest.mark.parametrize("content", ["", '{"code": "((("}\n'], ids=["empty", "no programs"])
def test_a_benchmark_without_programs_is_an_error_and_no_clean_bill(
    tmp_path: Path, content: str
) -> None:
    (tmp_path / "x.jsonl").write_text(content)
    with pytest.raises(ExecVerifyError, match="no Python program among them"):
        load([tmp_path / "x.jsonl"])
