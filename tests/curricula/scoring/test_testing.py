"""Programs that a learner writes, and what their tests say."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.scoring import score
from curricula.scoring.testing import same_output

SHOW = "def show(*given):\n    return repr(given)\n"


def outcome(code: str, *tests: tuple[str, str]):
    row = {
        "task": "code",
        "entry": "show",
        "tests": [{"input": given, "output": output} for given, output in tests],
    }
    return score(f"<answer>\n```python\n{code}\n```\n</answer>", row)


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ("1, 2", "(1, 2)"),
        ("1\n2", "(1, 2)"),
        ("10\n-3\n", "(10, -3)"),
        ("'a'\n'b'", "('a', 'b')"),
        ("[1,\n 2],\n3", "([1, 2], 3)"),
        ("[1, 2]\ntrue", "([1, 2], True)"),
        ('null, {"a": false}', "(None, {'a': False})"),
        ("", "()"),
        ("(1, 2)", "((1, 2),)"),
        ("(1,)", "((1,),)"),
    ],
    ids=repr,
)
def test_arguments_are_read_as_data_sets_write_them(given, seen):
    assert outcome(SHOW, (given, repr(seen))).total == 2.0


@pytest.mark.parametrize(
    ("output", "returned"),
    [
        ("3", "3"),
        ("'3'", "'3'"),
        ("true", "True"),
        ('["a", null]', "['a', None]"),
        ("YES", "'YES'"),
        ("{1, 2}", "{2, 1}"),
        ("1e3", "1000.0"),
        ("nan", "float('nan')"),
    ],
    ids=repr,
)
def test_outputs_are_read_as_data_sets_write_them(output, returned):
    assert outcome(f"def show():\n    return {returned}", ("", output)).total == 2.0


@pytest.mark.parametrize(
    ("output", "returned"),
    [
        ("3", "3.0"),
        ("3", "'3'"),
        ("1", "True"),
        ("[1, 2]", "(1, 2)"),
        ("None", "0"),
        ("[1]", "iter([1])"),
        ("3", "type('I', (int,), {})(3)"),
    ],
    ids=repr,
)
def test_values_are_compared_with_their_types(output, returned):
    assert outcome(f"def show():\n    return {returned}", ("", output)).total == 0.0


def test_the_reason_names_the_test():
    reward = outcome("def show(n):\n    return n % 3", ("1", "1"), ("3", "3"))
    assert reward.reason == "test 2: it returns 0"


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("6\n", "6"),
        ("6", "6\n\n"),
        (" 1  2 \n3\n", "1 2\n3\n"),
        ("1\r\n2\r\n", "1\n2\n"),
        ("0.33333333\n", "0.3333333333\n"),
        ("1e-9", "0.0"),
        ("123456789.0001", "123456789.0"),
        ("nan", "nan"),
    ],
)
def test_outputs_that_are_the_same(printed, expected):
    assert same_output(printed, expected)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("1000000000.0", "1000000007"),
        ("1000000007.0", "1000000007"),
        ("1000000006", "1000000007"),
        ("6 7", "6\n7"),
        ("6\n\n7", "6\n7"),
        ("6\n7", "6"),
        ("", "6"),
        ("Yes", "YES"),
        ("0.334", "0.3333333333"),
        ("inf", "1.5"),
        ("nan", "1.5"),
        ("1_0.5", "10.5"),
        ("٣.٥", "3.5"),
        ("0x1p1", "2.0"),
    ],
)
def test_outputs_that_are_not(printed, expected):
    assert not same_output(printed, expected)


@given(st.text(alphabet="0123456789.-+e \n", max_size=40))
def test_an_output_is_the_same_as_itself(text):
    assert same_output(text, text)


@given(st.integers(), st.integers())
def test_whole_numbers_are_the_same_only_as_themselves(one, other):
    assert same_output(str(one), str(other)) == (one == other)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(1e-4, 1e3))
def test_a_number_far_off_is_another(value, factor):
    off = value + factor * max(1.0, abs(value))
    if math.isfinite(off):
        assert not same_output(repr(off), repr(value))
