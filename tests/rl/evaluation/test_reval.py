"""REval's probes: their truth by our tracer, both rules, and the consistency of four answers."""

from __future__ import annotations

import json
import re

import pytest
from scripted import ScriptedServer

import rl
from rl.evaluation.benchmarks import BENCHMARKS
from rl.evaluation.benchmarks.base import Replied
from rl.evaluation.benchmarks.reading import BenchmarkError

SOURCE = '''from typing import List


def longest(words: List[str]) -> int:
    """The length of the longest word."""
    best = len('')
    for word in words:
        size = len(word)
        if size > best:
            best = size
    if best > 9:
        best = sum([best])
    return best
'''
PROGRAM = {
    "task_id": "DREval/0",
    "code": SOURCE,
    "entry_point": "longest",
    "test": None,
    "inputs": ["(['ab', 'c', 'defg'],)"],
    "outputs": ["4"],
}
CLASS = {
    "task_id": "DREval/1",
    "code": "class Stack:\n    def size(self):\n        return 0\n",
    "entry_point": "Stack",
    "test": "class StackTest(unittest.TestCase): ...",
    "inputs": ["stack = Stack()\nself.assertEqual(stack.size(), 0)"],
    "outputs": [],
}
PLANS = [
    {
        "task_id": "DREval/0",
        "idx": 0,
        "tasks": [
            {
                "input_idx": 0,
                "task": [
                    {"lineno": 8, "var": "size"},
                    {"lineno": 10, "var": "best"},
                    {"lineno": 12, "var": "best"},
                    {"lineno": 13, "var": "best"},
                    {"lineno": 6, "var": "words[0]"},
                ],
                "output_pred": "assert longest(['ab', 'c', 'defg']) == ??",
            }
        ],
    },
    {
        "task_id": "DREval/1",
        "idx": 1,
        "tasks": [
            {
                "input_idx": 0,
                "task": [{"lineno": 3, "var": "self"}],
                "output_pred": "stack = Stack()\nassertEqual(stack.size(), ??)",
            }
        ],
    },
]


def folder_of(place, programs=(PROGRAM, CLASS), plans=tuple(PLANS)):
    for name, rows in (("DREval_data.jsonl", programs), ("DREval_tasks.jsonl", plans)):
        (place / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return place


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    folder = folder_of(tmp_path_factory.mktemp("reval"))
    return BENCHMARKS["reval"].read(str(folder), BENCHMARKS["reval"].tasks)


def judged(content, name, answer):
    """Judge one answer by both rules."""
    item = next(item for item in content.items if item.id == name)
    replied = [Replied(item, f"<answer>\n{answer}\n</answer>")]
    found = BENCHMARKS["reval"]
    ((ours,),) = found.ours(replied)
    ((official,),) = found.official(replied)
    return ours.right, official.right


def test_what_cannot_be_asked_is_counted(content):
    assert dict(content.left_out) == {
        "it tests a class, whose calls are not those of a function": 1,
        "state: what it asks about is no variable": 1,
    }
    assert len(content.items) == 5 + 4 + 5 + 1


@pytest.mark.parametrize(
    ("name", "answer", "ours", "official"),
    [
        ("0.0:8.size/coverage", "YES", 1, 1),
        ("0.0:8.size/coverage", "no", 0, 0),
        ("0.0:12.best/coverage", "NO", 1, 1),
        ("0.0:12.best/coverage", "perhaps", 0, 1),
        ("0.0:12.best/coverage", "No, since best is 4", 0, 1),
        ("0.0:8.size/state", "2; int", 1, 1),
        ("0.0:8.size/state", "4; int", 1, 1),
        ("0.0:8.size/state", "3; int", 0, 0),
        ("0.0:8.size/state", "2 + 2; int", 0, 1),
        ("0.0:8.size/state", "4; <class 'int'>", 1, 1),
        ("0.0:8.size/state", "4; Integer", 0, 1),
        ("0.0:8.size/state", "4.0; float", 0, 0),
        ("0.0:8.size/state", "True; bool", 0, 0),
        ("0.0:8.size/state", "4", 0, 0),
        ("0.0:8.size/state", "Nil", 0, 0),
        ("0.0:12.best/state", "Nil", 1, 1),
        ("0.0:12.best/state", "4; int", 0, 0),
        ("0.0:13.best/state", "__import__('os')._exit(0); int", 0, 0),
        ("0.0:8.size/path", "if size > best:", 1, 1),
        ("0.0:8.size/path", "9", 1, 0),
        ("0.0:8.size/path", "best = size", 0, 0),
        ("0.0:10.best/path", "for word in words:", 1, 1),
        ("0.0:12.best/path", "-1", 1, 1),
        ("0.0:13.best/path", "-1", 1, 1),
        ("0.0:8.size/path", "-1", 0, 0),
        ("0.0:8.size/path", "if size > best:\nfor word in words:", 0, 1),
        ("0.0/output", "assert longest(['ab', 'c', 'defg']) == 4", 1, 1),
        ("0.0/output", "assert longest(['ab', 'c', 'defg']) == 5", 0, 0),
        ("0.0/output", "assert longest(['ab', 'c', 'defg']) in range(9)", 0, 1),
        ("0.0/output", "assert True", 0, 0),
        ("0.0/output", "4", 0, 0),
    ],
)
def test_answers_are_judged_by_both_rules(content, name, answer, ours, official):
    assert judged(content, name, answer) == (ours, official)


def test_no_answer_counts_as_no_by_the_official_rule_alone(content):
    item = next(item for item in content.items if item.id == "0.0:12.best/coverage")
    found = BENCHMARKS["reval"]
    ((ours,),) = found.ours([Replied(item, "")])
    ((official,),) = found.official([Replied(item, "")])
    assert (ours.right, official.right) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("right", "score"),
    [
        ({"coverage", "state", "path", "output"}, 1.0),
        ({"coverage", "state", "path"}, 0.5),
        ({"coverage", "state"}, 0.25),
        ({"coverage"}, 0.125),
        ({"state", "path", "output"}, 0.0),
        ({"coverage", "path"}, 0.0),
        (set(), 0.0),
    ],
)
def test_consistency_is_what_four_answers_to_a_probe_are_worth(tmp_path, right, score):
    plan = {**PLANS[0], "tasks": [{**PLANS[0]["tasks"][0], "task": [{"lineno": 8, "var": "size"}]}]}
    folder = folder_of(tmp_path, [PROGRAM], [plan])
    texts = {
        "coverage": "YES",
        "state": "2; int",
        "path": "if size > best:",
        "output": "assert longest(['ab', 'c', 'defg']) == 4",
    }

    def answer(prompt, count):
        words = {"YES or NO": "coverage", "value; type": "state", "line of code": "path"}
        task = next((task for word, task in words.items() if word in prompt), "output")
        text = texts[task] if task in right else "assert longest() == 'no'"
        return [f"<answer>{text}</answer>"] * count

    with ScriptedServer(answer) as server:
        report = rl.evaluate(server.spec, "reval", data=folder)
    assert report.score("consistency").rate == score
    assert report.score("consistency", rule="official").rate == score
    assert report.score("coverage").rate == float("coverage" in right)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"idx": 9}, "idx 9 is no row of DREval_data.jsonl"),
        ({"idx": "0"}, "the column idx holds no whole number"),
        ({"tasks": [3]}, "task 0 is no object"),
        ({"tasks": [{**PLANS[0]["tasks"][0], "input_idx": 4}]}, "input_idx 4 is none of 1 inputs"),
        ({"tasks": [{**PLANS[0]["tasks"][0], "task": [{"lineno": 1}]}]}, "no column var"),
    ],
)
def test_a_plan_of_another_form_is_named(tmp_path, change, message):
    folder = folder_of(tmp_path, [PROGRAM], [{**PLANS[0], **change}])
    with pytest.raises(BenchmarkError, match=re.escape(message)):
        BENCHMARKS["reval"].read(str(folder), ("coverage",))


def test_a_folder_without_the_files_is_refused(tmp_path):
    with pytest.raises(BenchmarkError, match=r"DREval_data\.jsonl does not exist"):
        BENCHMARKS["reval"].read(str(tmp_path), ("coverage",))
    with pytest.raises(BenchmarkError, match="reval needs data"):
        BENCHMARKS["reval"].read("", ("coverage",))
