"""Every narration is right: it earns all, and each value that it states stands in the run."""

from __future__ import annotations

import ast
import re
from itertools import product

import pytest

from curricula.narrator import STYLES, narrate
from curricula.narrator.claims import disagreements
from curricula.narrator.narration import answered, asked_in, style_of
from curricula.problem import to_row
from curricula.scoring import HIGHEST, score
from curricula.views import sft
from curricula.views.stage1 import TASKS
from synth import problem_from
from tracing import run
from tracing.errors import UsageError

PROGRAMS = {
    "a sum over a loop": (
        "def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n",
        "f(3)",
    ),
    "many passes": (
        "def f(n):\n    total = 0\n    while n > 0:\n        total += n\n        n -= 1\n"
        "    return total\n",
        "f(40)",
    ),
    "a helper, a test and a list": (
        "def half(x):\n    y = x // 2\n    return y\n\ndef g(xs):\n    made = []\n"
        "    for x in xs:\n        if x % 2 == 0:\n            made.append(half(x))\n"
        "        else:\n            made.append(-x)\n    return made\n",
        "g([4, 3, 8])",
    ),
    "a recursion": (
        "def fact(n):\n    if n < 2:\n        return 1\n    rest = fact(n - 1)\n"
        "    return n * rest\n",
        "fact(4)",
    ),
    "an exception that is caught": (
        "def h(words, low=2):\n    found = {}\n    for word in words:\n        try:\n"
        "            found[word[0]] += 1\n        except KeyError:\n"
        "            found[word[0]] = low\n    return found\n",
        "h(['ab', 'a', 'b'])",
    ),
    "an exception that escapes": (
        "def k(d):\n    value = d['a']\n    text = f'{value}'\n    return d['b'], text\n",
        "k({'a': 1})",
    ),
    "nested loops": (
        "def m(rows):\n    best = None\n    for row in rows:\n        for cell in row:\n"
        "            if best is None or cell > best:\n                best = cell\n"
        "                continue\n            break\n    return best, rows\n",
        "m([[1, 5, 2], [9], []])",
    ),
}


@pytest.fixture(scope="module", params=list(PROGRAMS), ids=str)
def told(request):
    """A problem with its run."""
    source, call = PROGRAMS[request.param]
    return problem_from(source, call), run(source, call)


def reply_of(narration):
    return narration.messages[-1]["content"]


@pytest.mark.parametrize(("task", "style"), list(product(TASKS, STYLES)))
def test_a_narration_earns_the_full_reward(told, task, style):
    problem, trace = told
    row = {**to_row(problem), "task": task}
    if task == "input" or not asked_in(problem):
        row["questions"] = []
    assert score(reply_of(narrate(problem, trace, task, style=style)), row).total == HIGHEST
    assert score(reply_of(answered(problem, task)), row).total == HIGHEST


def stated(text):
    """Read each ``name = literal`` that is not in backticks: a parser of its own."""
    text = re.sub(r"`[^`]*`", " ", text)
    for match in re.finditer(r"(?<![\w'\"])([a-z]\w*) = ", text):
        rest = text[match.end() :].split("\n")[0]
        for end in range(len(rest), 0, -1):
            try:
                yield match[1], repr(ast.literal_eval(rest[:end].rstrip(" .,;:")))
                break
            except (SyntaxError, ValueError):
                continue


@pytest.mark.parametrize(("task", "style"), list(product(TASKS, STYLES)))
def test_every_value_that_is_stated_is_taken_from_the_run(told, task, style):
    problem, trace = told
    held = {
        (name, repr(ast.literal_eval(value.literal)))
        for step in trace.steps
        for name, value in step.changes
        if not isinstance(value, str)
    }
    text = reply_of(narrate(problem, trace, task, style=style)).partition("<answer>")[0]
    said = set(stated(text))
    assert said
    assert said <= held


@pytest.mark.parametrize(("task", "style"), list(product(TASKS, STYLES)))
def test_no_claim_of_a_narration_disagrees_with_its_run(told, task, style):
    problem, trace = told
    text = reply_of(narrate(problem, trace, task, style=style)).partition("<answer>")[0]
    assert disagreements(text, trace) == []


@pytest.mark.parametrize("task", TASKS)
def test_the_short_style_is_shorter(told, task):
    problem, trace = told
    long, short = (len(reply_of(narrate(problem, trace, task, style=s))) for s in STYLES)
    assert short < long


def test_both_styles_and_several_wordings_occur():
    openings, styles = set(), set()
    for n in range(12):
        problem = problem_from(*PROGRAMS["a sum over a loop"][:1], f"f({n})", questions=0)
        trace = run(problem.source, problem.call)
        styles |= {style_of(problem, task) for task in TASKS}
        opening = reply_of(narrate(problem, trace, "output")).split("\n")[1]
        openings.add(opening.replace(problem.call, "CALL"))
    assert styles == set(STYLES)
    assert len(openings) >= 3


def test_the_same_problem_gives_the_same_text_in_both_directions(told):
    problem, trace = told
    once, again = (list(sft.to_rows(problem, trace)) for _ in range(2))
    assert once == again
    assert [row["task"] for row in once] == list(TASKS)
    assert once[0]["messages"][0] != once[1]["messages"][0]


@pytest.mark.parametrize(("task", "style"), [("guess", "long"), ("output", "epic")])
def test_a_task_or_style_that_there_is_not_is_refused(told, task, style):
    with pytest.raises(UsageError, match="a narration is of task output or input"):
        narrate(*told, task, style=style)
