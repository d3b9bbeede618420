"""Somebody else's problem may have a call whose arguments are no literals."""

from __future__ import annotations

import pytest

from curricula.scoring import score

APPLIED = {
    "source": "def f(items, operation):\n    operation(items)\n    return items\n",
    "entry": "f",
    "call": "f([2, 1], (lambda x: x.reverse()))",
    "output": {"type": "list", "literal": "[1, 2]"},
}


def said(line: str) -> str:
    return f"<answer>\n{line}\n</answer>"


@pytest.mark.parametrize(
    "call",
    [
        "f([2, 1], (lambda x: x.reverse()))",
        "f([2,1], lambda x: x.reverse())",
        "f( [2, 1], lambda  x : x.reverse() )",
    ],
)
@pytest.mark.parametrize("task", ["output", "input"])
def test_the_call_of_the_row_is_right_however_it_is_written(task, call):
    row = {**APPLIED, "task": task}
    assert score(said(f"assert {call} == [1, 2]"), row).total == 2.0


def test_a_bare_call_gives_the_input_too():
    row = {**APPLIED, "task": "input"}
    assert score(said("f([2,1], lambda x: x.reverse())"), row).total == 2.0


@pytest.mark.parametrize(
    "arguments",
    [
        "[2, 1], lambda x: x.sort()",
        "[2, 1], lambda x: x.reverse() or True",
        "[2, 1], (lambda x: x.reverse(), 0)[0]",
        "[2, 1], " + "(" * 90 + "lambda x: x",
        "[2, 1], lambda x: '" + "a" * 1000 + "'",
    ],
)
@pytest.mark.parametrize("task", ["output", "input"])
def test_other_arguments_that_are_no_literals_are_wrong(task, arguments):
    row = {**APPLIED, "task": task}
    assert score(said(f"assert f({arguments}) == [1, 2]"), row).total == 0.0
