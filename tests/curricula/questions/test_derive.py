"""Laws that hold for all questions, whatever the program."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tracing
from curricula.questions import KINDS, derive
from curricula.questions.base import Question
from tests.curricula.questions.programs import PROGRAMS
from tracing import Trace, Value
from tracing.errors import UsageError

TRACES = {name: tracing.run(*program) for name, program in PROGRAMS.items()}
QUICK = tuple(name for name in KINDS if name not in ("input", "branch_flip"))

traces = st.sampled_from(sorted(TRACES)).map(TRACES.__getitem__)
seeds = st.integers(0, 10_000)


def answer_to(question: Question) -> str:
    value = question.answers[0]
    if question.kind in ("state", "iteration"):
        return f"{value.literal}; {value.type}"
    if question.kind == "path":
        return value.literal.strip("[]")
    if value.type == "str":
        return str(value.object())
    return value.literal


@settings(max_examples=60, deadline=None)
@given(traces, seeds)
def test_right_answers_are_accepted_and_others_refused(trace: Trace, seed: int) -> None:
    for question in derive(trace, kinds=QUICK, seed=seed):
        assert question.check(answer_to(question)), question
        assert question.check(f"  {answer_to(question)}.  "), question
        for wrong in ("", ";", "????", "-1", "None", "-77; int", "99999", "object()", "9" * 5000):
            assert not question.check(wrong), (question, wrong)


@settings(max_examples=200, deadline=None)
@given(traces, seeds, st.text() | st.binary().map(repr))
def test_no_text_raises_or_is_right_by_chance(trace: Trace, seed: int, text: str) -> None:
    for question in derive(trace, kinds=QUICK, seed=seed, limit=6):
        assert question.check(text) in (True, False)


@settings(max_examples=60, deadline=None)
@given(traces, seeds, st.integers(0, 12))
def test_no_more_than_the_limit_and_no_two_alike(trace: Trace, seed: int, limit: int) -> None:
    questions = derive(trace, seed=seed, limit=limit)

    assert len(questions) <= limit
    assert len({question.text for question in questions}) == len(questions)
    assert questions == derive(trace, seed=seed, limit=limit)


@settings(max_examples=60, deadline=None)
@given(traces, seeds)
def test_answers_are_what_the_trace_says(trace: Trace, seed: int) -> None:
    for question in derive(trace, kinds=QUICK, seed=seed):
        line, occurrence = question.line, question.occurrence
        if question.kind == "count":
            assert question.answers == (Value.of(trace.counts[line]),)
        if question.kind == "executed":
            assert question.answers == (Value.of(trace.executed(line)),)
        if line is None or occurrence is None:
            continue
        step = trace.places(line)[occurrence - 1]
        ahead = trace.record.lines[step + 1 : step + 4]
        if question.kind == "next_statement":
            assert Value.of(ahead[0]) in question.answers
        if question.kind == "path":
            assert question.answers == (Value.of(list(ahead)),)
        if question.kind in ("state", "iteration"):
            assert question.answers == (trace.after(step, question.variable),)
        if question.kind == "exception":
            assert question.answers == (Value.of(trace.steps[step].exception),)


@settings(max_examples=60, deadline=None)
@given(traces, seeds)
def test_no_question_names_a_line_whose_execution_is_asked_for(trace: Trace, seed: int) -> None:
    questions = derive(trace, seed=seed, limit=12)
    asked = [q.line for q in questions if q.kind in ("executed", "count")]

    for line in asked:
        assert [q.line for q in questions].count(line) == 1


@settings(max_examples=60, deadline=None)
@given(traces, seeds)
def test_what_a_with_block_leaves_is_not_asked(trace: Trace, seed: int) -> None:
    for question in derive(trace, kinds=["state"], seed=seed, limit=50):
        step = trace.places(question.line)[question.occurrence - 1]
        assert isinstance(trace.after(step, question.variable), Value)


@pytest.mark.parametrize("name", sorted(TRACES))
def test_wording_names_line_text_and_occurrence(name: str) -> None:
    trace = TRACES[name]
    lines = trace.source.split("\n")
    for question in derive(trace, kinds=QUICK, limit=30):
        if question.line is None:
            continue
        assert f"line {question.line}" in question.text
        assert lines[question.line - 1].strip() in question.text
        if question.occurrence is not None:
            assert any(
                f"{question.occurrence}{end}" in question.text for end in ("st", "nd", "rd", "th")
            )


def test_the_same_under_any_hash_seed() -> None:
    script = (
        "import tracing\nfrom curricula.questions import derive\n"
        "from tests.curricula.questions.programs import PROGRAMS\n"
        "for program in PROGRAMS.values():\n"
        "    print(derive(tracing.run(*program), limit=20, seed=3))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "7")
    }

    assert len(said) == 1


def test_a_run_that_is_unsupported_gives_no_question() -> None:
    trace = tracing.run("import time\ndef f():\n    return time.time()\n", "f()")

    assert trace.outcome not in ("returned", "raised")
    assert derive(trace) == []


def test_wrong_requests_are_refused() -> None:
    trace = TRACES["loop"]

    with pytest.raises(UsageError, match="limit"):
        derive(trace, limit=-1)
    with pytest.raises(UsageError, match="colour"):
        derive(trace, kinds=["colour"])


def test_output_and_input_are_not_asked_together() -> None:
    questions = derive(TRACES["loop"], kinds=["output", "input"])

    assert len(questions) == 1
