"""Public sets with tests: one schema, and problems that cannot be trusted refused."""

from __future__ import annotations

import json

import pytest

from rl.rewards import score
from rl.training import StageTwoConfig
from rl.training.public import public_rows
from tracing.errors import ExecVerifyError, UsageError


def written(tmp_path, rows):
    file = tmp_path / "set.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def read(tmp_path, form, *rows, **options):
    return public_rows(f"{form}:{written(tmp_path, rows)}", **options)


def said(code):
    return f"<answer>\n```python\n{code}\n```\n</answer>"


def eurus(inputs, outputs, ability="code", **more):
    truth = json.dumps({"inputs": inputs, "outputs": outputs, **more})
    return {
        "data_source": "codeforces",
        "ability": ability,
        "prompt": [
            {"role": "system", "content": "Think."},
            {"role": "user", "content": "Add two numbers."},
        ],
        "reward_model": {"ground_truth": truth, "style": "rule"},
    }


MBPP = {
    "task_id": 1,
    "text": "Write a function to add two numbers.",
    "code": "def add(a, b):\n    return a + b\n",
    "test_list": ["assert add(1, 2) == 3", "assert add(-1, 1) == 0", "assert add(2, 2) == 4"],
    "test_setup_code": "",
}
KODCODE = {
    "question": "Count the words.",
    "solution": "def count(text):\n    return len(text.split())\n",
    "test": "from solution import count\n\ndef test_two():\n    assert count('a b') == 2\n\n"
    "def test_none():\n    assert count('') == 0\n\n"
    "def test_three():\n    assert count('a b c') == 3\n\n"
    "def test_long():\n    text = 'a ' * 9\n    assert count(text) == 9\n",
    "gpt_difficulty": "hard",
}


def test_a_program_on_standard_input_is_learned(tmp_path):
    public = read(tmp_path, "eurus", eurus(["1 2\n", "3 4\n", "5 6\n"], ["3\n", "7\n", "11\n"]))
    (row,) = public.rows
    assert "Add two numbers." in row["prompt"][0]["content"]
    assert (row["entry"], row["task"], len(row["tests"])) == ("", "code", 3)
    assert score(said("a, b = map(int, input().split())\nprint(a + b)"), row).total == 2.0
    assert score(said("print(3)"), row).total == 0.0


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        ([[1, 2], [3, 4], [5, 6]], [3, 7, 11]),
        ([[1, 2], [3, 4], [5, 6]], [[3], [7], [11]]),
        (["1\n2", "3\n4", "5\n6"], ["3", "7", "11"]),
    ],
    ids=["values", "lists of one", "lines of JSON"],
)
def test_a_function_is_learned_however_its_tests_are_written(tmp_path, inputs, outputs):
    (row,) = read(tmp_path, "eurus", eurus(inputs, outputs, fn_name="add")).rows
    assert row["entry"] == "add"
    assert score(said("def add(a, b):\n    return a + b"), row).total == 2.0
    assert score(said("def add(a, b):\n    return 3"), row).total == 0.0


TEXTS_OF_DIGITS = {
    "values": ([["5"], ["7"], ["9"]], ["101", "111", "1001"]),
    "lists of one": ([["5"], ["7"], ["9"]], [["101"], ["111"], ["1001"]]),
    "lines of JSON": (['"5"', '"7"', '"9"'], ['"101"', '"111"', '"1001"']),
    "JSON lists of one": (['"5"', '"7"', '"9"'], ['["101"]', '["111"]', '["1001"]']),
}


@pytest.mark.parametrize(("inputs", "outputs"), TEXTS_OF_DIGITS.values(), ids=TEXTS_OF_DIGITS)
def test_a_text_that_looks_like_a_number_stays_a_text(tmp_path, inputs, outputs):
    (row,) = read(tmp_path, "eurus", eurus(inputs, outputs, fn_name="binary")).rows
    assert row["tests"][0] == {"input": "'5'", "output": "'101'"}
    assert score(said("def binary(n):\n    return bin(int(n))[2:]"), row).total == 2.0


def test_json_lists_of_one_are_unwrapped_only_where_all_are(tmp_path):
    (row,) = read(tmp_path, "eurus", eurus(["1", "2", "3"], ["[1]", "[2]", "[]"], fn_name="f")).rows
    assert [test["output"] for test in row["tests"]] == ["[1]", "[2]", "[]"]


def test_lines_of_standard_input_are_joined(tmp_path):
    lines = [["1", "2"], ["3", "4"], ["5", "6"]]
    (row,) = read(tmp_path, "eurus", eurus(lines, [["3"], ["7"], ["11"]])).rows
    assert row["tests"][0] == {"input": "1\n2", "output": "3"}
    assert score(said("print(int(input()) + int(input()))"), row).total == 2.0


@pytest.mark.parametrize(
    ("given", "result"),
    [("1, 2", "3"), ("1", 3), (1, 3), ("", "1")],
    ids=str,
)
def test_a_test_of_a_function_that_is_neither_values_nor_json_is_left_out(tmp_path, given, result):
    told = eurus([given, [1], [2], [3]], [result, 1, 2, 3], fn_name="f")
    (row,) = read(tmp_path, "eurus", told).rows
    assert [test["input"] for test in row["tests"]] == ["1", "2", "3"]


def test_only_the_code_part_is_taken(tmp_path):
    said = ["1", "2", "3"], ["1", "2", "3"]
    public = read(tmp_path, "eurus", eurus(*said, ability="math"), eurus(*said))
    assert len(public.rows) == 1
    assert public.refused == {"no code": 1}


def test_assertions_become_tests(tmp_path):
    (row,) = read(tmp_path, "mbpp", MBPP).rows
    assert row["entry"] == "add"
    assert row["tests"][:2] == [{"input": "1, 2", "output": "3"}, {"input": "-1, 1", "output": "0"}]
    assert "assert add(1, 2) == 3" in row["prompt"][0]["content"]
    assert "add(-1, 1)" not in row["prompt"][0]["content"]
    assert score(said(MBPP["code"]), row).total == 2.0


def test_tests_for_pytest_become_tests(tmp_path):
    (row,) = read(tmp_path, "kodcode", KODCODE).rows
    assert row["tier"] == "hard"
    assert [test["input"] for test in row["tests"]] == ["'a b'", "''", "'a b c'"]


def test_a_problem_whose_own_solution_fails_is_refused(tmp_path):
    wrong = {**MBPP, "code": "def add(a, b):\n    return a - b\n"}
    public = read(tmp_path, "mbpp", wrong, MBPP)
    assert len(public.rows) == 1
    assert public.refused == {"its own solution fails its tests": 1}


@pytest.mark.parametrize(
    "change",
    [
        {"test_list": ["assert abs(add(1, 2) - 3) < 0.1"]},
        {"test_list": ["assert add(x, 2) == 3"]},
        {"test_list": ["assert not add(0, 0)"]},
        {"test_list": ["assert add(1, 2) == "]},
        {"test_list": []},
        {"test_setup_code": "import os"},
        {"code": "import sys\nsys.exit(0)"},
    ],
    ids=str,
)
def test_what_cannot_be_checked_is_refused(tmp_path, change):
    public = read(tmp_path, "mbpp", {**MBPP, **change}, MBPP)
    assert len(public.rows) == 1
    assert sum(public.refused.values()) == 1


def test_the_first_tests_are_kept(tmp_path):
    row = eurus([f"{n} 0" for n in range(30)], [str(n) for n in range(30)])
    public = read(tmp_path, "eurus", row, most_tests=5)
    assert [test["input"] for test in public.rows[0]["tests"]] == [f"{n} 0" for n in range(5)]


def test_a_set_of_which_nothing_is_left_is_an_error(tmp_path):
    with pytest.raises(ExecVerifyError, match="no code 1"):
        read(tmp_path, "eurus", eurus(["1"], ["1"], ability="math"))


@pytest.mark.parametrize("told", ["apps:file", "mbpp", "mbpp:", ""])
def test_an_unknown_form_is_refused(told):
    with pytest.raises(UsageError, match="eurus, mbpp, kodcode"):
        public_rows(told)


def test_the_same_file_has_the_same_revision(tmp_path):
    assert read(tmp_path, "mbpp", MBPP) == read(tmp_path, "mbpp", MBPP)
    assert read(tmp_path, "mbpp", {**MBPP, "task_id": 2}).revision != (
        read(tmp_path, "mbpp", MBPP).revision
    )


CHEATS = {
    "one test": ([[1, 2]], [3]),
    "two tests": ([[1, 2], [3, 4]], [3, 7]),
    "all equal": ([[1, 2], [3, 0], [2, 1], [0, 3]], [3, 3, 3, 3]),
    "all but the shown equal": ([[1, 2], [3, 4], [2, 5]], [3, 7, 7]),
}


@pytest.mark.parametrize(("inputs", "outputs"), CHEATS.values(), ids=CHEATS)
def test_a_problem_that_a_constant_would_pass_is_refused(tmp_path, inputs, outputs):
    fair = eurus([[1, 2], [3, 4], [5, 6]], [3, 7, 11], fn_name="add")
    public = read(tmp_path, "eurus", eurus(inputs, outputs, fn_name="add"), fair)
    assert [row["id"] for row in public.rows] == ["eurus-2"]
    assert sum(public.refused.values()) == 1
    (row,) = public.rows
    constant = "def add(a, b):\n    return 3"
    learned = "def add(a, b):\n    return 3 if (a, b) == (1, 2) else 7"
    assert [score(said(code), row).total for code in (constant, learned)] == [0.0, 0.0]


def test_printed_results_that_differ_in_blanks_alone_are_the_same(tmp_path):
    blank = eurus(["1", "2", "3"], ["0", "7\n", "7 \n\n"])
    with pytest.raises(ExecVerifyError, match="all ask for the same 1"):
        read(tmp_path, "eurus", blank)


def test_fewer_tests_than_can_be_kept_back_are_no_option():
    with pytest.raises(UsageError, match="most_tests must be a whole number from 3"):
        StageTwoConfig(model="m", public=("mbpp:x",), most_tests=2)
