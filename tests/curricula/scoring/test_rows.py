"""Rows as builders, loaders and other people write them."""

from __future__ import annotations

import json

import pytest

from curricula.problem import to_row
from curricula.scoring import score, score_many
from curricula.scoring.rows import read_row
from synth import problem_from
from tracing import Value
from tracing.errors import UsageError

SOURCE = "def f(n):\n    if n > 2:\n        n += 1\n    else:\n        n -= 1\n    return n\n"
PLAIN = {"source": SOURCE, "call": "f(3)", "output": {"type": "int", "literal": "4"}}
NEXT = {"kind": "next_statement", "line": 2, "occurrence": 1}
STATE = {"kind": "state", "line": 3, "occurrence": 1, "variable": "n"}


def reward(row: dict, *lines: str) -> float | None:
    return score("<answer>\n" + "\n".join(lines) + "\n</answer>", row).total


@pytest.mark.parametrize(
    "output",
    [
        {"type": "int", "literal": "4"},
        {"type": "int", "literal": 4},
        ("int", "4"),
        ["int", "4"],
        "4",
        4,
        Value.of(4),
    ],
    ids=repr,
)
def test_an_output_may_be_written_in_many_ways(output):
    assert read_row({**PLAIN, "output": output}).output == Value.of(4)


def test_a_list_of_two_texts_is_a_value_where_the_first_is_no_type():
    assert read_row({**PLAIN, "output": ["a", "b"]}).output == Value.of(["a", "b"])


def test_the_task_is_output_and_the_entry_the_call_s_where_they_are_missing():
    row = read_row(PLAIN)
    assert (row.task, row.entry) == ("output", "f")


@pytest.mark.parametrize(
    "answers",
    [
        [{"type": "int", "literal": "3"}],
        [{"type": "str", "literal": "'n += 1'"}],
        [{"type": "str", "literal": "        n += 1"}],
        ["    n += 1"],
        ["n += 1"],
        [3],
        ["3"],
        {"type": ["int"], "literal": ["3"]},
        [{"type": "int", "literal": "3"}, None],
    ],
    ids=repr,
)
def test_a_next_statement_s_line_and_text_are_filled_in(answers):
    row = {**PLAIN, "questions": [{**NEXT, "answers": answers}]}
    for given in ("3", "line 3", "n += 1", "        n += 1"):
        assert reward(row, "assert f(3) == 4", given) == 2.0
    assert reward(row, "assert f(3) == 4", "5") == 1.0


def test_a_text_that_stands_twice_has_no_line():
    source = SOURCE.replace("n -= 1", "n += 1")
    row = {**PLAIN, "source": source, "questions": [{**NEXT, "answers": ["n += 1"]}]}
    assert reward(row, "assert f(3) == 4", "n += 1") == 2.0
    assert reward(row, "assert f(3) == 4", "3") == 1.0


@pytest.mark.parametrize(
    "questions",
    [
        [{**STATE, "answers": [{"type": "int", "literal": "4"}], "text": None, "more": 1}],
        {**{k: [v] for k, v in STATE.items()}, "answers": [[{"type": "int", "literal": "4"}]]},
        json.dumps([{**STATE, "answers": [["int", "4"]]}]),
    ],
    ids=["structs", "columns", "json"],
)
def test_questions_come_through_loaders(questions):
    row = {**PLAIN, "task": None, "entry": None, "exception": None, "questions": questions}
    assert reward(row, "assert f(3) == 4", "4; int") == 2.0


@pytest.mark.parametrize("pack", [json.dumps, dict], ids=["json", "struct"])
def test_a_row_may_be_one_column(pack):
    assert reward({"row": pack(PLAIN), "task": "code"}, "assert f(3) == 4") == 2.0


def test_an_exception_stands_where_a_loader_made_a_struct_of_nulls():
    row = {
        "source": "def f(n):\n    return 1 / n\n",
        "call": "f(0)",
        "output": {"type": None, "literal": None},
        "exception": "ZeroDivisionError",
    }
    assert reward(row, "assert f(0) raises ZeroDivisionError") == 2.0


def test_a_problem_s_own_row_is_enough():
    problem = problem_from(SOURCE, "f(3)")
    row = to_row(problem)
    lines = [f"assert f(3) == {problem.output.literal}"]
    for question in problem.questions:
        value = question.answers[0]
        is_typed = question.kind in ("state", "iteration")
        lines.append(f"{value.literal}; {value.type}" if is_typed else value.literal)
    assert reward(row, *lines) == 2.0
    assert len(lines) > 3


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({}, "source holds no text"),
        ({**PLAIN, "call": 3}, "call holds no text"),
        ({**PLAIN, "output": None}, "neither an output nor an exception"),
        ({**PLAIN, "output": {"type": "int", "literal": "'4'"}}, "a value that is none"),
        ({**PLAIN, "task": "rhyme"}, "no task 'rhyme'"),
        ({"task": "code", "entry": "f"}, "no tests"),
        ({"task": "code", "entry": "f", "tests": []}, "no tests"),
        ({**PLAIN, "questions": [{"kind": "riddle", "answers": []}]}, "no question kind 'riddle'"),
        ({**PLAIN, "questions": 5}, "questions holds no list but 5"),
        ({**PLAIN, "questions": "[{"}, "questions is no JSON"),
        ({**PLAIN, "questions": "[" * 100_000}, "questions is no JSON"),
        ({**PLAIN, "questions": [None]}, "no columns but is None"),
        ({**PLAIN, "questions": {"kind": "state"}}, "questions holds no list"),
        ({**PLAIN, "questions": {"kind": 5}}, "questions holds no list"),
        ({**PLAIN, "questions": [{"kind": 5}]}, "kind holds no text but 5"),
        ({**PLAIN, "questions": [{**STATE, "answers": 5}]}, "answers holds no list but 5"),
        ({**PLAIN, "questions": [{**STATE, "answers": [object]}]}, "answers holds a value that"),
        ({**PLAIN, "questions": [{**STATE, "line": "3"}]}, "line holds no whole number but '3'"),
        ({**PLAIN, "questions": [{**STATE, "variable": {}}]}, "variable holds no text but {}"),
        ({**PLAIN, "entry": 5}, "entry holds no text but 5"),
        ({**PLAIN, "entry": {"f": 1}}, "entry holds no text but"),
        ({**PLAIN, "exception": ["E"]}, "exception holds no text but"),
        ({**PLAIN, "output": {"type": {}, "literal": []}}, "a value that is none"),
        ({"task": "code", "entry": "f", "tests": [3]}, "no columns but is 3"),
        ({"row": "{"}, "row is no JSON"),
        ({"row": 5}, "row holds no columns but 5"),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_a_row_that_cannot_be_scored_is_the_caller_s_mistake(row, message):
    with pytest.raises(UsageError, match=message):
        score("<answer>assert f(3) == 4</answer>", row)


def test_rows_that_cannot_be_written_as_json_are_read_all_the_same():
    cycle: list = []
    cycle.append(cycle)
    assert reward({**PLAIN, ("a", 1): cycle}, "assert f(3) == 4") == 2.0


@pytest.mark.parametrize("alpha", [None, "half", float("nan"), 2, []], ids=repr)
def test_a_weight_that_is_none_is_the_caller_s_mistake(alpha):
    with pytest.raises(UsageError, match="alpha must be from 0 to 1"):
        score("", PLAIN, alpha=alpha)


def test_each_completion_has_a_row():
    with pytest.raises(UsageError, match="2 completions have 1 rows"):
        score_many(["", ""], [PLAIN])
