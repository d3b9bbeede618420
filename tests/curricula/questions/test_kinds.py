"""Each kind: what it asks, what it takes for right, what not."""

import pytest

import tracing
from curricula.questions import derive
from curricula.questions.base import Question
from tests.curricula.questions.programs import PROGRAMS
from tracing import Trace, Value
from tracing.errors import UsageError


def run(name: str) -> Trace:
    return tracing.run(*PROGRAMS[name])


def asked(trace: Trace, kind: str) -> list[Question]:
    return derive(trace, kinds=[kind], limit=50)


def about(trace: Trace, kind: str, line: int, occurrence: int | None = None) -> Question:
    found = [
        question
        for seed in range(40)
        for question in derive(trace, kinds=[kind], limit=50, seed=seed)
        if question.line == line and occurrence in (None, question.occurrence)
    ]
    assert found, f"{kind} never asks about line {line}"
    return found[0]


ACCEPTED = [
    (
        "loop",
        "next_statement",
        3,
        1,
        [
            "4",
            "line 4",
            "Line 4.",
            "if item % 2:",
            "    if item % 2:",
            "4: if item % 2:",
            "`if item  % 2:`",
        ],
    ),
    ("loop", "next_statement", 7, 2, ["3", "for item in items:"]),
    ("recursion", "next_statement", 4, 1, ["2", "if n < 2:"]),
    ("loop", "state", 5, 1, ["3; int", " 3 ;int. ", "`3; int`", "3; <class 'int'>", "3; 'int'"]),
    ("raises", "state", 4, 1, ["'xy;'; str", '"xy;"; str']),
    ("sets", "state", 3, 1, ["{'a', 'b'}; set", "{'b', 'a'}; set"]),
    ("loop", "iteration", 3, 2, ["4; int"]),
    ("loop", "executed", 7, None, ["yes", "Yes.", "TRUE", "`yes`"]),
    ("recursion", "count", 4, None, ["3", "3 times", "3.", "`3`"]),
    (
        "loop",
        "path",
        3,
        1,
        ["4, 5, 3", "[4, 5, 3]", "lines 4, 5, 3.", "line 4, line 5, line 3", "(4,5,3)"],
    ),
    ("caught", "exception", 5, 2, ["ValueError", "`ValueError`", "ValueError."]),
]
REFUSED = [
    (
        "loop",
        "next_statement",
        3,
        1,
        [
            "5",
            "-1",
            "def f(items):",
            "return [total]",
            "4 5",
            "4 or 5",
            "lines 1-8",
            "5: if item % 2:",
            "4.0",
            "٤",
        ],
    ),
    (
        "loop",
        "state",
        5,
        1,
        [
            "3",
            "3; float",
            "3.0; float",
            "True; bool",
            "3; int; int",
            "4; int",
            "3 or 4; int",
            "'3'; str",
            "3; int or str",
            "3; object",
            "1 + 2; int",
            "item; int",
        ],
    ),
    ("sets", "state", 3, 1, ["['a', 'b']; list", "frozenset({'a', 'b'}); frozenset", "{'a'}; set"]),
    ("loop", "iteration", 3, 2, ["4", "3; int", "4.0; float"]),
    ("loop", "executed", 7, None, ["no", "False", "yes or no", "1", "maybe", "yes no"]),
    ("recursion", "count", 4, None, ["4", "three", "3.0", "True", "2-4", "3 or 4", "-3"]),
    (
        "loop",
        "path",
        3,
        1,
        ["4, 5", "4, 5, 3, 4", "4 5 3", "3, 5, 4", "{4, 5, 3}", "4, 5, 3 or 4, 7, 3"],
    ),
    (
        "caught",
        "exception",
        5,
        2,
        ["Exception", "valueerror", "ValueError or TypeError", "builtins.ValueError", ""],
    ),
]


@pytest.mark.parametrize(("name", "kind", "line", "occurrence", "answers"), ACCEPTED)
def test_right_answers_in_other_words_are_accepted(
    name: str, kind: str, line: int, occurrence: int | None, answers: list[str]
) -> None:
    question = about(run(name), kind, line, occurrence)

    assert [answer for answer in answers if not question.check(answer)] == []


@pytest.mark.parametrize(("name", "kind", "line", "occurrence", "answers"), REFUSED)
def test_wrong_answers_are_refused(
    name: str, kind: str, line: int, occurrence: int | None, answers: list[str]
) -> None:
    question = about(run(name), kind, line, occurrence)

    assert [answer for answer in answers if question.check(answer)] == []


def test_the_text_of_a_statement_that_stands_twice_is_no_answer() -> None:
    source = "def f(n):\n    n += 1\n    n *= 2\n    n += 1\n    return n\n"
    question = about(tracing.run(source, "f(1)"), "next_statement", 3)

    assert question.check("4")
    assert not question.check("n += 1")


def test_state_is_not_asked_where_a_with_block_is_left() -> None:
    assert all(question.line != 12 for question in asked(run("with"), "state"))


def test_the_exception_that_leaves_the_call_is_not_asked() -> None:
    assert asked(run("raises"), "exception") == []


def test_output_takes_the_literal_or_the_exception() -> None:
    (returned,) = asked(run("loop"), "output")
    (raised,) = asked(run("raises"), "output")

    assert returned.check("[6]")
    assert returned.check(" `[6]`. ")
    assert not returned.check("(6,)")
    assert not returned.check("raises ValueError")
    assert raised.check("raises KeyError")
    assert raised.check("raises `KeyError`.")
    assert not raised.check("KeyError")
    assert not raised.check("raises Exception")
    assert not raised.check("'raises KeyError'")


def test_a_text_that_reads_like_an_exception_is_not_asked_for() -> None:
    trace = tracing.run("def f():\n    x = 'raises KeyError'\n    return x\n", "f()")

    assert asked(trace, "output") == []


def test_input_runs_the_program_on_what_is_proposed() -> None:
    (question,) = asked(run("loop"), "input")

    assert question.check("f([3, 4, 5, 6])")
    assert question.check("[6, 5, 4, 3]")
    assert question.check("f(items=(7, 2))")
    assert not question.check("f([3])")
    assert not question.check("f()")
    assert not question.check("6")
    assert not question.check("f(list([7, 2]))")
    assert not question.check("g([7, 2])")


def test_an_exception_is_asked_for_by_input() -> None:
    (question,) = asked(run("raises"), "input")

    assert question.check("f({}, 'k')")
    assert not question.check("f({'k': ''}, 'k')")
    assert not question.check("f()")
    assert not question.check("f({}, 1)")


def test_branch_flip_takes_any_call_that_turns_the_first_test() -> None:
    question = about(run("loop"), "branch_flip", 4)

    assert question.check(question.answers[0].object())
    assert question.check("f([2, 3])")
    assert question.check("f(items=[4])")
    assert not question.check("f([5, 2])"), "only the second test turns"
    assert not question.check("f([])"), "the test is not met"
    assert not question.check("f([object()])")
    assert not question.check("")


def test_branch_flip_of_a_loop() -> None:
    question = about(run("helper"), "branch_flip", 7)

    assert question.check("f(50, 3)")
    assert not question.check("f(1, 3)")
    assert not question.check("f('a', 3)"), "the test raises"


def test_costly_kinds_are_asked_on_request_only() -> None:
    for seed in range(20):
        kinds = {question.kind for question in derive(run("loop"), seed=seed, limit=30)}

        assert not kinds & {"output", "input", "branch_flip"}


def test_a_question_that_must_run_says_that_it_lost_its_program() -> None:
    question = Question("input", "?", None, None, None, (Value.of("f(1)"),))

    with pytest.raises(UsageError, match="does not know its program"):
        question.check("f(1)")
