"""What trainers read: the right mix, whose right answers earn the full reward."""

from __future__ import annotations

import shutil
from collections import Counter
from itertools import islice

import pytest

from curricula.prompts import output_prompt
from curricula.scoring.rows import read_row
from rl.rewards import score
from rl.training import StageOneConfig, WarmupConfig
from rl.training.mixing import code_rows, conversation_rows, some_of, white_box_rows
from rl.training.source import SourceError, open_source, runs_of
from synth.folder import load
from tracing.errors import UsageError


@pytest.fixture(scope="module")
def source(folder):
    return open_source(str(folder))


def stage1(**values):
    return StageOneConfig(model="m", output_problems=20, input_problems=12, **values)


def test_a_folder_gives_its_train_split_and_names_its_revision(folder, source):
    assert [p.id for p in source.problems] == load(folder)["train"]["id"]
    assert len(source.revision) == 12


def test_a_dataset_in_memory_gives_the_same_problems_and_runs(folder, source):
    inside = open_source(load(folder))
    assert inside.problems == source.problems
    some = source.problems[:4]
    assert [run.steps for _, run in runs_of(inside, some)] == [
        run.steps for _, run in runs_of(source, some)
    ]


def test_stage_one_has_as_many_of_each_task_as_told(source):
    rows = white_box_rows(source, stage1())
    assert Counter(row["task"] for row in rows) == {"output": 20, "input": 12}
    assert len({row["id"] for row in rows if row["task"] == "output"}) == 20


def test_stage_one_asks_no_more_questions_of_a_kind_than_told(source):
    rows = white_box_rows(source, stage1(next_statement=2, state=1))
    for row in rows:
        kinds = Counter(question["kind"] for question in row["questions"])
        assert kinds["next_statement"] <= 2
        assert kinds["state"] <= 1
        assert set(kinds) <= {"next_statement", "state"}
    assert any(row["questions"] for row in rows)


def test_stage_one_asks_what_its_reward_checks(source):
    for row in white_box_rows(source, stage1()):
        if row["task"] == "output":
            assert row["prompt"] == output_prompt(read_row(row))


def test_the_same_seed_draws_the_same_rows(source):
    assert white_box_rows(source, stage1()) == white_box_rows(source, stage1())
    assert white_box_rows(source, stage1()) != white_box_rows(source, stage1(seed=1))


def test_the_warm_up_learns_both_directions_and_full_rewards(source):
    rows = list(islice(conversation_rows(source, WarmupConfig(model="m")), 10))
    assert Counter(row["task"] for row in rows) == {"output": 5, "input": 5}
    prompts = {}
    for row in white_box_rows(source, StageOneConfig(model="m", next_statement=99, state=99)):
        prompts[row["prompt"][0]["content"]] = row
    asked = [prompts.get(row["prompt"][-1]["content"]) for row in rows]
    assert any(asked)
    for row, known in zip(rows, asked, strict=True):
        assert [message["role"] for message in row["completion"]] == ["assistant"]
        if known is not None:
            assert score(row["completion"], known).total == 2.0


def test_a_warm_up_without_reasoning_learns_the_same_answers(source):
    told = {"model": "m", "tasks": ("output",)}
    walked = islice(conversation_rows(source, WarmupConfig(**told)), 10)
    alone = islice(conversation_rows(source, WarmupConfig(**told, reasoning=False)), 10)
    for with_walk, without in zip(walked, alone, strict=True):
        assert without["task"] == "output"
        assert without["prompt"] == with_walk["prompt"]
        (said,) = without["completion"]
        reasoning, _, answer = with_walk["completion"][0]["content"].partition("</reasoning>\n")
        assert said == {"role": "assistant", "content": answer}
        assert reasoning.startswith("<reasoning>")


def test_our_code_problems_are_passed_by_their_solutions(source):
    rows = list(code_rows(source))
    assert rows
    answer = f"<answer>\n```python\n{rows[0]['solution']}\n```\n</answer>"
    assert score(answer, rows[0]).total == 2.0


def test_what_is_kept_back_of_our_code_problems_is_no_constant(source):
    for row in code_rows(source):
        assert len({test["output"] for test in row["tests"][row["shown"] :]}) > 1


def test_some_of_several_sets_are_not_all_of_the_first():
    rows = [{"id": number, "origin": "ours" if number < 80 else "public"} for number in range(100)]
    drawn = some_of(rows, 50, 0)
    assert Counter(row["origin"] for row in drawn)["public"] == pytest.approx(10, abs=5)
    assert [row["id"] for row in drawn] == sorted({row["id"] for row in drawn})
    assert drawn == some_of(rows, 50, 0) != some_of(rows, 50, 1)
    assert some_of(rows, 0, 0) == some_of(rows, 101, 0) == rows


@pytest.mark.parametrize("dataset", ["", None, 3, "no/such/folder", "./none"])
def test_what_is_no_dataset_is_refused(dataset):
    with pytest.raises(UsageError):
        open_source(dataset)


def test_a_folder_without_a_manifest_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"no manifest\.json"):
        open_source(tmp_path)


def test_a_damaged_file_is_named(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    file = next(copy.glob("data/problems/train-*"))
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(SourceError, match="train-00000"):
        open_source(copy)


def test_rows_that_are_no_problems_are_named():
    with pytest.raises(SourceError, match="row 1"):
        open_source({"train": [{"id": "x"}]})
    with pytest.raises(SourceError, match="no problems"):
        open_source({"train": []})
