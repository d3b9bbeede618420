"""Our programs on proposed arguments."""

from __future__ import annotations

import pytest

from curricula.scoring.running import run_arguments
from tracing import Limits, Value

FEW = Limits(seconds=0.5)


def test_calls_end_as_they_do():
    ran = run_arguments("def f(n):\n    return 7 / n\n", "f", ["2", "0", "n=7.0"])
    assert [one.value for one in ran] == [Value.of(3.5), None, Value.of(1.0)]
    assert ran[1].exception == "ZeroDivisionError"
    assert [one.reason for one in ran] == ["", "", ""]


@pytest.mark.parametrize(
    "source",
    [
        "def f(n): return n * 2",
        "class A:\n    def __del__(self):\n        pass\ndef f(n):\n    return n * 2\n",
        "async def g():\n    pass\ndef f(n):\n    return n * 2\n",
    ],
    ids=["on_one_line", "finaliser", "async"],
)
def test_a_program_that_cannot_be_traced_is_run_all_the_same(source):
    ran = run_arguments(source, "f", ["3", "'a'", "None"])
    assert [one.value for one in ran] == [Value.of(6), Value.of("aa"), None]
    assert ran[2].exception == "TypeError"


@pytest.mark.parametrize("line", ["while True:\n        pass", "while True: pass"])
def test_a_call_without_end_gives_a_reason(line):
    (ran,) = run_arguments(f"def f(n):\n    {line}\n", "f", ["1"], FEW)
    assert (ran.value, ran.exception) == (None, None)
    assert ran.reason


def test_calls_do_not_see_each_other():
    source = "kept = []\ndef f(n):\n    kept.append(n)\n    return len(kept)\n"
    assert {one.value for one in run_arguments(source, "f", ["1", "2", "3"])} == {Value.of(1)}


def test_what_has_no_literal_gives_a_reason():
    (ran,) = run_arguments("def f(n):\n    return object()\n", "f", ["1"])
    assert ran.value is None
    assert ran.reason
