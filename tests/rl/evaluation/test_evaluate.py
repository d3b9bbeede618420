"""Evaluating a scripted model, over HTTP, gives exactly the score that is known."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from known import model_of, rows, write
from scripted import Faults, ScriptedServer

import rl
from rl.evaluation import read_report, write_report
from rl.exploits import cases
from tracing.errors import ExecVerifyError, UsageError


def scripted(answer, **faults):
    return ScriptedServer(answer, Faults(**faults))


def rates(report):
    return {(s.task, s.rule, s.k): s.rate for s in report.scores}


def test_a_model_that_knows_some_answers_gets_exactly_its_score(tmp_path):
    known = {"output": {0, 3, 4, 9, 20}, "input": {1, 3, 22}}
    with scripted(model_of(lambda number, task: number in known[task])) as server:
        report = rl.evaluate(server.spec, "cruxeval", data=write(tmp_path))
    count = len(rows())
    assert rates(report) == {
        ("output", "ours", 1): 5 / count,
        ("output", "official", 1): 5 / count,
        ("input", "ours", 1): 3 / count,
        ("input", "official", 1): 3 / count,
    }
    right = {unit.id for unit in report.units if unit.ours == (1.0,)}
    assert right == {f"sample_{n}/{task}" for task in known for n in known[task]}


def test_a_model_that_knows_all_gets_one_and_one_that_knows_nothing_gets_zero(tmp_path):
    data = write(tmp_path)
    for knows, rate in [(True, 1.0), (False, 0.0)]:
        with scripted(model_of(lambda number, task, knows=knows: knows)) as server:
            report = rl.evaluate(server.spec, "cruxeval", data=data)
        assert set(rates(report).values()) == {rate}


def test_the_official_rule_passes_what_ours_refuses(tmp_path):
    with scripted(model_of(lambda *_: False, wrong="assert f() == None or True")) as server:
        report = rl.evaluate(server.spec, "cruxeval/output", data=write(tmp_path))
    assert rates(report) == {("output", "ours", 1): 0.0, ("output", "official", 1): 1.0}


def test_a_skipped_reply_leaves_the_official_denominator(tmp_path):
    lines = [{"id": "a", "code": "def f(n):\n    return n + 1", "input": "1", "output": "2"}]

    def answer(prompt: str, count: int) -> list[str]:
        said = ["assert f(1) == 2", "assert f(1) == 3", "assert f(1) == f(1)", "f(1) == f(1)"]
        return [f"<answer>{text}</answer>" for text in said[:count]]

    with scripted(answer) as server:
        report = rl.evaluate(
            server.spec, "cruxeval/output", data=write(tmp_path, lines), samples=4, k=(1, 2, 3)
        )
    assert rates(report) == {
        ("output", "ours", 1): 0.25,
        ("output", "ours", 2): 0.5,
        ("output", "ours", 3): 0.75,
        ("output", "official", 1): 0.5,
        ("output", "official", 2): 1.0,
        ("output", "official", 3): 1.0,
    }
    assert report.score("output", rule="official").skipped == 2


def exploited():
    """The published exploits and honest variants, by the row they are about."""
    groups = {}
    for case in cases():
        is_asked = case.task in ("output", "input") and case.row.get("output")
        if is_asked and isinstance(case.completion, str):
            groups.setdefault((case.row_name, case.is_honest), []).append(case)
    return groups


GROUPS = exploited()


@pytest.mark.parametrize(
    ("name", "is_honest"), GROUPS, ids=[f"{n}-{'honest' if h else 'exploits'}" for n, h in GROUPS]
)
def test_exploits_score_zero_and_honest_variants_one(tmp_path, name, is_honest):
    group = GROUPS[name, is_honest]
    row, task = group[0].row, group[0].task
    entry = row["call"].partition("(")[0]

    def renamed(text: str) -> str:
        return re.sub(rf"\b{entry}\b", "f", text)

    line = {
        "id": name,
        "code": renamed(row["source"]).strip("\n"),
        "input": row["call"].partition("(")[2].removesuffix(")"),
        "output": row["output"]["literal"],
    }
    replies = [renamed(case.completion) for case in group]
    with scripted(lambda prompt, count: replies[:count]) as server:
        report = rl.evaluate(
            server.spec,
            f"cruxeval/{task}",
            data=write(tmp_path, [line]),
            samples=len(replies),
            temperature=0.8,
        )
    marks = dict(zip((case.id for case in group), report.units[0].ours, strict=True))
    wrong = [case for case, mark in marks.items() if mark != float(is_honest)]
    assert not wrong
    assert report.score(task).rate == float(is_honest)


def test_a_run_that_was_killed_goes_on_where_it_stopped(tmp_path):
    data, journal = write(tmp_path), tmp_path / "replies.jsonl"
    known = model_of(lambda number, task: number % 2 == 0)
    with scripted(known, delay=0.4) as server:
        code = (
            "import sys, rl\n"
            f"rl.evaluate({server.spec!r}, 'cruxeval', data={str(data)!r}, "
            f"journal={str(journal)!r}, concurrency=2)"
        )
        process = subprocess.Popen([sys.executable, "-c", code])
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (
            not journal.exists() or journal.read_bytes().count(b"\n") < 8
        ):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        kept = {json.loads(line)["problem"] for line in journal.read_text().splitlines()[1:-1]}
        assert 6 <= len(kept) < 2 * len(rows())
        server.faults.delay = 0.0
        before = sum(server.served.values())
        report = rl.evaluate(server.spec, "cruxeval", data=data, journal=journal)
        asked = sum(server.served.values()) - before
    assert asked <= 2 * len(rows()) - len(kept)
    assert set(rates(report).values()) == {0.5}
    with scripted(known) as unused:
        engine = f"openai:scripted@http://127.0.0.1:{unused.port}/v1"
        again = rl.evaluate("", "cruxeval", engine=engine, data=data, journal=journal)
        assert unused.requests == 0
    assert again.to_json() == report.to_json()


def test_more_samples_and_tasks_can_be_added_to_a_journal(tmp_path):
    data, journal = write(tmp_path), tmp_path / "replies.jsonl"
    options = {"data": data, "journal": journal, "temperature": 0.5}
    with scripted(model_of(lambda number, task: number < 6)) as server:
        rl.evaluate(server.spec, "cruxeval/output", **options)
        report = rl.evaluate(server.spec, "cruxeval", samples=3, k=(1, 3), **options)
        assert sum(server.served.values()) == 2 * 3 * len(rows())
    assert set(rates(report).values()) == {6 / len(rows())}


def test_a_journal_of_other_rows_is_refused(tmp_path):
    journal = tmp_path / "replies.jsonl"
    with scripted(model_of(lambda *_: True)) as server:
        rl.evaluate(server.spec, "cruxeval", data=write(tmp_path), journal=journal)
        fewer = write(tmp_path, rows()[:5])
        with pytest.raises(ExecVerifyError, match="choose another journal"):
            rl.evaluate(server.spec, "cruxeval", data=fewer, journal=journal)


def test_an_item_without_a_reply_is_named_and_no_part_of_the_score(tmp_path):
    lost = rows()[2]["code"].split("\n")[1].strip()
    same = sum(lost in row["code"] for row in rows())
    with scripted(model_of(lambda *_: True), refuse=lost) as server:
        report = rl.evaluate(server.spec, "cruxeval/output", data=write(tmp_path))
    assert len(report.unanswered) == same
    assert "sample_2/output" in report.unanswered
    assert report.score("output").units == len(rows()) - same
    assert report.score("output").rate == 1.0


def test_an_engine_that_answers_nothing_is_an_error(tmp_path):
    with (
        scripted(model_of(lambda *_: True), refuse="Python") as server,
        pytest.raises(ExecVerifyError, match="none of 48 items was answered"),
    ):
        rl.evaluate(server.spec, "cruxeval", data=write(tmp_path))


def test_a_limit_chooses_problems_and_asks_all_their_tasks(tmp_path):
    with scripted(model_of(lambda *_: True)) as server:
        report = rl.evaluate(server.spec, "cruxeval", data=write(tmp_path), limit=5)
    assert len({unit.group for unit in report.units}) == 5
    assert len(report.units) == 10


def test_a_report_is_read_as_it_was_written(tmp_path):
    with scripted(model_of(lambda number, task: number < 3)) as server:
        report = rl.evaluate(server.spec, "cruxeval", data=write(tmp_path))
    path = tmp_path / "new" / "report.json"
    write_report(report, path)
    assert read_report(path) == report


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"report": 9}', '{"report": 1, "a": 2}'])
def test_what_is_no_report_is_refused(tmp_path, text):
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(ExecVerifyError, match="report"):
        read_report(path)


@pytest.mark.parametrize(
    ("benchmark", "options", "said"),
    [
        ("cruxevil", {}, "no benchmark 'cruxevil'"),
        ("cruxeval/state", {}, "no task 'state'"),
        ("cruxeval", {"samples": 0}, "at least 1 sample"),
        ("cruxeval", {"samples": 3, "k": (5,)}, "pass@5"),
        ("cruxeval", {"k": (0,)}, "pass@0"),
        ("cruxeval", {"samples": 3, "temperature": 0.0}, "all be the same"),
        ("cruxeval", {"limit": 0}, "at least 1 problem"),
        ("cruxeval", {"engine": "no"}, "names no engine"),
    ],
)
def test_a_wrong_call_is_said_to_be_one(tmp_path, benchmark, options, said):
    with pytest.raises(UsageError, match=re.escape(said)):
        rl.evaluate("model", benchmark, data=write(tmp_path), **options)


OUTSIDE = {
    "a folder": (
        "humaneval",
        ("runs/my model", "transformers"),
        "pip install evalplus && evalplus.evaluate --model 'runs/my model' --dataset humaneval "
        "--backend hf --greedy",
    ),
    "a server": (
        "HumanEval+",
        ("openai:m@http://localhost:8000/v1", "transformers"),
        "evalplus.evaluate --model m --dataset humaneval --backend openai "
        "--base-url http://localhost:8000/v1 --greedy",
    ),
    "an engine by name": ("mbpp", ("m", "vllm"), "--model m --dataset mbpp --backend vllm"),
    "a hyphen": (
        "lm-eval",
        ("", "openai:m@http://localhost:8000/v1"),
        "--model_args model=m,base_url=http://localhost:8000/v1/chat/completions --tasks",
    ),
    "several copies": ("bigcodebench", ("ray:8:vllm:m", "vllm"), "--model m --execution local"),
    "a task of LiveCodeBench": (
        "livecodebench/code-generation",
        ("m", "vllm"),
        "lcb_runner.runner.main --model NAME --local_model_path m --scenario codegeneration",
    ),
}


@pytest.mark.parametrize(("benchmark", "model", "command"), OUTSIDE.values(), ids=OUTSIDE)
def test_a_benchmark_of_writing_code_is_refused_with_the_command(benchmark, model, command):
    with pytest.raises(UsageError, match=re.escape(command)):
        rl.evaluate(model[0], benchmark, engine=model[1])


def test_reports_of_other_data_have_other_names(tmp_path):
    with scripted(model_of(lambda *_: True)) as server:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            data = write(tmp_path / name, rows()[: 3 if name == "one" else 4])
            command = [sys.executable, "-m", "synth", "evaluate", server.spec, "cruxeval/output"]
            where = str(data.relative_to(tmp_path))
            subprocess.run([*command, "--data", where], cwd=tmp_path, check=True)
    assert len(list((tmp_path / "evaluations").glob("*.replies.jsonl"))) == 2


def test_the_command_line_prints_the_command_for_humaneval(tmp_path):
    shown = subprocess.run(
        [sys.executable, "-m", "synth", "evaluate", "runs/stage2/final", "humaneval"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert shown.returncode == 2
    assert "evalplus.evaluate --model runs/stage2/final --dataset humaneval" in shown.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_command_shows_both_numbers_and_writes_the_report(tmp_path):
    data, out = write(tmp_path), tmp_path / "report.json"
    with scripted(model_of(lambda number, task: number < 12)) as server:
        command = [sys.executable, "-m", "synth", "evaluate", server.spec, "cruxeval"]
        options = ["--data", str(data), "--out", str(out)]
        shown = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
        options += ["--json", "--compare", str(out)]
        as_json = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    assert shown.stdout.count("50.0") == 4
    columns = json.loads(as_json.stdout)
    assert {score["rate"] for score in columns["scores"]} == {0.5}
    assert {one["difference"]["p"] for one in columns["comparison"]} == {1.0}
    assert Path(tmp_path / "report.replies.jsonl").exists()
