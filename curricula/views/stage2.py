"""The ``stage2`` config: programs that lost a statement, with the tests that a fix must pass.

One row for each program, not for each call. The calls of the problems are shown, varied
ones are kept back; all are ground truth, run under both tracers. The statement is one
that the tests miss: without it a test that is kept back fails. Programs for which there
is no such statement, or whose kept-back tests all ask for the same, give no row.

Source: ExecVerify, section 3.4 (rewards by unit tests); the task is ours.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import pyarrow as pa

from curricula import prompts
from curricula.problem import Problem
from curricula.questions.variants import varied_calls
from curricula.views.stage1 import MESSAGES
from tracing import Trace, probe, run_many
from tracing.units import lines_of, units_of

__all__ = ["HOLE", "SCHEMA", "to_rows"]

HOLE = "____"
"""What stands where the statement stood."""
_TESTS = pa.list_(pa.struct([("input", pa.string()), ("output", pa.string())]))
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("family", pa.string()),
        ("tier", pa.string()),
        ("task", pa.string()),
        ("prompt", MESSAGES),
        ("prompt_version", pa.string()),
        ("entry", pa.string()),
        # The first ones are those that the prompt shows.
        ("tests", _TESTS),
        ("shown", pa.int32()),
        ("solution", pa.string()),
        ("line", pa.int32()),
    ]
)
"""The columns of the ``stage2`` config."""

_HIDDEN = 6
"""The most tests that are kept back."""
_TRIED = 10
"""Varied calls that are run to find them."""
_LONGEST = 300
"""The longest input or output of a test, in characters."""
_HOLES = 4
"""Statements that are tried before a program is given up."""
_DECIDING = 3
"""Tests that decide whether a statement is missed."""
_DESCRIPTION = """\
This Python function has lost a statement, where `{hole}` stands:

```python
{source}
```

Write the whole function with that statement in its place. It must give these results, \
and those of the lost original for other calls, too."""


def to_rows(problems: Iterable[Problem]) -> Iterator[dict[str, Any]]:
    """Write the programs of problems as code tasks.

    Args:
        problems: Problems; those of one program stand next to each other.

    Yields:
        Rows that fit :data:`SCHEMA`.

    Raises:
        InfrastructureError: No worker can be started.
    """
    for _, group in groupby(problems, key=lambda problem: problem.source):
        row = _row([problem for problem in group if problem.output is not None])
        if row is not None:
            yield row


def _row(group: Sequence[Problem]) -> dict[str, Any] | None:
    if not group:
        return None
    first = group[0]
    rng = random.Random(f"stage2\0{first.id}")
    shown = [problem for problem in group if _fits(problem.call, problem.output)]
    kept_back = _kept_back(first, {problem.call for problem in group}, rng)
    # With the same result everywhere, the shown ones, written out, and a constant would pass.
    if not shown or len({trace.output for trace in kept_back}) < 2:
        return None
    line = _lost_line(first.source, kept_back, rng)
    if line is None:
        return None
    tests = [(p.call, p.output.literal) for p in shown if p.output is not None]
    tests += [(trace.call, trace.output.literal) for trace in kept_back if trace.output is not None]
    pairs = [(_arguments(call), result) for call, result in tests]
    description = _DESCRIPTION.format(hole=HOLE, source=_without(first.source, line, HOLE).rstrip())
    return {
        "id": first.id,
        "family": first.family,
        "tier": first.tier,
        "task": "code",
        "prompt": prompts.code_prompt(description, first.entry, pairs[: len(shown)]),
        "prompt_version": prompts.VERSION,
        "entry": first.entry,
        "tests": [{"input": given, "output": result} for given, result in pairs],
        "shown": len(shown),
        "solution": first.source,
        "line": line,
    }


def _kept_back(problem: Problem, known: set[str], rng: random.Random) -> list[Trace]:
    """Run varied calls, and keep some that return, different outputs first."""
    calls = [call for call in varied_calls(problem.source, problem.call) if call not in known]
    chosen = rng.sample(calls, min(_TRIED, len(calls)))
    runs = run_many([(problem.source, call) for call in chosen])
    good = [trace for trace in runs if _fits(trace.call, trace.output)]
    new: dict[str, Trace] = {}
    for trace in good:
        if trace.output is not None:
            new.setdefault(trace.output.literal, trace)
    firsts = list(new.values())
    return (firsts + [trace for trace in good if trace not in firsts])[:_HIDDEN]


def _fits(call: str, output: Any) -> bool:
    return output is not None and max(len(call), len(output.literal)) <= _LONGEST


def _lost_line(source: str, tests: Sequence[Trace], rng: random.Random) -> int | None:
    """Choose a statement without which a test fails."""
    nodes = _statements(source)
    for node in rng.sample(nodes, min(_HOLES, len(nodes))):
        # Recorded, for a program without its statement may run for ever: steps end it soon,
        # and on every machine alike.
        holed = _without(source, node.lineno, "pass")
        (runs,) = probe([(holed, [test.call for test in tests[:_DECIDING]])])
        if any(run.output != test.output for run, test in zip(runs, tests, strict=False)):
            return node.lineno
    return None


def _statements(source: str) -> list[ast.stmt]:
    """List the statements that can be lost: those of functions that stand on lines alone."""
    units = units_of(source)
    kinds = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
    found = [n for n in units.nodes if isinstance(n, kinds) and n.lineno in units.by_line]
    return sorted(found, key=lambda node: node.lineno)


def _without(source: str, line: int, instead: str) -> str:
    """Put a text where the statement of a line stands."""
    (node,) = (n for n in _statements(source) if n.lineno == line)
    lines = lines_of(source)
    kept = [*lines[: line - 1], " " * node.col_offset + instead]
    return "\n".join(kept + lines[node.end_lineno or line :])


def _arguments(call: str) -> str:
    return call.strip().partition("(")[2][:-1]
