"""Replies are hostile; what is read out of them is a program of the shape that was asked for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.shapes import Shape
from synth.program import Program
from synth.sources import Unfit, program_in

UPPER = Shape("str", "upper")
GOOD = "def f(s, n):\n    return s.upper() * n"


def read(reply, shape=UPPER):
    return program_in(reply, shape, "somebody")


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{GOOD}\n\nf('ab', 2)\nf('c', 1)\n```",
        f"Sure!\n```\n{GOOD}\nprint(f('ab', 2))\n```\nHope it helps.",
        f"```py\n{GOOD}\nassert f('ab', 2) == 'ABAB'",
        f"{GOOD}\n\nf('ab', 2)\n",
        "```python\ndef f(s: str, n: int) -> str:\n    '''Say it.'''\n    # loud\n"
        "    return s.upper() * n\n\nf('ab', 2)\n```",
    ],
)
def test_a_program_is_read_in_one_layout_however_it_is_given(reply):
    found = read(reply)
    assert isinstance(found, Program)
    assert found.source == GOOD + "\n"
    assert [(p.name, str(p.type)) for p in found.parameters] == [("s", "str"), ("n", "int")]
    assert found.idioms == ("proposed by somebody",)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply holds no function"),
        ("I cannot do that.", "the reply does not parse"),
        ("```python\nx = 1\n```", "the reply holds no function"),
        (f"import os\n{GOOD}\nf('a', 1)", "the reply holds other statements"),
        (GOOD, "the calls do not tell"),
        (f"{GOOD}\nf('a', open('x'))", "the calls do not tell"),
        (f"{GOOD}\nf('a', 1)\nf(2, 1)", "the calls do not tell"),
        (f"{GOOD}\nf('a', [])", "the calls do not tell"),
        (f"{GOOD}\nf('a', [1, 'b'])", "the calls do not tell"),
        (f"{GOOD}\nf('a', n=1)", "the calls do not tell"),
        (f"{GOOD}\nf('a')", "the calls do not tell"),
        ("def f(*s):\n    return s[0].upper()\nf('a')", "the calls do not tell"),
        ("def f(s):\n    return s.lower()\nf('a')", "it is not of the shape"),
        (
            "def f(s):\n    if s:\n        return s.upper()\n    return s\nf('a')",
            "it is not of the",
        ),
        (
            f"{GOOD.replace('n)', 'n=0x' + 'f' * 6000 + ')', 1)}\nf('a', 1)",
            "the reply does not parse",
        ),
        ("def f(s):\n    return " + "(" * 300 + "s" + ")" * 300 + "\nf('a')", "the reply does not"),
    ],
)
def test_a_reply_without_one_says_why(reply, reason):
    found = read(reply)
    assert isinstance(found, Unfit)
    assert found.reason.startswith(reason)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(), st.text("`def f(s):\n return upper'\"[]\\\0\ud800", max_size=80)))
def test_no_reply_is_an_error(text):
    assert isinstance(read(text), (Program, Unfit))
