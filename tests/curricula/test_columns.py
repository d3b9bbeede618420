"""A row that is no problem is told by the column that is wrong."""

from __future__ import annotations

import copy

import pytest

from curricula.problem import from_row, to_row
from synth import problem_from
from tracing.errors import ExecVerifyError

DEEP: list = []
for _ in range(5000):
    DEEP = [DEEP]


@pytest.fixture(scope="module")
def row():
    source = "def f(n):\n    t = n\n    for i in range(n):\n        t += i\n    return t\n"
    return to_row(problem_from(source, "f(3)"))


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("id",), None, "id is no text but None"),
        (("source",), 7, "source is no text but 7"),
        (("source",), DEEP, "source is no text but a list that is nested too deep"),
        (("outcome",), "hung", "its outcome is 'hung'"),
        (("output",), None, "it returned, and does not say what"),
        (("shape", "control"), None, "shape.control is no list but None"),
        (("structure", "steps"), 2**40, "structure.steps is no whole number of its range"),
        (("structure", "calls"), -1, "its calls are -1"),
        (("questions",), None, "questions is no list but None"),
        (("questions", 0), [], "questions[0] has no columns but is []"),
        (("questions", 0, "answers", 0, "type"), None, "questions[0].answers[0].type is no text"),
        (("difficulty", 0, "rate"), "0.5", "difficulty[0].rate is no number but '0.5'"),
        (("provenance", "seed"), True, "provenance.seed is no whole number"),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_value_that_is_none_is_named(row, place, value, said):
    changed = copy.deepcopy(row)
    inner = changed
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    with pytest.raises(ExecVerifyError) as raised:
        from_row(changed)
    assert said in str(raised.value)


def test_a_missing_column_is_named(row):
    with pytest.raises(ExecVerifyError, match=r"structure\.steps is missing"):
        from_row({**row, "structure": {k: v for k, v in row["structure"].items() if k != "steps"}})
    with pytest.raises(ExecVerifyError, match="has no columns but is 5"):
        from_row(5)


def test_what_older_rows_do_not_have_may_be_missing(row):
    first = {k: v for k, v in row["difficulty"][0].items() if k not in ("prompt", "reasons")}
    older = {**row, "difficulty": [{**first, "top_p": None}]}
    assert from_row(older) == from_row(row)
