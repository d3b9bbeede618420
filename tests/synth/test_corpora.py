"""Reading programs that others wrote, from files of every known kind."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from synth.corpora import Item, read
from tracing.errors import ExecVerifyError

SOURCE = "def f(a, b):\n    return a + b\n"


def jsonl(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


ROWS: dict[str, tuple[dict[str, object], Item]] = {
    "our own rows": (
        {"id": "7f", "source": SOURCE, "entry": "f", "call": "f(1, 2)", "output": {"type": "int"}},
        Item("x.jsonl:7f", SOURCE, "f", "f(1, 2)"),
    ),
    "CRUXEval": (
        {"code": SOURCE, "input": "1, 2", "output": "3", "id": "sample_0"},
        Item("x.jsonl:sample_0", SOURCE, "f", "f(1, 2)"),
    ),
    "LiveCodeBench": (
        {
            "id": "s1",
            "function_name": "f",
            "code": SOURCE,
            "input": "f(a = 1, b = 2)",
            "output": "3",
        },
        Item("x.jsonl:s1", SOURCE, "f", "f(a = 1, b = 2)"),
    ),
    "HumanEval": (
        {
            "task_id": "HumanEval/0",
            "prompt": "def f(a, b):\n    'Add.'\n",
            "canonical_solution": "    return a + b\n",
            "entry_point": "f",
        },
        Item("x.jsonl:HumanEval/0", "def f(a, b):\n    'Add.'\n    return a + b\n", "f", ""),
    ),
    "MBPP": (
        {"task_id": 11, "text": "Add.", "code": SOURCE, "test_list": ["assert f(1, 2) == 3"]},
        Item("x.jsonl:11", SOURCE, "f", ""),
    ),
    "REval": (
        {"task_id": "DREval/0", "code": SOURCE, "entry_point": "f", "inputs": ["1, 2", "3, 4"]},
        Item("x.jsonl:DREval/0", SOURCE, "f", "f(1, 2)"),
    ),
}


@pytest.mark.parametrize("case", ROWS.values(), ids=ROWS)
def test_a_benchmarks_row_is_understood(
    tmp_path: Path, case: tuple[dict[str, object], Item]
) -> None:
    row, expected = case
    assert list(read(jsonl(tmp_path / "x.jsonl", row))) == [expected]


def test_a_parquet_file_reads_as_its_rows(tmp_path: Path) -> None:
    rows = [{"id": str(n), "code": SOURCE, "input": f"{n}, 1"} for n in range(600)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "x.parquet")
    found = list(read(tmp_path / "x.parquet"))
    assert [item.call for item in found] == [f"f({n}, 1)" for n in range(600)]


def test_a_source_file_is_a_program_and_each_of_its_functions(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(SOURCE + "\n\ndef g(c):\n    return f(c, c)\n")
    assert [(item.name, item.entry) for item in read(tmp_path / "x.py")] == [
        ("x.py", "g"),
        ("x.py:f", "f"),
        ("x.py:g", "g"),
    ]


def test_a_folder_reads_as_its_files_in_name_order(tmp_path: Path) -> None:
    jsonl(tmp_path / "b.jsonl", {"code": SOURCE})
    (tmp_path / "a.txt").write_text(SOURCE)
    (tmp_path / "notes.md").write_text("# nothing")
    assert [item.name for item in read(tmp_path)] == ["a.txt", "b.jsonl:1"]


HOSTILE = {
    "no JSON": ("x.jsonl", b"{code: 1}\n", "line 1 of .* is no JSON"),
    "JSON nested without end": ("x.jsonl", b"[" * 100_000 + b"\n", "line 1 of .* is no JSON"),
    "a list": ("x.jsonl", b"[1]\n", "holds a list, not an object"),
    "no known column": ("x.jsonl", b'{"text": "x"}\n', "has no program"),
    "a number for a program": ("x.jsonl", b'{"code": 3}\n', "has no program"),
    "not UTF-8": ("x.jsonl", b'{"code": "\xff"}\n', "is not UTF-8 text"),
    "no parquet": ("x.parquet", b"PAR1 but not really", "is no readable parquet file"),
    "an empty parquet": ("x.parquet", b"", "is no readable parquet file"),
    "no Python": ("x.py", b"def f(:\n", "is no Python program: line 1"),
    "a null byte": ("x.py", b"x = 1\0", "is no Python program"),
    "another kind": ("x.zip", b"PK", "is no .* file"),
}


@pytest.mark.parametrize("case", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_one_clear_error(tmp_path: Path, case: tuple[str, bytes, str]) -> None:
    name, content, message = case
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ExecVerifyError, match=message) as caught:
        list(read(tmp_path / name))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_place_that_is_nothing_says_what_could_be_given(tmp_path: Path) -> None:
    with pytest.raises(ExecVerifyError, match=r"there is no file .* cruxeval"):
        list(read(tmp_path / "absent.jsonl"))
    with pytest.raises(ExecVerifyError, match=r"holds no .* file"):
        list(read(tmp_path))


def test_a_program_that_does_not_parse_is_still_an_item(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "x.jsonl", {"code": "print 'old'", "input": "1"})
    assert list(read(path)) == [Item("x.jsonl:1", "print 'old'", "", "")]
