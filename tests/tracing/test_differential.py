"""Random programs: two independent tracers must agree on all they do.

``EXECVERIFY_DIFFERENTIAL`` sets how many programs are tried; a nightly run takes 20,000.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_programs import program

from synth.generate import programs
from synth.inputs import candidates
from tracing import events, support
from tracing.job import trace_here

PROGRAMS = int(os.environ.get("EXECVERIFY_DIFFERENTIAL", "500"))


def disagreement(source: str, call: str) -> str | None:
    """Say how the two tracers differ on a call, or None."""
    support.check(source)
    one, other = (
        trace_here(source, call, tracer, steps=5000, values=True)
        for tracer in ("instrument", "events")
    )
    return None if one == other else f"{call} of\n{source}\n{one}\n{other}"


def is_comparable(source: str) -> bool:
    return sys.version_info >= (3, 12) or not support.may_show_phantom(source)


@settings(
    max_examples=PROGRAMS // 2, deadline=None, derandomize=True,
    suppress_health_check=list(HealthCheck), database=None,
)  # fmt: skip
@given(st.integers(0, 1 << 40), st.integers(0, 6))
@pytest.mark.slow
def test_both_tracers_agree_on_programs_hard_on_tracers(seed: int, n: int) -> None:
    source = program(seed)
    if is_comparable(source):
        assert disagreement(source, f"f({n})") is None


def generated(count: int) -> Iterator[tuple[str, str]]:
    for made in islice(programs(7, 0, tier="all"), count):
        for arguments in candidates(made, Random(1), 2)[:2]:
            yield made.source, f"{made.entry}({', '.join(arguments)})"


@pytest.mark.slow
def test_both_tracers_agree_on_generated_programs() -> None:
    tried = 0
    for source, call in generated(PROGRAMS // 2):
        assert disagreement(source, call) is None
        tried += 1
    assert tried >= PROGRAMS // 2


@pytest.mark.parametrize("broken", ["no_fold", "late_charge", "no_with"])
def test_a_broken_tracer_is_found_out(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = events._Listener
    if broken == "no_fold":  # steps are not told from line events
        line = listener.line

        def unfolded(self: events._Listener, frame: object, number: int) -> None:
            self.current.clear()
            line(self, frame, number)  # type: ignore[arg-type]

        monkeypatch.setattr(listener, "line", unfolded)
    elif broken == "late_charge":
        monkeypatch.setattr(listener, "exception", lambda self, frame, argument: None)
    else:
        monkeypatch.setattr(listener, "leave", lambda self, frame: None)
    assert any(
        disagreement(source, "f(2)") for source in map(program, range(40)) if is_comparable(source)
    )
