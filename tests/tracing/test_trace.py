"""tracing.trace: what may be asked of a run."""

from __future__ import annotations

import json

import pytest

import tracing
from tracing.errors import InfrastructureError
from tracing.record import from_json, to_json

FACT = """\
def fact(n):
    if n <= 1:
        return 1
    rest = fact(n - 1)
    return n * rest
"""


def test_occurrences_count_over_the_run_and_in_a_frame() -> None:
    trace = tracing.run(FACT, "fact(3)")
    assert trace.occurrences(2) == 3
    assert trace.find(2, 2) == 2
    assert trace.find(2, 1, frame="fact", call=2) == 2
    assert trace.find(2, 2, frame="fact", call=1) is None
    assert trace.state(4, 1, "rest", frame="fact", call=2) == tracing.Value("int", "1")
    assert [trace.rank(frame) for frame in (1, 2, 3)] == [1, 2, 3]


def test_frames_of_two_functions_of_one_name_have_no_rank() -> None:
    source = (
        "def g():\n    def f():\n        return 1\n    return f()\n\ndef f():\n    return g()\n"
    )
    trace = tracing.run(source, "f()")
    assert trace.rank(1) is None
    assert trace.rank(2) == 1
    assert trace.find(7, 1, frame="f", call=1) is None


def test_what_was_not_executed_has_no_answer() -> None:
    trace = tracing.run(FACT, "fact(1)")
    assert not trace.executed(5)
    assert not trace.executed(1)
    assert trace.state(5, 1, "n") is None
    assert trace.why_no_state(5, 1, "n") == "not_executed"
    assert trace.next_statement(3, 1) is None
    assert trace.next_statement(3, 0) is None
    assert trace.why_no_next(1) == "last"


def test_a_record_survives_json() -> None:
    record = tracing.run(FACT, "fact(3)").record
    assert from_json(to_json(record)) == record


@pytest.mark.parametrize(
    ("column", "value"),
    [("frames", [0]), ("frames", []), ("lines", ["1"]), ("change_values", [-9]), ("outcome", "x"),
     ("output", 99), ("raised_at", [1 << 70]), ("names", [1]), ("lines", None), ("reason", 3)],
)  # fmt: skip
def test_a_record_that_does_not_fit_itself_is_refused(column: str, value: object) -> None:
    columns = json.loads(to_json(tracing.run(FACT, "fact(3)").record))
    columns[column] = value
    with pytest.raises(InfrastructureError):
        from_json(json.dumps(columns))


def test_steps_hold_what_changed_only() -> None:
    trace = tracing.run("def f():\n    a = [1]\n    b = a\n    a.append(2)\n    return b\n", "f()")
    assert [[name for name, _ in step.changes] for step in trace.steps] == [
        ["a"],
        ["b"],
        ["a", "b"],
        [],
    ]
