"""The rewards as a trainer calls them: every column a list, one reward for each completion."""

from __future__ import annotations

import asyncio
import json
import math
import random
import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl import rewards
from tracing.errors import InfrastructureError, UsageError

SOURCE = "def f(n):\n    m = n * 2\n    return m + 1\n"
QUESTIONS = [
    {"kind": "state", "line": 2, "variable": "m", "answers": [{"type": "int", "literal": "6"}]},
    {"kind": "next_statement", "line": 2, "answers": [{"type": "int", "literal": "3"}]},
]
ROW = {
    "task": "output",
    "source": SOURCE,
    "entry": "f",
    "call": "f(3)",
    "outcome": "returned",
    "output": {"type": "int", "literal": "7"},
    "exception": None,
    "questions": QUESTIONS,
}
CODE = {
    "entry": "add",
    "tests": [{"input": "1, 2", "output": "3"}, {"input": "2, 2", "output": "4"}],
}


def said(*lines: str) -> str:
    return "<reasoning>\nso\n</reasoning>\n<answer>\n" + "\n".join(lines) + "\n</answer>"


RIGHT = said("assert f(3) == 7", "6; int", "3")
WRONG = said("assert f(3) == 8", "6; int", "3")
HALF = said("assert f(3) == 7", "5; int", "3")


def columns(*rows: dict) -> dict[str, list]:
    return {name: [row.get(name) for row in rows] for name in {k: 0 for row in rows for k in row}}


def white_box(completions: list, rows: list[dict], **more) -> list[float | None]:
    return rewards.white_box(
        prompts=[""] * len(rows), completions=completions, **columns(*rows), **more
    )


def test_the_sum_is_that_of_the_formula():
    assert white_box([RIGHT, WRONG, HALF, ""], [ROW] * 4) == [2.0, 1.0, 1.5, 0.0]


@pytest.mark.parametrize("alpha", [0.0, 0.25, 1.0])
def test_alpha_weighs_the_step_answers(alpha):
    given = white_box([WRONG, HALF], [ROW] * 2, alpha=alpha)
    assert given == pytest.approx([2 * alpha, 2 * (1 - alpha) + alpha])


def test_a_gate_pays_nothing_for_steps_to_a_wrong_output():
    assert white_box([RIGHT, WRONG, HALF], [ROW] * 3, gate=True) == [2.0, 0.0, 1.5]


def test_a_problem_without_questions_pays_for_its_output_alone():
    row = {**ROW, "questions": []}
    assert white_box([said("assert f(3) == 7")] * 2, [row] * 2, alpha=1.0) == [2.0, 2.0]


def test_conversations_are_read():
    parts = [{"type": "text", "text": RIGHT[:30]}, {"type": "text", "text": RIGHT[30:]}]
    conversations = [
        [{"role": "assistant", "content": RIGHT}],
        [{"role": "assistant", "content": WRONG}, {"role": "assistant", "content": RIGHT}],
        [{"role": "assistant", "content": RIGHT}, {"role": "user", "content": WRONG}],
        [{"role": "assistant", "content": parts}],
        [{"role": "user", "content": RIGHT}],
        [],
        [{"role": "assistant", "content": None}],
    ]
    assert white_box(conversations, [ROW] * 7) == [2.0, 2.0, 2.0, 2.0, 0.0, 0.0, 0.0]


def test_what_a_trainer_passes_besides_is_ignored():
    more = {"completion_ids": [[1]], "trainer_state": object(), "id": ["a"], "tier": ["hard"]}
    assert white_box([RIGHT], [ROW], **more) == [2.0]


def test_a_row_in_one_column_is_read():
    given = rewards.white_box(
        prompts=[""] * 2, completions=[RIGHT, WRONG], row=[json.dumps(ROW)] * 2
    )
    assert given == [2.0, 1.0]


def test_tasks_of_a_mixed_batch_keep_their_places():
    inputs = {**ROW, "task": "input", "questions": None}
    code = {**ROW, **CODE, "task": "code"}
    completions = [said("assert f(3) == 7"), RIGHT, said("def add(a, b):\n    return a + b"), "?"]
    assert white_box(completions, [inputs, ROW, code, ROW]) == [2.0, 2.0, 2.0, 0.0]


def test_metrics_and_reasons_are_handed_over():
    metrics, extras = {}, {}
    white_box(
        [RIGHT, HALF, "?"],
        [ROW] * 3,
        tier=["easy", "hard", "hard"],
        log_metric=metrics.__setitem__,
        log_extra=extras.__setitem__,
    )
    assert metrics == {
        "infrastructure_errors": 0.0,
        "io": 2 / 3,
        "white": 0.5,
        "format": 2 / 3,
        "white_next_statement": 2 / 3,
        "white_state": 1 / 3,
        "zero_no_answer": 1 / 3,
        "reward_easy": 2.0,
        "reward_hard": 0.75,
        "reward_output": 3.5 / 3,
    }
    assert extras["reason"][:2] == ["right", "1 of 2 step answers are wrong"]


def test_a_failing_machine_is_none_and_no_zero(monkeypatch):
    def fail(*_, **__):
        raise InfrastructureError("no worker can be started")

    monkeypatch.setattr("curricula.scoring.reward.run_arguments", fail)
    inputs = {**ROW, "task": "input"}
    assert white_box([said("f(3)"), said("g(3)"), RIGHT], [inputs, inputs, ROW]) == [None, 0.0, 2.0]


def test_columns_that_are_missing_are_the_caller_s_mistake():
    with pytest.raises(UsageError, match="none of the columns"):
        rewards.white_box(prompts=[""], completions=[RIGHT], text=["?"])
    with pytest.raises(UsageError, match="2 rows for 1 completions"):
        rewards.white_box(prompts=[""], completions=[RIGHT], row=[ROW, ROW])


@pytest.mark.parametrize("alpha", [-0.1, 1.1, math.nan])
def test_alpha_is_a_share(alpha):
    with pytest.raises(UsageError, match="alpha must be from 0 to 1"):
        rewards.score(RIGHT, ROW, alpha=alpha)


def test_programs_are_run_on_tests():
    programs = [
        said("```python\ndef add(a, b):\n    return a + b\n```"),
        said("```python\ndef add(a, b):\n    return 3\n```"),
        said("def add(a, b) return"),
        said("import os\nos._exit(0)"),
        "def add(a, b):\n    return a + b",
    ]
    given = rewards.unit_tests(prompts=[""] * 5, completions=programs, **columns(*[CODE] * 5))
    assert given == [2.0, 0.0, 0.0, 0.0, 0.0]


def test_part_of_the_tests_pays_on_request():
    half = said("```python\ndef add(a, b):\n    return 3\n```")
    assert rewards.score(half, {**CODE, "task": "code"}, partial=True).total == 1.0
    early = said("```python\nimport os\ndef add(a, b):\n    os._exit(0)\n```")
    assert rewards.score(early, {**CODE, "task": "code"}, partial=True).total == 0.0


def test_coroutines_give_the_same():
    async def both() -> list[list[float | None]]:
        return await asyncio.gather(
            rewards.white_box_async(prompts=[""], completions=[WRONG], **columns(ROW)),
            rewards.unit_tests_async(
                prompts=[""],
                completions=[said("def add(a, b):\n    return a + b")],
                **columns(CODE),
            ),
        )

    assert asyncio.run(both()) == [[1.0], [2.0]]


def test_threads_score_at_the_same_time():
    found: list[list[float | None]] = []
    rows = [ROW, {**ROW, "task": "input"}, {**CODE, "task": "code"}]
    texts = [RIGHT, said("assert f(3) == 7"), said("def add(a, b):\n    return a + b")]

    def work() -> None:
        found.append(white_box(texts, rows))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[2.0, 2.0, 2.0]] * 8


@given(st.integers(0, 2**32))
def test_rewards_keep_their_bounds_and_order(seed):
    rng = random.Random(seed)
    texts = [
        RIGHT,
        WRONG,
        HALF,
        "",
        "<answer>",
        said("f(3) == 7"),
        said("\0", "\ud800"),
        RIGHT[::-1],
    ]
    batch = [rng.choice(texts)[rng.randrange(4) :] for _ in range(rng.randrange(9))]
    given = white_box(batch, [ROW] * len(batch))
    assert given == [white_box([text], [ROW])[0] for text in batch]
    assert all(reward is not None and 0.0 <= reward <= 2.0 for reward in given)


def test_importing_the_rewards_loads_nothing_heavy():
    code = (
        "import sys, rl.rewards\n"
        "heavy = {'torch', 'trl', 'transformers', 'datasets', 'pyarrow', 'polars', 'libcst'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_problem_of_ones_own_is_scored_like_its_row():
    import synth
    from curricula.problem import to_row

    problem = synth.problem_from("def f(n):\n    m = n + 1\n    return m * 2\n", "f(3)")
    right = "<answer>assert f(3) == 8</answer>"
    assert rewards.score(right, problem) == rewards.score(right, to_row(problem))
    assert rewards.score(right, problem).io == 1.0


@pytest.mark.parametrize("row", [None, "f(3)", [], 7])
def test_what_is_no_row_is_refused_in_a_sentence(row):
    with pytest.raises(UsageError, match="a row is a mapping of columns or a Problem"):
        rewards.score("x", row)
