"""Selection: what is kept shows the whole program; what is refused says why."""

from __future__ import annotations

from itertools import islice

import pytest

from curricula.shapes import Shape
from synth.coverage import covered
from synth.generate import programs
from synth.program import Domain, Parameter, Program
from synth.select import BRANCHES, BUDGETS, Budget, Refused, Selected, select
from synth.types import Type
from tracing import probe

HARD = BUDGETS["hard"]


def program(source: str, *, raises: bool = False, **parameters: str | Parameter) -> Program:
    made = tuple(
        p if isinstance(p, Parameter) else Parameter(name, Type.parse(p))
        for name, p in parameters.items()
    )
    return Program(source, "f", made, Shape("", ""), raises=raises)


GOOD = program(
    "def f(xs, k):\n    out = []\n    for x in xs:\n        if x > k:\n            out.append(x - k)\n"
    "        elif x == k:\n            out.insert(0, x)\n    return out\n",
    xs="list[int]",
    k="int",
)

REFUSED = {
    "a line is never reached": program(
        "def f(xs):\n    if len(xs) > 50:\n        return 0\n    return xs[::-1]\n", xs="list[int]"
    ),
    "a branch goes one way only": program(
        "def f(xs):\n    ys = xs + [1]\n    if ys:\n        ys.append(2)\n    return ys\n",
        xs="list[int]",
    ),
    "the output is always the same": program(
        "def f(xs):\n    return len(xs) >= 0\n", xs="list[int]"
    ),
    "a parameter changes nothing": program(
        "def f(xs, k):\n    k = len(xs)\n    return xs[:k] * 2\n", xs="list[int]", k="int"
    ),
    "an idle statement": program(
        "def f(xs):\n    n = sum(xs)\n    n = max(xs, default=0)\n    return n\n", xs="list[int]"
    ),
    "an idle constant": program(
        "def f(word):\n    return word.ljust(3, '.').ljust(2, '-').ljust(1, '*')\n", word="str"
    ),
    "an idle operand": program(
        "def f(xs):\n    return [x for x in xs if x > 2 or x > 3]\n", xs="list[int]"
    ),
    "an idle arm": program(
        "def f(xs):\n    return xs[::-1] if xs is not None else []\n", xs="list[int]"
    ),
    "an idle filter": program(
        "def f(xs):\n    return [x for x in xs if x is not None]\n", xs="list[int]"
    ),
    "no input can be kept": program("def f(xs):\n    return xs + 'a'\n", xs="list[int]"),
    "its parts cannot be tried": program(
        "def f(xs):\n    xm_a = xs\n    return xm_a\n", xs="list[int]"
    ),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_a_program_that_shows_nothing_is_refused_with_its_reason(reason: str) -> None:
    (found,) = select([REFUSED[reason]], seed=0, budget=HARD)
    assert isinstance(found, Refused)
    assert found.reason == reason


def test_a_refusal_says_what_exactly() -> None:
    (idle, failing) = select(
        [REFUSED["an idle statement"], REFUSED["no input can be kept"]], seed=0, budget=HARD
    )
    assert isinstance(idle, Refused)
    assert idle.detail == "line 2: n = sum(xs)"
    assert isinstance(failing, Refused)
    assert failing.detail == "it raises TypeError"


def test_kept_inputs_show_every_line_branch_and_several_outputs() -> None:
    made = [GOOD, *islice(programs(3, 0, tier="medium"), 25)]
    kept = [s for s in select(made, seed=1, budget=HARD) if isinstance(s, Selected)]
    assert GOOD in [s.program for s in kept]
    assert len(kept) > 5
    jobs = [(s.program.source, s.calls) for s in kept]
    for selected, traces in zip(kept, probe(jobs), strict=True):
        found = covered(selected.program.source, traces)
        assert found.missed == ()
        assert found.branch_share >= BRANCHES
        assert len({trace.output for trace in traces}) >= 2
        assert len(set(selected.calls)) == len(selected.calls) <= HARD.calls + 1


def test_batches_and_workers_change_nothing() -> None:
    made = list(islice(programs(4, 0, tier="easy"), 6))
    together = select(made, seed=2, budget=HARD, workers=2)
    apart = [select([one], seed=2, budget=HARD)[0] for one in made]
    assert together == apart


def test_another_seed_may_choose_other_inputs() -> None:
    chosen = [select([GOOD], seed=seed, budget=HARD)[0] for seed in range(4)]
    assert len({one.calls for one in chosen if isinstance(one, Selected)}) > 1


def test_inputs_that_raise_by_accident_are_left_out() -> None:
    source = "def f(xs):\n    return xs[0] * 2\n"
    (found,) = select([program(source, xs="list[int]")], seed=0, budget=HARD)
    assert isinstance(found, Selected)
    assert "f([])" not in found.calls


def test_an_exception_that_the_shape_wants_is_an_output() -> None:
    source = (
        "def f(xs, i):\n    if i > len(xs):\n        raise ValueError('far')\n    return xs * i\n"
    )
    (found,) = select(
        [
            program(
                source,
                raises=True,
                xs="list[int]",
                i=Parameter("i", Type("int"), Domain(low=0, high=6)),
            )
        ],
        seed=0,
        budget=HARD,
    )
    assert isinstance(found, Selected)
    (traces,) = probe([(source, found.calls)])
    assert {trace.outcome for trace in traces} == {"returned", "raised"}


def test_a_budget_bounds_what_is_kept() -> None:
    small = Budget(arguments=14, output=12, steps=9, calls=4)
    source = "def f(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return [n] * len(xs)\n"
    (found,) = select([program(source, xs="list[int]")], seed=0, budget=small)
    assert isinstance(found, Selected)
    (traces,) = probe([(source, found.calls)])
    for trace in traces:
        assert len(trace.call) - len("f()") <= 14
        assert trace.output is not None
        assert len(trace.output.literal) <= 12
        assert len(trace.record.lines) <= 9


def test_a_program_that_never_ends_is_refused_and_the_rest_goes_on() -> None:
    endless = program("def f(n):\n    while True:\n        n += 1\n", n="int")
    one, other = select([endless, GOOD], seed=0, budget=HARD)
    assert isinstance(one, Refused)
    assert isinstance(other, Selected)


def test_parts_need_not_be_tried() -> None:
    (found,) = select([REFUSED["an idle statement"]], seed=0, budget=HARD, parts=False)
    assert isinstance(found, Selected)


def test_one_constant_that_makes_no_difference_is_as_natural_code_has_it():
    source = "def f(word):\n    return word.ljust(3, '.').ljust(2, '-')\n"
    (found,) = select([program(source, word="str")], seed=0, budget=HARD)
    assert isinstance(found, Selected)
