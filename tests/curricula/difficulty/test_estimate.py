"""An estimate is a sum that anyone can check, and says how little it knows."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from sample_problems import problem

from curricula import estimate, tier_of
from curricula.difficulty.estimate import describe, read, shipped, write
from curricula.difficulty.features import FEATURES, features_of
from tracing.errors import ExecVerifyError

SHORT = problem("def f(n):\n    return n > 2\n", "f(3)")
LONG = problem(
    "def f(text):\n"
    "    out = ''\n"
    "    for i, c in enumerate(text):\n"
    "        out = c.upper() + out[::-1].replace(c, str(ord(c) % 7)) + str(i * len(out))\n"
    "    return out\n",
    "f('the quick brown fox jumps over')",
)


def test_an_estimate_is_labelled_as_one():
    made = estimate(SHORT)
    assert (made.source, made.model, made.samples, made.passes) == ("estimate", "estimate-1", 0, 0)
    assert made.temperature is None


def test_an_estimate_is_the_logistic_sum_of_its_features():
    known = shipped()
    total = known.intercept + sum(
        w * x for w, x in zip(known.weights.values(), features_of(LONG), strict=True)
    )
    assert estimate(LONG).rate == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-4)


def test_a_long_run_over_large_values_is_estimated_harder():
    assert estimate(LONG).rate < 0.1 < 0.6 < estimate(SHORT).rate
    assert [tier_of(estimate(p)) for p in (SHORT, LONG)] == ["easy", "hard"]


def test_the_interval_of_an_estimate_holds_it():
    for made in (estimate(SHORT), estimate(LONG)):
        assert 0 <= made.low <= made.rate <= made.high <= 1


def test_features_are_read_off_the_row():
    values = dict(zip(FEATURES, features_of(SHORT), strict=True))
    assert values["input_size"] == math.log2(2)
    assert values["output_is_bool"] == 1.0
    assert values["output_is_container"] == values["output_is_copied"] == 0.0


@pytest.mark.parametrize(
    ("call", "copied"), [("f('ab', 1)", 1.0), ("f('a', 2)", 0.0), ("f('', 1)", 0.0)]
)
def test_an_output_that_stands_in_the_call_is_copied(call, copied):
    made = problem("def f(text, n):\n    return text * n\n", call)
    assert dict(zip(FEATURES, features_of(made), strict=True))["output_is_copied"] == copied


def test_a_run_that_raises_can_be_estimated():
    assert 0 < estimate(problem("def f(n):\n    return n / 0\n", "f(1)")).rate < 1


def test_the_sentence_names_model_and_quality():
    text = describe()
    assert "codellama-7b" in text
    assert "AUC 0.72 (0.68 to 0.76), Spearman 0.38" in text


def test_coefficients_come_back_from_a_file(tmp_path):
    made = replace(shipped(), name="mine")
    write(made, tmp_path / "mine.json")
    assert read(tmp_path / "mine.json") == made
    assert estimate(SHORT, read(tmp_path / "mine.json")).model == "mine"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"bands": [1]}'])
def test_a_file_that_holds_no_estimate_is_refused(tmp_path, text):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ExecVerifyError, match="holds no estimate"):
        read(path)


def test_coefficients_for_other_features_are_refused():
    with pytest.raises(ExecVerifyError, match="fit it again"):
        replace(shipped(), weights={"steps": 1.0})
