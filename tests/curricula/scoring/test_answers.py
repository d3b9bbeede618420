"""Which line answers which question, and what missing and surplus lines cost."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.questions import Question
from curricula.scoring.answers import judge_answers
from tracing import Value


def asked(kind: str, answer: object) -> Question:
    return Question(kind, "", 1, 1, "x", (Value.of(answer),))


STATES = [asked("state", n) for n in (11, 22, 33, 44)]
RIGHT = ["11; int", "22; int", "33; int", "44; int"]
MIXED = [asked("next_statement", 8), asked("state", 5), asked("executed", True)]


def rights(lines: list[str], questions: list[Question]) -> tuple[list[bool], int]:
    parts, surplus = judge_answers(lines, questions)
    return [part.right for part in parts], surplus


def test_lines_answer_questions_in_order():
    assert rights(RIGHT, STATES) == ([True] * 4, 0)
    assert rights(RIGHT[::-1], STATES) == ([False] * 4, 0)


@pytest.mark.parametrize("missing", range(4))
def test_a_missing_line_costs_one_question(missing):
    lines = [line for place, line in enumerate(RIGHT) if place != missing]
    assert rights(lines, STATES) == ([place != missing for place in range(4)], 0)


@pytest.mark.parametrize("place", range(5))
def test_a_line_too_many_is_counted_and_moves_nothing(place):
    lines = [*RIGHT[:place], "so it is", *RIGHT[place:]]
    assert rights(lines, STATES) == ([True] * 4, 1)


def test_a_wrong_line_stays_in_its_place():
    assert rights(["11; int", "0; int", "33; int", "44; int"], STATES)[0] == [
        True,
        False,
        True,
        True,
    ]


def test_no_lines_are_no_answers():
    assert rights([], STATES) == ([False] * 4, 0)


def test_a_flood_is_not_looked_at():
    lines = [f"{n}; int" for n in range(100)]
    assert rights(lines, STATES) == ([False] * 4, 96)


def test_answers_are_read_without_their_numbers():
    assert rights(["Q1: line 8", "2. 5; int", "Answer 3: yes"], MIXED)[0] == [True] * 3


def test_a_dash_before_a_number_is_its_sign():
    for value in (5, -5):
        given = rights(["- 5; int"], [asked("state", value)])[0]
        assert given == [value == -5]


def test_a_very_long_line_is_wrong_before_it_is_read():
    line = "[" * 30_000 + "; list"
    assert rights([line] * 4, STATES) == ([False] * 4, 0)


@given(st.data())
def test_dropping_a_line_is_no_second_guess(data):
    """Over all truths, any yes-and-no text earns no more than one guess a question."""
    count = data.draw(st.integers(1, 5), label="questions")
    words = data.draw(st.lists(st.sampled_from(["yes", "no"]), max_size=2 * count), label="lines")
    earned = 0
    for truths in product([True, False], repeat=count):
        right, surplus = rights(words, [asked("executed", truth) for truth in truths])
        earned += max(0, sum(right) - surplus)
    assert earned <= count / 2 * 2**count


@given(st.lists(st.sampled_from([*RIGHT, "0; int", "-", "8"]), max_size=12))
def test_no_more_is_right_than_was_written(lines):
    right, surplus = rights(lines, STATES)
    assert len(right) == 4
    assert sum(right) <= len(lines)
    assert surplus == max(0, len(lines) - 4)
