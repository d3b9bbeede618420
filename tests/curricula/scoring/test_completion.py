"""Where the answer stands in a completion, and what surrounds it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.scoring import score
from curricula.scoring.assertion import assertion_in
from curricula.scoring.completion import (
    MAX_COMPLETION,
    Unreadable,
    answer_of,
    code_of,
    lines_of,
    unnumbered,
)
from tracing import Value

ROW = {
    "source": "def f(n):\n    return n\n",
    "call": "f(3)",
    "output": "3",
    "questions": [{"kind": "executed", "line": 2, "answers": [True]}],
}


@pytest.mark.parametrize(
    ("completion", "answer"),
    [
        ("<answer>a</answer>", "a"),
        ("<reasoning>r</reasoning>\n<answer>\na\n</answer>", "\na\n"),
        ("<answer>a</answer><answer>b</answer>", "b"),
        ("<answer>a", "a"),
        ("< Answer >a< / ANSWER >", "a"),
        ("<answer>a\r\nb\rc</answer>", "a\nb\nc"),
        ("<reasoning>r<answer>a</answer>", "a"),
        ("<answer>a</answer><reasoning>r</reasoning>", "a"),
        ("<reasoning><answer>a</answer></reasoning><answer>b</answer>", "b"),
    ],
)
def test_the_last_block_is_the_answer(completion, answer):
    assert answer_of(completion) == answer


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        ("", "no <answer> block"),
        ("a", "no <answer> block"),
        ("<answer></answer>", "empty"),
        ("<answer>\n \n</answer>", "empty"),
        ("<reasoning><answer>a</answer></reasoning>", "inside the reasoning"),
        ("<reasoning><answer>a</reasoning>", "inside the reasoning"),
        (None, "no text but NoneType"),
        (3, "no text but int"),
        ([{"role": "user", "content": "<answer>a</answer>"}], "no message of the assistant"),
        ("<answer>a</answer>" + " " * MAX_COMPLETION, "longer than"),
    ],
    ids=lambda case: repr(case)[:40],
)
def test_what_is_no_answer_says_why(completion, reason):
    with pytest.raises(Unreadable, match=reason):
        answer_of(completion)


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("1. 5; int", "5; int"),
        ("12) yes", "yes"),
        ("3: return x", "return x"),
        ("Q1: 5", "5"),
        ("Answer: 5", "5"),
        ("answer 2. 5", "5"),
        ("Answer for question 3: 5", "5"),
        ("* 5", "5"),
        ("- yes", "yes"),
        ("- -5", "-5"),
        ("- 5", "- 5"),
        ("-5", "-5"),
        ("1.5; float", "1.5; float"),
        ("1. +2j; complex", "1. +2j; complex"),
        ("- inf; float", "- inf; float"),
        ("a = 5", "a = 5"),
        ("'1. a'; str", "'1. a'; str"),
    ],
)
def test_a_number_before_an_answer_is_none_of_it(line, bare):
    assert unnumbered(line) == bare


def test_fences_blank_lines_and_shared_indentation_are_taken_off():
    assert lines_of("\n```python\n  a\n\n    b \n```\n  c\n~~~\n") == ["a", "  b", "c"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("x = 1\n", "x = 1"),
        ("```python\nx = 1\n```", "x = 1"),
        ("```\nx = 1\n```\nor\n```py\nx = 2\n```\nso", "x = 2"),
        ("```python\nx = 1", "x = 1"),
        ("```python\n```", ""),
        ("     ```python\n     x = 1\n     ```\n", "x = 1"),
        ("```python\ns = '''\n    ```\n'''\n```", "s = '''\n    ```\n'''"),
    ],
)
def test_code_is_the_last_fenced_block(answer, code):
    assert code_of(answer) == code


@pytest.mark.parametrize(
    "hostile",
    [
        "<" * 300_000,
        "<" + " " * 300_000,
        "<answer>" * 40_000,
        "<reasoning>" * 30_000 + "<answer>",
        "<answer>assert f(" + "[" * 200_000,
        "<answer>assert f(3) == " + "(" * 60_000,
        "<answer>assert f(3) == " + "-" * 60_000 + "1",
        "<answer>assert f(3) == " + "9" * 100_000,
        "<answer>assert f(3) == 9**9**9**9",
        "<answer>assert f(3) == " + "f(" * 20_000 + "3" + ")" * 20_000,
        "<answer>assert f(3)" + " " * 60_000 + "raises",
        "<answer>assert f(3) == '" + "\\" * 60_000,
        "<answer>assert f(3) == 3\n" * 10_000,
        "<answer>" + "assert f(3) == 3\n" * 20_000,
        "<answer>assert f(3) == 3\n" + "yes\n" * 90_000,
        "<answer>assert f(3) == 3\n" + "y" * 390_000,
        "<answer>" + "\n" * 390_000,
        "<answer>" + "```\n" * 90_000,
        "<answer>assert f(3) == 3\n\x00\ud800\u202e",
        "<answer>assert f(3) == \ud800",
        "<answer>" + "1. " * 100_000,
        "<answer>assert f(3) == 3 " + "#" * 300_000,
    ],
    ids=lambda text: repr(text[:24] + text[-8:]),
)
def test_hostile_text_is_scored_at_once(hostile):
    start = time.process_time()
    reward = score(hostile, ROW)
    assert time.process_time() - start < 1.0  # a tenth on a machine of its own
    assert 0.0 <= reward.total <= 1.0


@given(st.text())
def test_any_text_is_scored(text):
    for completion in (text, f"<answer>{text}</answer>", f"<answer>assert f(3) == 3\n{text}"):
        assert 0.0 <= score(completion, ROW).total <= 2.0


@given(st.text(alphabet="assertf(3)= \n'\",[]{}#.;:rinos\\`", max_size=60))
def test_text_of_the_same_letters_is_read_or_refused(text):
    try:
        claim = assertion_in(text, "f")
    except Unreadable:
        return
    assert claim.value is None or isinstance(claim.value, Value)
