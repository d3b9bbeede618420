"""Keeps, for each program, the few inputs that show all of it, or says why there are none.

A program is run on many candidate inputs. It is kept with a small set of them over
which every line runs, branches go both ways, outputs differ, each parameter matters and
hardly a part is idle (see :mod:`synth.mutants`); a program without such a set is refused with
a reason. Which inputs are tried depends on the program and the seed alone, so a batch
may be cut in any way.

One run decides here. That runs agree is proved later, when the kept calls are traced.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from synth.coverage import branches_of, ways
from synth.inputs import Arguments, candidates
from synth.mutants import Idle, Tried, try_many
from synth.mutate import constants
from synth.program import Program
from tracing import Limits, Trace, probe
from tracing.errors import ProgramError
from tracing.units import units_of

__all__ = ["BRANCHES", "BUDGETS", "MEMORY", "Budget", "Refused", "Selected", "select"]

BRANCHES = 0.85
"""Share of a program's branches that must go both ways over its kept inputs."""
ROUNDS = (14, 24)
"""Candidates that are tried at first, and again where something is not shown yet."""
LAST = 24
"""Candidates that are tried at last, where a part of the program is idle over all before."""
IDLE_CONSTANTS = 1
"""Constants of a kept program that may make no difference over its runs."""
USUAL = 18
"""Characters of a call's arguments that are liked best; those of CRUXEval have 16."""
MEMORY = 64 << 20
"""Bytes of address space that a run may use, its interpreter's 20 MB included. What needs more,
an endless loop that collects, is kept by nobody, and would double a build's memory."""
SPARE = 24
"""Further runs that may be taken in where the kept ones do not show that a part matters."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How large the runs of a kept program may be.

    Attributes:
        arguments: Characters of the arguments of a call.
        output: Characters of the output's literal.
        steps: Steps of a run.
        calls: Inputs that are kept.
    """

    arguments: int
    output: int
    steps: int
    calls: int


BUDGETS = {
    "easy": Budget(arguments=48, output=48, steps=40, calls=4),
    "medium": Budget(arguments=64, output=64, steps=120, calls=4),
    "hard": Budget(arguments=80, output=96, steps=400, calls=4),
    "all": Budget(arguments=80, output=96, steps=400, calls=4),
}
"""By tier: what a person can still read."""


@dataclass(frozen=True, slots=True)
class Selected:
    """A program that is kept, and its calls.

    Attributes:
        program: The program.
        calls: Calls with different runs, the most telling first.
    """

    program: Program
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A program that is not kept.

    Attributes:
        program: The program.
        reason: One of few short texts, to be counted.
        detail: What exactly: a line, a parameter, an exception.
    """

    program: Program
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class _Run:
    """A run within the budget."""

    arguments: Arguments
    call: str
    output: str
    raised: bool
    shows: frozenset[object]


@dataclass(slots=True)
class _Search:
    """What is known of one program so far."""

    program: Program
    rng: random.Random
    runs: list[_Run] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    kept: list[_Run] = field(default_factory=list)
    gap: tuple[str, str] | None = ("no input was tried", "")
    about: tuple[Any, ...] | None = None


def select(
    programs: Sequence[Program],
    *,
    seed: int,
    budget: Budget,
    workers: int = 1,
    parts: bool = True,
) -> list[Selected | Refused]:
    """Choose inputs for programs, or refuse them.

    Args:
        programs: Programs that passed their own shape's check.
        seed: Decides the candidates, together with each program's text.
        budget: How large runs may be.
        workers: How many programs are run at the same time; no part of the result.
        parts: Whether programs with idle parts are refused; it costs about as much as
            the rest.

    Returns:
        For each program, in order, what became of it.

    Raises:
        InfrastructureError: No worker can be started.
    """
    searches = [_Search(program, _rng(seed, program.source)) for program in programs]
    for count in ROUNDS:
        _try([search for search in searches if search.gap], count, budget, workers)
    if parts:
        shown = [search for search in searches if not search.gap]
        _prove(shown, budget)
        idle = [search for search in shown if search.about is not None]
        _try(idle, LAST, budget, workers)
        _prove([search for search in idle if not search.gap], budget)
    return [_verdict(search) for search in searches]


def _rng(seed: int, source: str) -> random.Random:
    text = f"inputs\0{seed}\0{source}".encode()
    return random.Random(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))


def _try(searches: Sequence[_Search], count: int, budget: Budget, workers: int) -> None:
    """Run new candidates of some programs, and see what is still not shown."""
    tried = [_new_candidates(search, count, budget) for search in searches]
    jobs = [
        (search.program.source, [_call(search.program, arguments) for arguments in some])
        for search, some in zip(searches, tried, strict=True)
    ]
    limits = Limits(steps=budget.steps, memory=MEMORY)
    for search, some, traces in zip(
        searches, tried, probe(jobs, limits=limits, workers=workers), strict=True
    ):
        for arguments, trace in zip(some, traces, strict=True):
            _enter(search, arguments, trace, budget)
        search.kept = _chosen(search.runs, budget.calls)
        search.gap = _gap(search)


def _new_candidates(search: _Search, count: int, budget: Budget) -> list[Arguments]:
    known = {run.arguments for run in search.runs}
    bases = [run.arguments for run in search.kept]
    found = candidates(search.program, search.rng, count, bases=bases, about=search.about)
    return [
        arguments
        for arguments in found
        if arguments not in known and len(", ".join(arguments)) <= budget.arguments
    ]


def _call(program: Program, arguments: Arguments) -> str:
    return f"{program.entry}({', '.join(arguments)})"


def _enter(search: _Search, arguments: Arguments, trace: Trace, budget: Budget) -> None:
    """Take in a run, or note why it lies outside what can be kept."""
    reason = _why_outside(search.program, trace, budget)
    if reason:
        search.outside.append(reason)
        return
    output = trace.output.literal if trace.output else f"raise {trace.exception}"
    shows = frozenset((*trace.record.lines, *ways(trace)))
    raised = trace.outcome == "raised"
    search.runs.append(_Run(arguments, trace.call, output, raised, shows))


def _why_outside(program: Program, trace: Trace, budget: Budget) -> str:
    if trace.outcome == "raised":
        return "" if program.raises else f"it raises {trace.exception}"
    if trace.outcome != "returned":
        return f"{trace.outcome}: {trace.reason}"
    if trace.output is None:
        return "the output has no literal"
    if len(trace.output.literal) > budget.output:
        return "the output is too long to read"
    return "" if trace.record.lines else "it makes no step"


def _chosen(runs: Sequence[_Run], most: int) -> list[_Run]:
    """Choose runs that together show all that the runs show, the most telling first.

    Of runs that show as much as each other, one with a new output is taken, then the one
    whose arguments are nearest to :data:`USUAL`: the shortest would be the emptiest. The
    last resort is the order of trying. At most one is taken that ends in an exception.
    """
    kept: list[_Run] = []
    shown: set[object] = set()
    outputs: set[str] = set()
    left = list(runs)
    while left and len(kept) < most:
        best = max(
            left,
            key=lambda run: (
                len(run.shows - shown),
                run.output not in outputs,
                -abs(sum(map(len, run.arguments)) - USUAL),
            ),
        )
        if not best.shows - shown and best.output in outputs:
            break
        kept.append(best)
        shown |= best.shows
        outputs.add(best.output)
        left.remove(best)
        if best.raised:
            left = [run for run in left if not run.raised]
    return kept


def _gap(search: _Search) -> tuple[str, str] | None:
    """Name the first thing that the kept runs do not show: a reason and a detail."""
    if not search.kept:
        common = max(search.outside, key=search.outside.count, default="")
        return ("no input can be kept", common)
    source = search.program.source
    shown = frozenset().union(*(run.shows for run in search.kept))
    for line in units_of(source).by_line:
        if line not in shown:
            return ("a line is never reached", f"line {line}")
    branches = branches_of(source)
    one_way = [b for b in branches if not {(b, True), (b, False)} <= shown]
    if len(one_way) > (1 - BRANCHES) * len(branches):
        return ("a branch goes one way only", f"line {one_way[0]}")
    if len({run.output for run in search.kept}) < 2:
        return ("the output is always the same", search.kept[0].output)
    for place, parameter in enumerate(search.program.parameters):
        if not _matters(search.runs, place):
            return ("a parameter changes nothing", parameter.name)
    return None


def _matters(runs: Iterable[_Run], place: int) -> bool:
    """Tell whether two runs differ in one argument alone and in what comes out."""
    outputs: dict[Arguments, str] = {}
    return any(
        outputs.setdefault(run.arguments[:place] + run.arguments[place + 1 :], run.output)
        != run.output
        for run in runs
    )


def _prove(searches: Sequence[_Search], budget: Budget) -> None:
    """Take in the runs that show that each part matters; note a part that none shows."""
    runs = [_telling(search) for search in searches]
    jobs = [
        (search.program.source, [run.call for run in some])
        for search, some in zip(searches, runs, strict=True)
    ]
    found = try_many(jobs, limits=Limits(memory=MEMORY))
    for search, some, tried in zip(searches, runs, found, strict=True):
        _take_in(search, some, tried, budget)


def _telling(search: _Search) -> list[_Run]:
    """List the runs that may tell, those that are kept first."""
    others = [run for run in search.runs if run not in search.kept]
    return search.kept + others[-SPARE:]


def _take_in(search: _Search, runs: list[_Run], tried: Tried | None, budget: Budget) -> None:
    if tried is None:
        search.gap = ("its parts cannot be tried", "")
    elif _says_too_little(tried):
        part = next((part for part in tried.idle if part.kind != "constant"), tried.idle[0])
        search.gap = (f"an idle {part.kind}", f"line {part.line}: {part.text}")
        search.about = _constants_of(tried.idle)
    else:
        first = len(search.kept)
        search.kept = search.kept + [runs[n] for n in tried.needed if n >= first]
        if len(search.kept) > budget.calls + 1:
            search.gap = ("it takes too many inputs to show", str(len(search.kept)))


def _says_too_little(tried: Tried) -> bool:
    """Tell whether more is idle than natural code has: a constant, like a default never taken."""
    constants = sum(part.kind == "constant" for part in tried.idle)
    return len(tried.idle) > constants or constants > IDLE_CONSTANTS


def _constants_of(parts: Iterable[Idle]) -> tuple[Any, ...]:
    """List the constants in some parts, for inputs that are about them."""
    found: list[Any] = []
    for part in parts:
        # The header of a compound statement does not parse.
        with suppress(ProgramError):
            found += constants(part.text)
    return tuple(found)


def _verdict(search: _Search) -> Selected | Refused:
    if search.gap:
        return Refused(search.program, *search.gap)
    return Selected(search.program, tuple(run.call for run in search.kept))
