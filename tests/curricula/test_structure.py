"""What is measured of a program and of its run."""

from __future__ import annotations

import pytest

import tracing
from curricula.structure import arguments_of, measure

WORDS = """\
import re

def helper(word, *more, sep='-'):
    return sep.join([word.strip(), *more])

def f(words, limit):
    seen = {}

    for word in words:
        if len(word) > limit:
            seen[word] = helper(word.upper().lower(), word)
        elif word:
            while limit < 0:
                limit += 1
        else:
            try:
                seen[word] = int(word)
            except ValueError:
                seen[word] = 0 if limit else 1
    return sorted(seen.items(), key=lambda item: [c for c in str(item[1])])
"""


def measured(source: str, call: str):
    return measure(tracing.run(source, call))


def test_a_whole_program_is_measured():
    made = measured(WORDS, "f(['abc', '', 'x'], -1)")
    assert made.lines == 17
    assert made.statements == 13
    assert made.depth == 3
    assert made.loops == 3
    assert made.branches == 4
    assert made.calls == 10
    assert made.method_calls == 5
    assert made.nested_calls == 3
    assert made.parameters == 2
    assert made.input_size == len("['abc', '', 'x'], -1")
    assert made.frames == 4
    assert made.output_size == len("[('', '-'), ('abc', 'abc-abc'), ('x', 'x-x')]")


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        ("return n", 0),
        ("if n:\n        return 1\n    elif n is None:\n        return 2\n    return 3", 1),
        ("if n:\n        return 1\n    else:\n        if n is None:\n            return 2", 2),
        ("for i in []:\n        pass\n    for i in []:\n        pass", 1),
        ("while n:\n        with n:\n            for i in n:\n                pass", 3),
        ("match n:\n        case 0:\n            if n:\n                return 1", 2),
    ],
    ids=["flat", "elif", "if in else", "one after the other", "nested", "case"],
)
def test_the_depth_of_control(body, depth):
    assert measured(f"def f(n):\n    {body}\n", "f(0)").depth == depth


@pytest.mark.parametrize(
    ("expression", "nested"),
    [
        ("n", 0),
        ("len(n)", 1),
        ("len(n) + len(n)", 1),
        ("n.strip().lower()", 2),
        ("len(n.strip(n.lower()))", 3),
        ("[len(n), len(str(n))]", 2),
        ("str(\n        len(n),\n    )", 2),
    ],
)
def test_the_nesting_of_calls(expression, nested):
    assert measured(f"def f(n):\n    return {expression}\n", "f('a')").nested_calls == nested


def test_the_run_is_measured_from_its_record():
    body = "text = ''\n    for i in range(n):\n        text += 'ab'\n    return len(text)"
    made = measured(f"def f(n):\n    {body}\n", "f(3)")
    assert made.steps == 1 + 4 + 3 + 1
    assert made.largest_value == len("'ababab'")
    assert made.changes == 2 + 3 + 3


def test_a_run_that_raises_has_no_output_size():
    assert measured("def f(n):\n    return n / 0\n", "f(1)").output_size == 0


def test_all_kinds_of_parameters_count():
    assert measured("def f(a, /, b, *c, d=1, **e):\n    return a\n", "f(1, 2)").parameters == 5


@pytest.mark.parametrize(
    ("call", "arguments"),
    [("f()", ""), ("f( 1 )", "1"), ("f('(', [')'])", "'(', [')']"), ("f(k=(1,))", "k=(1,)")],
)
def test_the_arguments_of_a_call(call, arguments):
    assert arguments_of(call) == arguments
