"""The journal loses nothing that was written, and mixes nothing up."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import resource
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.difficulty.journal import Entry, Journal, entries_of
from tracing.errors import ExecVerifyError

HEADER = {"model": "m", "temperature": 1.0}
ENTRIES = [
    Entry(f"p{i}", "hash", 0, (f"reply {i}\n", "ö\ud800"), ("", "wrong"), 7) for i in range(5)
]


def written(path, entries=ENTRIES):
    with Journal(path, HEADER) as journal:
        for entry in entries:
            journal.add(entry)
    return path


def test_entries_come_back_as_they_were(tmp_path):
    path = written(tmp_path / "deep" / "journal.jsonl")
    with Journal(path, HEADER) as journal:
        assert list(journal.read()) == ENTRIES


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_cut_anywhere_it_keeps_every_whole_line_and_goes_on(tmp_path_factory, data):
    path = written(tmp_path_factory.mktemp("j") / "journal.jsonl")
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    kept = max(0, whole[:cut].count(b"\n") - 1)
    with Journal(path, HEADER) as journal:
        assert list(journal.read()) == ENTRIES[:kept]
        for entry in ENTRIES[kept:]:
            journal.add(entry)
    assert path.read_bytes() == whole


def test_a_journal_of_another_run_is_refused(tmp_path):
    path = written(tmp_path / "journal.jsonl")
    with pytest.raises(ExecVerifyError, match=r'begun with .*"model":"m".*choose another journal'):
        Journal(path, {"model": "other"})
    assert list(entries_of(path)) == ENTRIES


@pytest.mark.parametrize("text", ["years of work", "years\nof work", '{"model":"other"'])
def test_a_file_that_is_no_journal_keeps_its_last_line(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(ExecVerifyError, match="choose another journal"):
        Journal(path, HEADER)
    assert path.read_text() == text


@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path, kind):
    path = Path("/dev/full") if kind == "device" else tmp_path / "journal.jsonl"
    if kind == "folder":
        path.mkdir()
    if kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(ExecVerifyError, match="is no file; choose another journal"):
        Journal(path, HEADER)


def test_two_runs_do_not_write_one_journal(tmp_path):
    path = tmp_path / "journal.jsonl"
    with Journal(path, HEADER), pytest.raises(ExecVerifyError, match="in use by another run"):
        Journal(path, HEADER)
    Journal(path, HEADER).close()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_not_taken_for_another_run(tmp_path, monkeypatch, number):
    def unlocked(file, how):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", unlocked)
    assert list(entries_of(written(tmp_path / "journal.jsonl"))) == ENTRIES


@pytest.mark.parametrize(
    "line",
    [
        *("no json", "[]", "3", '{"replies": 3, "reasons": []}', "[" * 100_000),
        json.dumps({**asdict(ENTRIES[0]), "replies": "ab"}),
        json.dumps({**asdict(ENTRIES[0]), "replies": [3], "reasons": [""]}),
        json.dumps({**asdict(ENTRIES[0]), "reasons": []}),
        json.dumps({**asdict(ENTRIES[0]), "first": "0"}),
        json.dumps({**asdict(ENTRIES[0]), "tokens": -1}),
        json.dumps({**asdict(ENTRIES[0]), "problem": ["p0"]}),
        json.dumps({**asdict(ENTRIES[0]), "prompt": None}),
        json.dumps({**asdict(ENTRIES[0]), "more": 1}),
        "\0" * 500,
    ],
    ids=lambda line: line[:40],
)
def test_what_is_no_entry_is_refused(tmp_path, line):
    path = written(tmp_path / "journal.jsonl")
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(ExecVerifyError, match="is no journal of a grading run"):
        list(entries_of(path))


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExecVerifyError, match="cannot be written"):
        Journal(tmp_path / "file" / "journal.jsonl", HEADER)


def test_a_full_disk_ends_the_run_and_keeps_what_was_written(tmp_path):
    path = tmp_path / "journal.jsonl"
    code = f"""
import resource, signal
from pathlib import Path
from curricula.difficulty.journal import Entry, Journal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, {resource.RLIM_INFINITY}))
journal = Journal(Path({str(path)!r}), {HEADER!r})
for i in range(100):
    journal.add(Entry(f"p{{i}}", "hash", 0, ("x" * 300,), ("",), 1))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "cannot be written: File too large" in done.stderr
    with Journal(path, HEADER) as journal:
        kept = list(journal.read())
        journal.add(ENTRIES[0])
    assert 10 < len(kept) < 20
    assert list(entries_of(path)) == [*kept, ENTRIES[0]]
