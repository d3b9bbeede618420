"""Measured rates are what arithmetic says, whatever the server does in between."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import threading
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from sample_problems import additions, problem
from scripted import Faults, ScriptedServer

from curricula import tier_of
from curricula.difficulty import Count
from curricula.difficulty.engines import Completion, Sampling, open_engine
from curricula.difficulty.grading import Plan, measure_rates
from curricula.difficulty.intervals import wilson
from curricula.difficulty.journal import entries_of
from curricula.difficulty.shots import SHOTS
from curricula.problem import Problem, to_row
from curricula.prompts import VERSION
from curricula.questions import derive
from tracing import run
from tracing.errors import ExecVerifyError, UsageError

PROBLEMS = additions(44)


def passes_of(number: int) -> int:
    """Tell how many of ten replies to a problem are right."""
    return number % 11


def answer(prompt: str, n: int) -> list[str]:
    """Give so many right replies of ten, the right ones first, and wrong ones of three kinds."""
    number = int(re.findall(r"add(\d+)\(1\)", prompt)[-1])
    right = round(passes_of(number) * n / 10)
    wrong = [
        f"<answer>assert add{number}(1) == {number}</answer>",
        f"It gives {number + 1}, of course.",
        "<answer>assert True</answer>",
    ]
    good = f"<reasoning>Add.</reasoning>\n<answer>assert add{number}(1) == {number + 1}</answer>"
    return [good if place < right else wrong[place % 3] for place in range(n)]


def measured(server: ScriptedServer, plan: Plan | None = None, **options):
    engine = open_engine(server.spec, pause=0.01, attempts=30)
    return measure_rates(options.pop("problems", PROBLEMS), engine, plan, **options)


def samples_in(journal: Path) -> list[tuple[str, int]]:
    return [
        (entry.problem, entry.first + place)
        for entry in entries_of(journal)
        for place in range(len(entry.replies))
    ]


@pytest.fixture(scope="module")
def undisturbed():
    with ScriptedServer(answer) as server:
        return measured(server)


def test_rates_intervals_and_tiers_are_what_arithmetic_says(undisturbed):
    assert undisturbed.unanswered == {}
    for number, one in enumerate(PROBLEMS):
        made = undisturbed.difficulties[one.id]
        passes = passes_of(number)
        assert (made.samples, made.passes, made.rate) == (10, passes, passes / 10)
        assert (made.low, made.high) == wilson(passes, 10)
        expected = ["unsolved"] + ["hard"] * 3 + ["medium"] * 4 + ["easy"] * 2 + ["trivial"]
        assert tier_of(made) == expected[passes]


def test_how_the_model_was_asked_is_kept(undisturbed):
    made = undisturbed.difficulties[PROBLEMS[0].id]
    assert (made.source, made.model, made.revision) == ("passrate", "scripted", "")
    assert (made.temperature, made.top_p, made.max_tokens, made.kinds) == (1.0, 0.9, 1024, ())


def test_reasons_of_failure_are_counted_without_the_values(undisturbed):
    reasons = undisturbed.difficulties[PROBLEMS[33].id].reasons
    assert sum(count.count for count in reasons) == 10
    assert reasons[0] == Count("the predicted value ... is wrong", 4)
    assert {count.count for count in reasons[1:]} == {3}


def test_failures_delays_rubbish_and_a_restart_lose_nothing_and_score_nothing_twice(
    tmp_path, undisturbed
):
    journal = tmp_path / "journal.jsonl"
    faults = Faults(failures=0.05, malformed=0.05, dropped=0.02, delay=0.08)
    with ScriptedServer(answer, faults) as server:
        away = threading.Timer(0.15, server.restart, args=(0.4,))
        away.start()
        made = measured(server, journal=journal)
        away.join()
    assert made == undisturbed
    expected = sorted((one.id, place) for one in PROBLEMS for place in range(10))
    assert sorted(samples_in(journal)) == expected
    assert server.requests > len(PROBLEMS)


def test_a_problem_whose_reply_never_comes_is_reported_and_not_scored(tmp_path, caplog):
    journal = tmp_path / "journal.jsonl"
    some = PROBLEMS[:5]
    with ScriptedServer(answer, Faults(refuse="add3(1)")) as server:
        made = measured(server, problems=some, journal=journal)
        assert list(made.unanswered) == [some[3].id]
        assert "refuses the prompt" in made.unanswered[some[3].id]
        assert some[3].id not in made.difficulties
        assert "1 of 5 problems are not fully answered" in caplog.text
        before = server.requests
        server.faults = Faults()
        made = measured(server, problems=some, journal=journal)
    assert made.unanswered == {}
    assert made.difficulties[some[3].id].passes == 3
    assert server.requests == before + 1


def test_where_no_problem_is_answered_the_run_fails():
    with (
        ScriptedServer(answer, Faults(refuse="add")) as server,
        pytest.raises(ExecVerifyError, match="none of 2 problems was answered: the server refuses"),
    ):
        measured(server, problems=PROBLEMS[:2])


def test_a_finished_run_asks_nothing_again_and_may_be_given_more_samples(tmp_path):
    journal = tmp_path / "journal.jsonl"
    with ScriptedServer(answer) as server:
        few = measured(server, Plan(samples=4), problems=PROBLEMS[:6], journal=journal)
        requests = server.requests
        again = measured(server, Plan(samples=4), problems=PROBLEMS[:6], journal=journal)
        assert (again, server.requests) == (few, requests)
        more = measured(server, Plan(samples=10), problems=PROBLEMS[:6], journal=journal)
    assert [body["n"] for body in server.bodies] == [4] * 6 + [6] * 6
    assert {d.samples for d in more.difficulties.values()} == {10}


def test_replies_that_were_asked_for_with_other_fields_are_not_mixed(tmp_path):
    journal = tmp_path / "journal.jsonl"
    with ScriptedServer(answer) as server:
        warm, plain = (open_engine(server.spec, extra=extra) for extra in ({"top_k": 0}, None))
        made = measure_rates(PROBLEMS[:2], warm, journal=journal)
        assert {d.revision for d in made.difficulties.values()} == {'{"top_k": 0}'}
        with pytest.raises(ExecVerifyError, match="choose another journal"):
            measure_rates(PROBLEMS[:2], plain, journal=journal)


def test_many_samples_at_temperature_0_are_refused_before_a_model_is_loaded():
    with pytest.raises(UsageError, match=r"all 10 replies .* the same; ask for 1 sample"):
        Plan(sampling=Sampling(temperature=0.0))
    assert Plan(samples=1, sampling=Sampling(temperature=0.0)).samples == 1


def test_a_problem_that_comes_twice_is_asked_once():
    with ScriptedServer(answer) as server:
        made = measured(server, problems=[PROBLEMS[1], PROBLEMS[1]])
    assert server.requests == len(made.difficulties) == 1


def test_stopping_early_asks_in_fours_and_stops_where_the_tier_is_decided():
    with ScriptedServer(answer) as server:
        made = measured(server, Plan(samples=12, tolerance=0.2), problems=PROBLEMS[:11])
    assert {body["n"] for body in server.bodies} == {4}
    samples = [made.difficulties[one.id].samples for one in PROBLEMS[:11]]
    # Nine failures are needed to call a problem unsolved; eight right ones mostly stay so.
    assert (samples[0], samples[5], samples[10]) == (12, 8, 8)


def test_progress_is_told_after_each_completion():
    told = []
    with ScriptedServer(answer) as server:
        measured(server, problems=PROBLEMS[:8], progress=told.append)
    assert [one.done for one in told] == list(range(1, 9))
    assert (told[-1].problems, told[-1].replies, told[-1].tokens) == (8, 80, 560)
    assert told[-1].left == 0.0


def test_the_time_left_is_told_before_any_problem_is_decided():
    told = []
    with ScriptedServer(answer) as server:
        plan = Plan(samples=12, tolerance=0.2)
        measured(server, plan, problems=PROBLEMS[:6], progress=told.append)
    assert (told[0].done, told[0].replies) == (0, 4)
    assert told[0].left == pytest.approx(told[0].seconds * (6 * 12 - 4) / 4)
    assert (told[-1].done, told[-1].left) == (6, 0.0)


def test_questions_are_asked_and_all_of_the_reply_must_be_right():
    source = "def add3(n):\n    m = n + 2\n    return m + 1\n"
    trace = run(source, "add3(1)")
    state = [q for q in derive(trace, kinds=["state"]) if q.variable == "m"]
    one = replace(problem(source, "add3(1)"), questions=tuple(state[:1]))
    good, half = "assert add3(1) == 4\n3; int", "assert add3(1) == 4\n4; int"

    def replies(prompt: str, n: int) -> list[str]:
        return [f"<answer>\n{good if i < 6 else half}\n</answer>" for i in range(n)]

    with ScriptedServer(replies) as server:
        made = measured(server, Plan(kinds=("state",)), problems=[one])
        plain = measured(server, problems=[one])
    asked, output = made.difficulties[one.id], plain.difficulties[one.id]
    assert (asked.passes, asked.kinds) == (6, ("state",))
    assert (output.passes, output.kinds) == (10, ())
    assert state[0].text in server.bodies[0]["messages"][-1]["content"]
    assert state[0].text not in server.bodies[1]["messages"][-1]["content"]


def test_a_problem_without_a_question_of_the_kinds_is_reported():
    trace = run("def add1(n):\n    m = n * 10\n    return n + 1\n", "add1(1)")
    asked = replace(PROBLEMS[1], questions=tuple(derive(trace, kinds=["state"])[:1]))
    with ScriptedServer(answer) as server:
        made = measured(server, Plan(kinds=("state",)), problems=[asked, PROBLEMS[2]])
    assert made.unanswered == {PROBLEMS[2].id: "it has no question of the kinds state"}


def test_a_journal_with_replies_to_another_prompt_is_refused(tmp_path):
    journal = tmp_path / "journal.jsonl"
    with ScriptedServer(answer) as server:
        measured(server, problems=PROBLEMS[:1], journal=journal)
        text = journal.read_text()
        journal.write_text(re.sub(r'"prompt":"\w{16}"', '"prompt":"0"', text))
        with pytest.raises(ExecVerifyError, match="replies to another prompt"):
            measured(server, problems=PROBLEMS[:1], journal=journal)


def test_a_journal_with_a_reply_twice_is_refused(tmp_path):
    journal = tmp_path / "journal.jsonl"
    with ScriptedServer(answer) as server:
        measured(server, problems=PROBLEMS[:1], journal=journal)
        header, entry = journal.read_text().splitlines()
        journal.write_text(f"{header}\n{entry}\n{entry}\n")
        with pytest.raises(ExecVerifyError, match="is damaged"):
            measured(server, problems=PROBLEMS[:1], journal=journal)


@pytest.mark.parametrize(
    "values",
    [
        {"samples": 0},
        {"tolerance": 1.0},
        {"tolerance": -0.1},
        {"shots": 4},
        {"shots": 1, "kinds": ("state",)},
        {"kinds": ("no such kind",)},
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(values):
    with pytest.raises(ExecVerifyError):
        Plan(**values)


class Scripted:
    """An engine that gives the completions it was made with, whatever it is asked."""

    model, revision = "scripted", ""

    def __init__(self, *completions):
        self.completions = completions

    def complete(self, prompts, *, n=1, sampling=None):
        yield from self.completions

    def close(self):
        pass


def test_an_engine_that_gives_no_reply_and_no_reason_is_not_asked_for_ever():
    right = "<answer>assert add0(1) == 1</answer>"
    engine = Scripted(Completion(0, (right,) * 10), Completion(1, ()))
    made = measure_rates(PROBLEMS[:3], engine)
    assert made.unanswered == {
        PROBLEMS[1].id: "the engine gave no reply",
        PROBLEMS[2].id: "the engine gave no answer",
    }
    assert list(made.difficulties) == [PROBLEMS[0].id]


@pytest.mark.parametrize("place", [0, -1, 2], ids=["twice", "before the first", "after the last"])
def test_an_engine_that_answers_what_was_not_asked_is_told(place):
    engine = Scripted(Completion(0, ("a",) * 10), Completion(place, ("a",) * 10))
    with pytest.raises(ExecVerifyError, match="this is a fault of the engine"):
        measure_rates(PROBLEMS[:2], engine)


RUNNER = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from curricula.difficulty.engines import open_engine
from curricula.difficulty.grading import Plan, measure_rates
from curricula.problem import from_row
problems = [from_row(json.loads(line)) for line in open(sys.argv[1])]
engine = open_engine(sys.argv[2], pause=0.01, concurrency=4, attempts=30)
plan = Plan(samples=12, tolerance=0.2) if sys.argv[4] == "early" else Plan()
made = measure_rates(problems, engine, plan, journal=Path(sys.argv[3]))
print(json.dumps({name: asdict(d) for name, d in made.difficulties.items()}, sort_keys=True))
"""


def grader(rows: Path, server: ScriptedServer, journal: Path, mode: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RUNNER, str(rows), server.spec, str(journal), mode]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def write_rows(path: Path, problems: list[Problem]) -> Path:
    path.write_text("".join(json.dumps(to_row(one)) + "\n" for one in problems))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["fixed", "early"])
def test_killed_at_ten_random_moments_it_ends_as_if_undisturbed(tmp_path, mode):
    rng = random.Random(mode)
    rows = write_rows(tmp_path / "rows.jsonl", PROBLEMS)
    journal, other = tmp_path / "journal.jsonl", tmp_path / "other.jsonl"
    with ScriptedServer(answer, Faults(delay=0.2, failures=0.05)) as server:
        expected = grader(rows, server, other, mode).communicate()[0]
        size = other.stat().st_size
        for moment in sorted(rng.uniform(0.0, 0.8) * size for _ in range(10)):
            process = grader(rows, server, journal, mode)
            while not journal.exists() or journal.stat().st_size < moment:
                assert process.poll() is None
                time.sleep(0.001)
            time.sleep(rng.uniform(0.0, 0.05))
            process.kill()
            assert process.communicate()[0] == ""
        made = grader(rows, server, journal, mode).communicate()[0]
    assert made == expected
    assert len(samples_in(journal)) == len(set(samples_in(journal)))
    assert len(json.loads(made)) == len(PROBLEMS)


def test_the_journal_keeps_what_was_replied(tmp_path, undisturbed):
    journal = tmp_path / "journal.jsonl"
    with ScriptedServer(answer) as server:
        made = measured(server, problems=PROBLEMS[:3], journal=journal)
    kept = {entry.problem: entry for entry in entries_of(journal)}
    texts = kept[PROBLEMS[2].id].replies
    assert texts[0].startswith("<reasoning>")
    assert kept[PROBLEMS[2].id].reasons.count("") == made.difficulties[PROBLEMS[2].id].passes
    assert asdict(made.difficulties[PROBLEMS[2].id]) == asdict(
        undisturbed.difficulties[PROBLEMS[2].id]
    )


def test_worked_examples_are_right_and_stand_before_the_prompt():
    for source, call, literal in SHOTS:
        assert run(source, call).output.literal == literal
    with ScriptedServer(answer) as server:
        made = measured(server, Plan(shots=2, samples=4), problems=PROBLEMS[:1])
    messages = server.bodies[0]["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"] * 2 + ["user"]
    assert "assert f(2, 7) == ????" in messages[0]["content"]
    assert messages[1]["content"] == "<answer>\nassert f(2, 7) == 8\n</answer>"
    assert made.difficulties[PROBLEMS[0].id].prompt == f"{VERSION}, 2 examples"


def test_arguments_may_be_asked_for_instead():
    def guesses(prompt: str, n: int) -> list[str]:
        texts = ["assert add1(1) == 2", "assert add1(True) == 2", "assert add1(7) == 2"]
        return [f"<answer>{texts[i % 3]}</answer>" for i in range(n)]

    with ScriptedServer(guesses) as server:
        made = measured(server, Plan(kinds=("input",), samples=6), problems=PROBLEMS[1:2])
    one = made.difficulties[PROBLEMS[1].id]
    assert (one.passes, one.kinds) == (4, ("input",))
    assert one.reasons == (Count("it gives N", 2),)
    assert "assert add1(????) == 2" in server.bodies[0]["messages"][-1]["content"]
