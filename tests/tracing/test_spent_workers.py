"""A run that met its memory limit changes nothing for those that come after it."""

from __future__ import annotations

from tracing import Limits, probe, run_many

HUNGRY = """\
def f(word):
    kept = []
    for byte in word.encode():
        word = word * byte
        kept.append(word)
    return len(kept)
"""
PLAIN = """\
def f(items):
    groups = {}
    for word in items:
        groups.setdefault(word.count('a'), []).append(word * 3)
    return groups
"""
LIMITS = Limits(memory=64 << 20)
CALLS = [f"f({word!r})" for word in ("abcac", "38.69", "weight", "abcabc", "ab-cac", "ABCAC")]
PLAIN_CALLS = [f"f({['a' * n, 'b']!r})" for n in range(1, 12)]


def outcomes(traces):
    return [(t.outcome, t.output and t.output.literal) for t in traces]


def test_runs_after_hungry_ones_are_as_if_they_were_alone():
    ((*alone,),) = probe([(PLAIN, PLAIN_CALLS)], limits=LIMITS)
    assert {trace.outcome for trace in alone} == {"returned"}
    for _ in range(4):
        hungry, plain = probe([(HUNGRY, CALLS), (PLAIN, PLAIN_CALLS)], limits=LIMITS)
        assert {trace.outcome for trace in hungry} == {"memory"}
        assert outcomes(plain) == outcomes(alone)


def test_a_run_is_not_short_of_memory_for_what_came_before_it():
    # One that the first of them, or its traceback, would leave too little room.
    source = "def f(n):\n    text = 'x' * n\n    both = [text, text + text]\n    return len(both)\n"
    calls = ["f(22_000_000)", "f(10_000_000)"] * 3
    ((*traces,),) = probe([(source, calls)], limits=LIMITS)
    assert [trace.outcome for trace in traces] == ["memory", "returned"] * 3


def test_ground_truth_after_hungry_runs_is_the_same():
    jobs = [(HUNGRY, CALLS[0]), *((PLAIN, call) for call in PLAIN_CALLS)]
    alone = list(run_many(jobs[1:], limits=LIMITS))
    for _ in range(2):
        first, *rest = run_many(jobs, limits=LIMITS)
        assert first.outcome == "memory"
        assert outcomes(rest) == outcomes(alone)


def test_what_cannot_be_compiled_is_refused_each_time():
    wrong = "def f(x):\n    return x\n\n\nraise ValueError\n"
    traces = [t for pair in probe([(wrong, ["f(1)", "f(2)"]), (PLAIN, ["f([])"])]) for t in pair]
    assert [t.outcome for t in traces] == ["unsupported", "unsupported", "returned"]
    assert traces[0].reason == "the program raises ValueError before it is called"
