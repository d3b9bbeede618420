"""Problems of programs that a model wrote: of right ones alone, each proved."""

from __future__ import annotations

import pytest

from synth import problems_of
from tracing.errors import UsageError

ROW = {"entry": "f", "tests": [{"input": "[3, 1]", "output": "[1, 3]"}]}


def said(code):
    return [
        {"role": "assistant", "content": f"I think.\n<answer>\n```python\n{code}\n```\n</answer>"}
    ]


def test_a_right_program_is_asked_about():
    (made,) = problems_of([said("def f(xs):\n    made = sorted(xs)\n    return made")], [ROW])
    assert made.source == "def f(xs):\n    made = sorted(xs)\n    return made\n"
    assert (made.call, made.output.literal) == ("f([3, 1])", "[1, 3]")
    assert {question.kind for question in made.questions} == {"next_statement"}


@pytest.mark.parametrize(
    "code",
    [
        "def f(xs):\n    return xs",
        "def f(xs):\n    import time\n    time.time()\n    return sorted(xs)",
        "def f(xs): xs.sort(); return xs",
        "def g(xs):\n    return sorted(xs)",
        "",
    ],
    ids=["wrong", "reads the clock", "two statements on a line", "another name", "nothing"],
)
def test_what_is_wrong_or_no_ground_truth_gives_nothing(code):
    assert problems_of([said(code), "no answer", None], [ROW] * 3) == [None] * 3


def test_the_next_call_is_taken_where_the_first_is_no_ground_truth():
    tests = [{"input": "0", "output": "0"}, {"input": "2", "output": "2"}]
    code = "def f(n):\n    if n == 0:\n        first = list({'a', 'b', 'c'})[0]\n    return n"
    (made,) = problems_of([f"<answer>{code}</answer>"], [{"entry": "f", "tests": tests}])
    assert made.call == "f(2)"


def test_a_program_that_comes_again_is_asked_about_once():
    code = "def f(xs):\n    made = sorted(xs)\n    return made"
    again = f"another thought\n<answer>\n{code}\n</answer>"
    other = {**ROW, "prompt": "in other words"}
    made = problems_of([said(code), again, said(code)], [ROW, ROW, other])
    assert [problem is not None for problem in made] == [True, False, False]


def test_rows_and_completions_must_be_as_many():
    with pytest.raises(UsageError, match="2 rows for 1 completions"):
        problems_of(["x"], [ROW, ROW])
