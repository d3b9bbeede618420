"""Whole datasets: rates and tiers enter their rows, everything else stays as it is."""

from __future__ import annotations

import re
from dataclasses import replace

import datasets
import pytest
from sample_problems import additions
from scripted import Faults, ScriptedServer

import curricula
from curricula.difficulty import Thresholds
from curricula.difficulty.estimate import describe
from curricula.difficulty.grade import REPLIES, only, replies, retier, tiers_of
from curricula.difficulty.refit import refit
from curricula.problem import SCHEMA, from_row, to_row
from tracing.errors import ExecVerifyError

PROBLEMS = [
    replace(one, difficulty=(curricula.estimate(one),), tier="medium") for one in additions(60)
]


def dataset() -> datasets.DatasetDict:
    rows = [to_row(one) for one in PROBLEMS]
    features = datasets.Features.from_arrow_schema(SCHEMA)
    return datasets.DatasetDict(
        {
            "train": datasets.Dataset.from_list(rows[:50], features=features),
            "test": datasets.Dataset.from_list(rows[50:], features=features),
        }
    )


def answering(shift: int):
    def answer(prompt: str, n: int) -> list[str]:
        number = int(re.findall(r"add(\d+)\(1\)", prompt)[-1])
        right = (number + shift) % 11
        good = f"<answer>assert add{number}(1) == {number + 1}</answer>"
        return [good if place < right else "<answer>7</answer>" for place in range(n)]

    return answer


@pytest.fixture(scope="module")
def graded():
    with ScriptedServer(answering(0)) as server:
        return curricula.grade(dataset(), server.spec, pause=0.01)


def test_a_dict_of_splits_keeps_its_splits_and_columns(graded):
    assert {name: len(split) for name, split in graded.items()} == {"train": 50, "test": 10}
    assert graded["train"].column_names == SCHEMA.names
    assert graded["train"].features.arrow_schema.field("difficulty").type == (
        SCHEMA.field("difficulty").type
    )
    assert graded["test"]["source"] == dataset()["test"]["source"]


def test_a_row_holds_the_measured_rate_beside_the_estimate(graded):
    made = from_row(graded["train"][4])
    assert [d.source for d in made.difficulty] == ["estimate", "passrate"]
    assert made.difficulty[0] == PROBLEMS[4].difficulty[0]
    assert (made.difficulty[1].rate, made.tier) == (0.4, "medium")
    assert tiers_of(made) == {"estimate-1": "easy", "scripted": "medium"}


def test_the_same_model_asked_again_replaces_its_rate_and_another_stands_beside(graded):
    with ScriptedServer(answering(6)) as server:
        again = curricula.grade(graded["test"], server.spec, samples=4)
        other = curricula.grade(
            graded["test"], server.spec.replace("scripted@", "second@"), samples=4
        )
    first, second = from_row(again[0]), from_row(other[0])
    assert [(d.model, d.samples) for d in first.difficulty] == [("estimate-1", 0), ("scripted", 4)]
    assert [d.model for d in second.difficulty] == ["estimate-1", "scripted", "second"]
    assert second.tier == tiers_of(second)["second"]


def test_tiers_are_drawn_anew_without_a_model(graded):
    by_estimate = retier(graded, model="estimate-1")
    assert set(by_estimate["train"]["tier"]) == {"easy"}
    strict = retier(graded, Thresholds(hard=0.5, medium=0.6), model="scripted")
    assert strict["train"]["tier"][:7] == ["unsolved"] + ["hard"] * 5 + ["medium"]
    assert retier(strict)["train"][:] == graded["train"][:]
    assert retier(graded, model="nobody")["train"][:] == graded["train"][:]


def test_only_one_tier_is_kept_and_all_keeps_all(graded):
    assert set(only(graded, "hard")["train"]["tier"]) == {"hard"}
    assert len(only(graded["test"], "all")) == 10
    assert len(only(graded, "unsolved")["train"]) == 5


def test_a_row_without_a_reply_keeps_what_it_had():
    with ScriptedServer(answering(0), Faults(refuse="add51(1)")) as server:
        made = curricula.grade(dataset()["test"], server.spec)
    assert made[1] == dataset()["test"][1]
    assert made[2]["difficulty"] != dataset()["test"][2]["difficulty"]


def test_further_columns_stay():
    some = dataset()["test"].add_column("mine", list(range(10)))
    with ScriptedServer(answering(0)) as server:
        made = curricula.grade(some, server.spec, samples=2)
    assert made["mine"] == list(range(10))


def test_a_dataset_of_other_columns_is_refused():
    other = datasets.Dataset.from_dict({"a": [1]})
    with pytest.raises(ExecVerifyError, match=r"no column id, family.*grade the problems config"):
        curricula.grade(other, "openai:m@http://127.0.0.1:9/v1")


def test_replies_are_a_table(tmp_path):
    journal = tmp_path / "journal.jsonl"
    with ScriptedServer(answering(0)) as server:
        curricula.grade(dataset()["test"], server.spec, samples=4, journal=journal)
    table = replies(journal)
    assert table.schema == REPLIES
    assert table.num_rows == 40
    first = table.slice(0, 4).to_pylist()
    assert [row["sample"] for row in first] == [0, 1, 2, 3]
    assert all(row["passed"] == (row["reason"] == "") for row in table.to_pylist())


def test_the_estimate_is_fitted_to_a_measured_model(graded):
    made = refit(graded, model="scripted", data="additions")
    assert (made.name, made.model, made.problems) == ("estimate-of-scripted", "scripted", 60)
    how = "additions (output prediction, 10 samples at temperature 1)"
    assert f"fitted to scripted on 60 problems of {how}" in describe(made)
    with pytest.raises(ExecVerifyError, match="0 problems have a measured rate of nobody"):
        refit(graded, model="nobody")
    with pytest.raises(ExecVerifyError, match="0 problems have a measured rate: grade"):
        refit(dataset())


def test_rates_that_were_measured_in_another_way_are_left_out_of_the_fit(graded):
    with ScriptedServer(answering(6)) as server:
        colder = curricula.grade(graded["test"], server.spec, temperature=0.2)
        other = curricula.grade(
            graded["train"], server.spec.replace("scripted@", "second@"), samples=4
        )
    mixed = datasets.DatasetDict(train=other, test=colder)
    assert (refit(mixed).model, refit(mixed).problems) == ("second", 50)
    assert refit(mixed, model="scripted").problems == 50
