"""Each benchmark reads its own form, asks for what it should, and judges by both rules."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scripted import ScriptedServer

import rl
import synth
from curricula.problem import SCHEMA, to_row
from rl.evaluation.benchmarks import BENCHMARKS, Benchmark, benchmark, benchmark_of
from rl.evaluation.benchmarks.base import Content, Replied, call_item
from rl.evaluation.benchmarks.reading import BenchmarkError, read_lines, version_of
from rl.evaluation.statistics import interval
from rl.evaluation.table import notes
from tracing.errors import UsageError


def jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def said(text: str) -> str:
    return f"<answer>\n{text}\n</answer>"


def rates(report):
    return {(s.task, s.rule): s.rate for s in report.scores}


def evaluated(name, data, answer, **options):
    with ScriptedServer(lambda prompt, count: [answer(prompt)] * count) as server:
        return rl.evaluate(server.spec, name, data=data, **options)


# What every benchmark shares.

PLAIN = {"id": "a", "code": "def f(n):\n    return n", "input": "1", "output": "1"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**PLAIN, "id": "b", "code": 3}, "row 2: the column code holds no text but 3"),
        ({"id": "b", "code": "def f(): pass"}, "row 2: there is no column output; it has id, code"),
        ({**PLAIN, "id": "b", "code": "def g(): pass"}, "row 2: the program defines no function f"),
        ({**PLAIN, "id": "b", "code": "def f(:"}, "row 2: the program is no Python"),
        (PLAIN, "row 2: the id a is that of data.jsonl, row 1, too"),
        ([1], "row 2 is no object of columns"),
        ({**PLAIN, "id": None}, "row 2: the column id holds no text but None"),
    ],
)
def test_a_row_of_another_form_is_named(tmp_path, row, message):
    data = jsonl(tmp_path / "data.jsonl", [PLAIN, row])
    with pytest.raises(BenchmarkError, match=re.escape(message)):
        BENCHMARKS["cruxeval"].read(str(data), ("output",))


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "has no rows"), (b"\xff\xfe", "cannot be read"), (b"{", "row 1 is no JSON")],
)
def test_a_file_that_is_none_is_an_error(tmp_path, content, message):
    path = tmp_path / "data.jsonl"
    path.write_bytes(content)
    with pytest.raises(BenchmarkError, match=message):
        read_lines(str(path))
    with pytest.raises(BenchmarkError, match="does not exist"):
        read_lines(str(tmp_path / "other.jsonl"))
    broken = tmp_path / "data.parquet"
    broken.write_bytes(content)
    with pytest.raises(BenchmarkError, match="cannot be read"):
        read_lines(str(broken))


def test_parquet_and_jsonl_of_the_same_rows_have_one_version(tmp_path):
    rows = [{**PLAIN, "id": str(number)} for number in range(3)]
    one = read_lines(str(jsonl(tmp_path / "data.jsonl", rows)))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "data.parquet")
    other = read_lines(str(tmp_path / "data.parquet"))
    assert version_of(one) == version_of(other)
    assert [line.columns for line in one] == [line.columns for line in other]
    assert version_of(one[:2]) != version_of(one)


def test_a_name_that_is_neither_file_nor_dataset_says_so(monkeypatch):
    import datasets

    def away(*arguments, **options):
        raise ConnectionError("no way there")

    monkeypatch.setattr(datasets, "load_dataset", away)
    with pytest.raises(BenchmarkError, match="give the path of a JSONL or parquet file"):
        read_lines("somebody/something")


def test_rows_of_the_hub_are_those_of_a_file(tmp_path, monkeypatch):
    import datasets

    rows = [{**PLAIN, "id": str(number)} for number in range(3)]
    repository = tmp_path / "repository"
    (repository / "data").mkdir(parents=True)
    file = repository / "data" / "test-00000-of-00001.parquet"
    pq.write_table(pa.Table.from_pylist(rows), file)
    load, cache = datasets.load_dataset, str(tmp_path / "cache")

    def from_folder(name, config, **options):
        assert name == "somebody/crux"
        return load(str(repository), config, cache_dir=cache, **options)

    monkeypatch.setattr(datasets, "load_dataset", from_folder)
    found = read_lines("somebody/crux")
    assert version_of(found) == version_of(read_lines(str(file)))
    assert found[2].place == "somebody/crux, row 3"
    with pytest.raises(BenchmarkError, match="its split Python cannot be read"):
        read_lines("somebody/crux", split="Python")


def test_an_output_that_is_no_literal_is_left_out_and_counted(tmp_path):
    data = jsonl(tmp_path / "data.jsonl", [PLAIN, {**PLAIN, "id": "b", "output": "<object>"}])
    content = BENCHMARKS["cruxeval"].read(str(data), ("output",))
    assert len(content.items) == 1
    assert dict(content.left_out) == {"the output is no literal": 1}


def test_names_are_read_loosely_and_tasks_chosen():
    assert benchmark_of("CRUXEval-X/Input") == (BENCHMARKS["cruxeval_x"], ("input",))
    with pytest.raises(UsageError, match="choose of cruxeval, cruxeval_x"):
        benchmark_of("cruxevil")


def test_a_benchmark_can_be_added_from_outside(tmp_path):
    @benchmark("doubling")
    class Doubling(Benchmark):
        tasks = ("output",)

        def read(self, data, tasks):
            source = "def f(n):\n    return 2 * n\n"
            rows = [
                {"source": source, "entry": "f", "call": f"f({n})", "output": str(2 * n)}
                for n in range(4)
            ]
            items = [call_item(str(n), str(n), "output", row) for n, row in enumerate(rows)]
            return Content(tuple(items), {}, "1")

    try:
        report = evaluated("doubling", None, lambda prompt: said("assert f(2) == 4"))
        assert rates(report) == {("output", "ours"): 0.25}
    finally:
        del BENCHMARKS["doubling"]


# LiveCodeBench

EXECUTION = [
    {
        "question_id": 2777,
        "id": f"sample_{number}",
        "function_name": "total",
        "code": "def total(nums: List[int]) -> int:\n    return sum(nums) + inf * 0 if 0 else sum(nums)",
        "input": f"total(nums = [1, {number}])",
        "output": str(1 + number),
        "numsteps": 3,
        "problem_id": [1],
    }
    for number in range(3)
]


def test_livecodebench_asks_calls_and_resamples_questions(tmp_path):
    data = jsonl(tmp_path / "data.jsonl", EXECUTION)
    report = evaluated("livecodebench", data, lambda prompt: said("assert total(nums=[1, 2]) == 3"))
    assert rates(report) == {("execution", "ours"): 1 / 3, ("execution", "official"): 1 / 3}
    assert {unit.group for unit in report.units} == {"2777"}


def test_livecodebench_skips_what_holds_the_call(tmp_path):
    data = jsonl(tmp_path / "data.jsonl", EXECUTION[:1])
    found = BENCHMARKS["livecodebench"]
    (item,) = found.read(str(data), ("execution",)).items
    call = item.row["call"]
    replies = [f"assert {call} == {call}", f"{call} == 1", "0 or True", "1\nand more", "2"]
    marks = found.official([Replied(item, said(text)) for text in replies])
    assert [mark.right for (mark,) in marks] == [None, 1.0, 1.0, 1.0, 0.0]


def test_livecodebench_refuses_an_input_that_is_no_call(tmp_path):
    data = jsonl(tmp_path / "data.jsonl", [{**EXECUTION[0], "input": "[1]"}])
    with pytest.raises(BenchmarkError, match="the input is no call of total"):
        BENCHMARKS["livecodebench"].read(str(data), ("execution",))


# CRUXEval-X

HINTED = {
    "id": 7,
    "code": "from typing import List\n\ndef f(items: List[int]) -> int:    \n    return sum(items)\n\n"
    "def check(candidate):\n    assert candidate([1, 2]) == 3\n\ndef test_check():\n    check(f)\n\n"
    "test_check()\n",
    "input_reasoning": "def check(candidate):\n    assert candidate(????) == 3\n\n"
    "def test_check():\n    check(f)\n\ntest_check()\n",
    "output_reasoning": "def check(candidate):\n    assert candidate([1, 2]) == ????\n\n"
    "def test_check():\n    check(f)\n\ntest_check()\n",
}


@pytest.mark.parametrize(
    ("answer", "ours", "official"),
    [
        ("assert f([1, 2]) == 3", 1.0, 1.0),
        ("assert f([1, 2]) == 4", 0.0, 0.0),
        ("assert f([1, 2]) == 3.0", 0.0, 1.0),
        ("assert f([1, 2]) == 0 or True", 0.0, 1.0),
    ],
)
def test_cruxeval_x_output_in_python(tmp_path, answer, ours, official):
    data = jsonl(tmp_path / "py.jsonl", [HINTED])
    report = evaluated("cruxeval_x/output", data, lambda prompt: said(answer))
    assert rates(report) == {("output", "ours"): ours, ("output", "official"): official}


@pytest.mark.parametrize(
    ("answer", "rate"),
    [("assert f([3]) == 3", 1.0), ("f([0, 3])", 1.0), ("assert f([4]) == 3", 0.0)],
)
def test_cruxeval_x_input_in_python(tmp_path, answer, rate):
    data = jsonl(tmp_path / "py.jsonl", [HINTED])
    report = evaluated("cruxeval_x/input", data, lambda prompt: said(answer))
    assert rates(report) == {("input", "ours"): rate, ("input", "official"): rate}


def test_the_test_of_cruxeval_x_is_not_shown(tmp_path):
    data = jsonl(tmp_path / "py.jsonl", [HINTED])
    (item,) = BENCHMARKS["cruxeval_x"].read(str(data), ("output",)).items
    assert "candidate" not in item.messages[0]["content"]


def test_a_program_in_another_language_is_refused(tmp_path):
    data = jsonl(tmp_path / "mine.jsonl", [{**HINTED, "code": "func f() int { return 3 }"}])
    with pytest.raises(BenchmarkError, match="the program is no Python"):
        BENCHMARKS["cruxeval_x"].read(str(data), ("output",))


# Our own held-out split


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder as synth build lays it out, with two problems in its test split."""
    folder = tmp_path_factory.mktemp("built")
    problems = [next(synth.stream(seed=seed)) for seed in (1, 2)]
    (folder / "data" / "problems").mkdir(parents=True)
    table = pa.Table.from_pylist([to_row(problem) for problem in problems], schema=SCHEMA)
    pq.write_table(table, folder / "data" / "problems" / "test-00000-of-00001.parquet")
    return folder, problems


def test_the_held_out_split_scores_output_questions_and_input(built):
    folder, problems = built

    def answer(prompt: str) -> str:
        problem = next(p for p in problems if p.source.strip().split("\n")[-1].strip() in prompt)
        claim = f"== {problem.output.literal}" if problem.output else f"raises {problem.exception}"
        lines = [f"assert {problem.call} {claim}"]
        if "????" in prompt and f"assert {problem.call}" in prompt:
            lines += [
                f"{q.answers[0].literal}; {q.answers[0].type}"
                if q.kind in ("state", "iteration")
                else ("yes" if q.answers[0].object() else "no")
                if q.kind == "executed"
                else q.answers[0].literal
                for q in problem.questions
            ]
        return said("\n".join(lines))

    report = evaluated("heldout", folder, answer)
    kinds = {q.kind for problem in problems for q in problem.questions}
    assert {s.task for s in report.scores} == {"output", "input"} | kinds
    assert {s.rule for s in report.scores} == {"ours"}
    assert report.score("output").rate == report.score("input").rate == 1.0
    assert report.score("state").rate == 1.0
    asked = sum(q.kind == "state" for problem in problems for q in problem.questions)
    assert report.score("state").units == asked


def test_calls_and_programs_of_one_family_are_resampled_together(tmp_path):
    problem = next(synth.stream(seed=1))
    kin = [replace(problem, id=f"{number:016x}") for number in range(3)]
    other = replace(next(synth.stream(seed=2)), family="other")
    file = tmp_path / "problems.parquet"
    table = pa.Table.from_pylist([to_row(one) for one in [*kin, other]], schema=SCHEMA)
    pq.write_table(table, file)
    report = evaluated("heldout/input", file, lambda prompt: said("assert f() == 0"))
    assert {unit.group for unit in report.units} == {problem.family, "other"}
    score = report.score("input")
    assert (score.units, score.groups, score.interval) == (4, 2, "wilson over groups")
    assert any("input: fewer than 50 groups" in sentence for sentence in notes(report))
    # Four wrong answers of two families say no more than two would, and less: one is larger.
    assert score.high > interval([[0.0]] * 2)[1]
    fewer = evaluated("heldout/input", file, lambda prompt: said("no"), limit=2)
    assert len(fewer.units) == 2


def test_a_folder_without_a_test_split_is_refused(tmp_path):
    with pytest.raises(BenchmarkError, match="holds no data/problems/test"):
        BENCHMARKS["heldout"].read(str(tmp_path), ("output",))
    with pytest.raises(BenchmarkError, match="needs data"):
        BENCHMARKS["heldout"].read("", ("output",))
