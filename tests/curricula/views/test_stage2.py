"""Programs that lost a statement: the solution passes the tests, the program without it fails."""

from __future__ import annotations

import pytest

from curricula.scoring import HIGHEST, score
from curricula.views.stage2 import HOLE, to_rows
from synth import problem_from

PROGRAMS = {
    "a sum": (
        "def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n",
        ["f(3)", "f(5)"],
    ),
    "words": (
        "def g(words):\n    seen = {}\n    for word in words:\n"
        "        seen[word] = len(word)\n    return seen\n",
        ["g(['ab', 'abc'])"],
    ),
}


@pytest.fixture(scope="module", params=list(PROGRAMS), ids=str)
def row(request):
    source, calls = PROGRAMS[request.param]
    (made,) = to_rows([problem_from(source, call, questions=0) for call in calls])
    return made


def completion(source):
    return f"<answer>\n```python\n{source}\n```\n</answer>"


def without(row, instead):
    lines = row["solution"].split("\n")
    old = lines[row["line"] - 1]
    lines[row["line"] - 1] = old[: len(old) - len(old.lstrip())] + instead
    return "\n".join(lines)


def test_the_solution_passes_all_tests(row):
    assert score(completion(row["solution"]), row).total == HIGHEST


def test_the_program_without_its_statement_fails_a_test_that_is_kept_back(row):
    assert score(completion(without(row, "pass")), row).total < HIGHEST
    kept_back = {**row, "tests": row["tests"][row["shown"] :], "shown": 0}
    assert score(completion(without(row, "pass")), kept_back).total < HIGHEST


def test_the_prompt_shows_the_hole_and_no_test_that_is_kept_back(row):
    prompt = row["prompt"][0]["content"]
    assert without(row, HOLE).rstrip() in prompt
    shown = [test["input"] in prompt for test in row["tests"]]
    assert shown[: row["shown"]] == [True] * row["shown"]
    assert all(f"({test['input']})" not in prompt for test in row["tests"][row["shown"] :])


def test_a_program_whose_call_cannot_be_varied_gives_no_row():
    rows = list(to_rows([problem_from("def f():\n    return 1\n", "f()", questions=0)]))
    assert rows == []
