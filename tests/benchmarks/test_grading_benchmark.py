"""The small model is asked plainly, and scored as every other."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import grading
import pytest

from curricula.difficulty.engines import Completion
from curricula.difficulty.grading import Plan, measure_rates


class Speaker:
    """An engine that says the same twice, in two ways, and keeps what it was asked."""

    model, revision = "speaker", "1"

    def __init__(self, text):
        self.text, self.asked = text, []

    def complete(self, prompts, *, n=1, sampling=None):
        self.asked += prompts
        for place, _ in enumerate(prompts):
            yield Completion(place, (f" {self.text}\nand so on",) * (n - 1) + ("who knows",), n)

    def close(self):
        pass


def test_a_literal_counts_and_nothing_else_is_shown_to_the_model():
    problem = next(p for p in grading.built("easy", 20) if p.output is not None)
    speaker = Speaker(problem.output.literal)
    asked = grading.Plainly(speaker, [problem])
    made = measure_rates([problem], asked, Plan(samples=4)).difficulties[problem.id]
    assert (made.passes, made.samples) == (3, 4)
    assert (made.model, made.revision) == ("speaker", "1, asked plainly")
    (messages,) = speaker.asked
    said = messages[-1]["content"]
    assert said == f"{problem.source}\nWhat does {problem.call} return?"
    assert len(messages) == 2 * len(grading.EXAMPLES) + 1


def test_the_examples_are_true():
    for source, call, literal in grading.EXAMPLES:
        scope = {}
        exec(source, scope)
        assert repr(eval(call, scope)) == literal


def test_rates_that_are_alike_within_programs_make_a_wide_interval():
    apart = grading.interval([[0.0], [1.0]] * 50)
    together = grading.interval([[0.0] * 10, [1.0] * 10] * 5)
    assert apart == pytest.approx((0.402, 0.598), abs=0.001)
    assert together == pytest.approx((0.173, 0.827), abs=0.001)
    assert grading.interval([[0.0, 0.0]] * 76) == pytest.approx((0.0, 0.048), abs=0.001)


def test_the_chance_of_a_difference_is_fishers():
    # R: fisher.test(matrix(c(3, 1, 1, 3), 2), alternative = "greater")
    assert grading.by_chance(3, 4, 1, 4) == pytest.approx(0.2429, abs=1e-4)
