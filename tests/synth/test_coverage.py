"""What runs went through, read from their steps."""

from __future__ import annotations

import pytest

from synth.coverage import branches_of, covered, ways
from tracing import probe

LOOPS = """\
def f(xs, k):
    total = 0
    for x in xs:
        while x > k:
            x -= k
        if x == 1:
            total += 1
        elif x:
            total += 2
        else:
            total += 3
    return total
"""


def runs(source: str, *calls: str):
    return next(iter(probe([(source, calls)])))


def test_an_empty_loop_goes_past_its_body_only() -> None:
    (trace,) = runs(LOOPS, "f([], 1)")
    assert ways(trace) == {(3, False)}
    found = covered(LOOPS, [trace])
    assert (found.lines, found.missed) == (10, (4, 5, 6, 7, 8, 9, 11))
    assert (found.branches, found.one_way) == (4, (3, 4, 6, 8))


def test_runs_are_joined() -> None:
    found = covered(LOOPS, runs(LOOPS, "f([1, 5], 2)", "f([2, 0], 3)"))
    assert (found.missed, found.one_way) == ((), ())
    assert (found.line_share, found.branch_share) == (1.0, 1.0)


def test_a_loop_left_by_break_never_went_past_its_body() -> None:
    source = "def f(xs):\n    for x in xs:\n        break\n    return x\n"
    assert covered(source, runs(source, "f([1])")).one_way == (2,)


def test_a_call_in_the_test_does_not_hide_the_way_taken() -> None:
    source = (
        "def f(n):\n    if g(n):\n        return 1\n    return 2\n\n"
        "def g(n):\n    if n:\n        return n\n    return 0\n"
    )
    assert covered(source, runs(source, "f(0)", "f(1)")).one_way == ()
    assert covered(source, runs(source, "f(1)")).one_way == (2, 7)


def test_recursion_keeps_the_frames_apart() -> None:
    source = "def f(n):\n    if n:\n        return n + f(n - 1)\n    return 0\n"
    assert covered(source, runs(source, "f(2)")).one_way == ()


def test_a_test_that_raises_goes_no_way() -> None:
    source = "def f(x):\n    if 1 / x > 0:\n        return 1\n    return 2\n"
    (trace,) = runs(source, "f(0)")
    assert ways(trace) == frozenset()


def test_cases_that_fit_anything_and_constant_tests_are_no_branches() -> None:
    source = (
        "def f(x):\n    while True:\n        match x:\n            case [a, b]:\n"
        "                return a\n            case _:\n                return x\n"
    )
    assert branches_of(source) == {4: 5}
    assert covered(source, runs(source, "f(3)", "f([1, 2])")).one_way == ()


@pytest.mark.parametrize("source", ["def f(x):\n    return x\n", ""])
def test_a_program_without_branches_is_covered_wholly(source: str) -> None:
    assert covered(source, []).branch_share == 1.0
