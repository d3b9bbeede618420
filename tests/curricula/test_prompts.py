"""What a learner reads, and that following it earns everything."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curricula import prompts
from curricula.problem import Problem, to_row
from curricula.scoring import score
from synth import problem_from

SOURCE = """\
def f(words, low=2):
    found = {}
    for word in words:
        try:
            found[word[0]] += 1
        except KeyError:
            found[word[0]] = low
    return found
"""


@pytest.fixture(scope="module")
def problem() -> Problem:
    return problem_from(SOURCE, "f(['ab', 'a', 'b'])")


def text_of(messages: list[prompts.Message]) -> str:
    (message,) = messages
    assert message["role"] == "user"
    return message["content"]


def reply(*lines: str) -> str:
    return "<reasoning>\nso\n</reasoning>\n<answer>\n" + "\n".join(lines) + "\n</answer>"


def test_lines_are_numbered_as_questions_name_them(problem):
    shown = prompts.numbered("\n" * 9 + "x = 1\n").split("\n")
    assert (shown[0], shown[-1]) == (" 1", "10  x = 1")
    text = text_of(prompts.output_prompt(problem))
    for question in problem.questions:
        line = SOURCE.split("\n")[question.line - 1]
        assert f"{question.line}  {line}\n" in text
        assert f"line {question.line} (`{line.strip()}`)" in question.text


def test_the_prompt_does_not_tell_the_answer(problem):
    text = text_of(prompts.output_prompt(problem))
    assert problem.output.literal not in text
    assert "assert f(['ab', 'a', 'b']) == ????" in text


def test_questions_stand_in_order_with_numbers(problem):
    text = text_of(prompts.output_prompt(problem))
    places = [text.index(f"{n}. {q.text}") for n, q in enumerate(problem.questions, 1)]
    assert places == sorted(places)
    assert len(places) > 3


def test_without_questions_the_rules_of_steps_are_left_out(problem):
    text = text_of(prompts.output_prompt(problem, questions=()))
    assert "questions" not in text
    assert "executed" not in text


def test_an_answer_in_the_format_asked_for_earns_everything(problem):
    lines = [f"assert {problem.call} == {problem.output.literal}"]
    for question in problem.questions:
        value = question.answers[0]
        is_typed = question.kind in ("state", "iteration")
        is_text = value.type == "str" and not is_typed
        lines.append(
            f"{value.literal}; {value.type}"
            if is_typed
            else value.object()
            if is_text
            else value.literal
        )
    assert score(reply(*lines), to_row(problem)).total == 2.0


def test_the_prompt_given_back_earns_nothing(problem):
    text = text_of(prompts.output_prompt(problem))
    assert score(text, to_row(problem)).total == 0.0
    assert score(reply(text), to_row(problem)).total == 0.0


@pytest.mark.parametrize(
    ("call", "shown", "answer"),
    [
        ("g(3)", "assert g(????) == 6", "assert g(3) == 6"),
        ("g('a')", "assert g(????) raises TypeError", "assert g([]) raises TypeError"),
    ],
)
def test_an_input_is_asked_for_by_its_outcome(call, shown, answer):
    asked = problem_from("def g(n):\n    m = n - 1\n    return m * 3\n", call)
    text = text_of(prompts.input_prompt(asked))
    assert shown in text
    assert call not in text
    assert score(reply(answer), {**to_row(asked), "task": "input"}).total == 2.0


def test_code_is_asked_for_with_its_examples():
    text = text_of(prompts.code_prompt("Add two numbers.\n", "add", [("1, 2", "3")]))
    assert text.startswith("Add two numbers.\n\nWrite a Python function `add`.")
    assert "assert add(1, 2) == 3" in text
    text = text_of(prompts.code_prompt("Add.", "", [("1 2\n", "3\n")]))
    assert "standard input" in text
    assert "input:\n1 2\noutput:\n3\n" in text


def test_every_prompt_asks_for_both_blocks(problem):
    for messages in (
        prompts.output_prompt(problem),
        prompts.input_prompt(problem),
        prompts.code_prompt("Add.", "add"),
    ):
        text = text_of(messages)
        assert all(tag in text for tag in ("<reasoning>", "</reasoning>", "<answer>", "</answer>"))


def test_the_same_problem_gives_the_same_prompt(problem):
    again = replace(problem, difficulty=(), tier="")
    assert prompts.output_prompt(again) == prompts.output_prompt(problem)
