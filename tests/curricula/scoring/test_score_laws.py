"""Laws of the score: whatever a completion holds, it is a number in its range, with a reason."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.scoring import score, score_many
from tracing.errors import UsageError

SOURCE = (
    "def f(xs, k=2):\n    total = 0\n    for x in xs:\n        total += x * k\n    return total\n"
)
QUESTIONS = [
    {
        "kind": "next_statement",
        "text": "",
        "line": 3,
        "occurrence": 1,
        "answers": [{"type": "int", "literal": "4"}],
    },
    {
        "kind": "state",
        "text": "",
        "line": 4,
        "occurrence": 2,
        "variable": "total",
        "answers": [{"type": "int", "literal": "6"}],
    },
]
ROW = {
    "task": "output",
    "source": SOURCE,
    "entry": "f",
    "call": "f([1, 2])",
    "outcome": "returned",
    "output": {"type": "int", "literal": "6"},
    "exception": None,
    "questions": QUESTIONS,
}
RIGHT = "<answer>\nassert f([1, 2]) == 6\n4\n6; int\n</answer>"

pieces = st.sampled_from(
    ["<answer>", "</answer>", "assert ", "f([1, 2])", " == ", "6", "\n", "6; int", "total += x * k",
     "```python", "```", "????", "raises ValueError", "(", "[" * 50, "'", "\\", "\x00", "\ud800", "4", ";", "line 4"]
)  # fmt: skip
texts = st.one_of(st.lists(pieces, max_size=25).map("".join), st.text(max_size=80))
completions = st.one_of(
    texts,
    texts.map(lambda text: [{"role": "assistant", "content": text}]),
    st.recursive(st.none() | st.booleans() | st.integers() | texts, lambda s: st.lists(s, max_size=3) | st.dictionaries(st.sampled_from(["role", "content", "text"]), s, max_size=3), max_leaves=6),
)  # fmt: skip


@settings(deadline=None)
@given(completions, st.floats(0, 1), st.booleans())
def test_a_reward_is_a_number_from_0_to_2_with_a_reason(completion, alpha, gate):
    reward = score(completion, ROW, alpha=alpha, gate=gate)
    assert reward.total is not None
    assert not math.isnan(reward.total)
    assert 0.0 <= reward.total <= 2.0
    assert reward.reason


@settings(deadline=None, max_examples=40)
@given(st.lists(completions, max_size=6))
def test_there_is_one_reward_for_each_completion_in_order(several):
    rewards = score_many([*several, RIGHT], [ROW] * (len(several) + 1))
    assert len(rewards) == len(several) + 1
    assert rewards[-1].total == 2.0
    assert [r.total for r in rewards[:-1]] == [score(c, ROW).total for c in several]


@pytest.mark.parametrize(
    ("alpha", "gate", "total"),
    [(0.0, False, 0.0), (0.5, False, 1.0), (1.0, False, 2.0), (0.5, True, 0.0)],
)
def test_a_wrong_output_earns_what_the_formula_says(alpha, gate, total):
    wrong = RIGHT.replace("== 6", "== 7")
    assert score(wrong, ROW, alpha=alpha, gate=gate).total == total


def test_a_problem_without_questions_pays_twice_the_output():
    assert score("<answer>assert f([1, 2]) == 6</answer>", {**ROW, "questions": []}).total == 2.0


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan")])
def test_a_weight_outside_its_range_is_a_sentence(alpha):
    with pytest.raises(UsageError, match="alpha"):
        score(RIGHT, ROW, alpha=alpha)


LENIENT = {
    "as it is": ROW,
    "a literal as output": {**ROW, "output": "6"},
    "questions as a struct of lists": {
        **ROW,
        "questions": {name: [q.get(name) for q in QUESTIONS] for name in ("kind", "text", "line", "occurrence", "variable", "answers")},
    },
    "statement texts with their indentation": {
        **ROW,
        "questions": [{**QUESTIONS[0], "answers": [{"type": "str", "literal": "        total += x * k"}]}, QUESTIONS[1]],
    },
    "no task, no outcome": {k: v for k, v in ROW.items() if k not in ("task", "outcome", "exception")},
    "more columns than needed": {**ROW, "tier": "hard", "tests": None},
}  # fmt: skip


@pytest.mark.parametrize("name", LENIENT)
def test_a_row_may_come_in_several_forms(name):
    assert score(RIGHT, LENIENT[name]).total == 2.0


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"task": "poem"},
        {**ROW, "source": None},
        {**ROW, "output": None},
        {"task": "code", "tests": []},
    ],
    ids=["empty", "unknown task", "no source", "no output", "no tests"],
)
def test_a_row_that_cannot_be_scored_is_a_sentence(row):
    with pytest.raises(UsageError, match=r"\w+ \w+ \w+"):
        score(RIGHT, row)
