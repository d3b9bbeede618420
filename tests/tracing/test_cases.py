"""The tables of worked-out cases, on this Python and on every other that is found."""

from __future__ import annotations

import sys

import pytest
import versions
from case_tables import Case, problems, read_cases

import tracing
from tracing.job import trace_here
from tracing.trace import Trace

CASES = read_cases()
TRACED = [case for case in CASES if not case.is_refused]


def test_there_are_more_than_150_cases() -> None:
    assert len(CASES) > 150


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_run_does_what_was_worked_out(case: Case) -> None:
    assert problems(case, tracing.run(case.program, case.call)) == []


@pytest.mark.parametrize("case", TRACED, ids=lambda case: case.name)
def test_the_first_tracer_alone_gives_the_steps(case: Case) -> None:
    record = trace_here(case.program, case.call, "instrument", steps=5000, values=True)
    assert problems(case, Trace(case.program, case.call, record)) == []


@pytest.mark.parametrize("version", versions.VERSIONS)
@pytest.mark.slow
def test_the_cases_hold_on_another_python(version: str) -> None:
    python = versions.pythons().get(version)
    if python is None:
        pytest.skip(f"Python {version} is not on this machine")
    done = versions.check_on(python)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


def test_this_python_is_among_those_found() -> None:
    assert versions.pythons()[f"3.{sys.version_info.minor}"] == sys.executable
