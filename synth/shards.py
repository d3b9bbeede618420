"""Makes one shard in memory: a pure function of the spec and the shard's number.

Programs are generated, given inputs and selected by running them, run under both
tracers, questioned and rated; those of another tier are left out. A program that ends
the process that works on it is left out, too, once that has been learnt (:class:`Care`).
Writing and reading shards is :mod:`synth.shard_files`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from curricula.problem import Problem, Provenance
from synth.decontaminate import known
from synth.dedup import Fingerprint, NearDuplicates, fingerprint
from synth.generate import programs
from synth.merge import keys
from synth.problems import PYTHON, VERSION, make_problem, why_no_ground_truth
from synth.program import Program, facts_of
from synth.select import BUDGETS, MEMORY, Refused, Selected, select
from synth.spec import SHARD_ROWS, Spec
from tracing import Limits, Trace, run, run_many
from tracing.errors import ExecVerifyError

__all__ = ["CONTAMINATED", "LEAST_ROWS", "Care", "Shard", "ShardProgram", "make", "rows_of"]

LEAST_ROWS = 25
"""The fewest rows of a shard."""
PROGRAM_ROWS = 3
"""The most problems of one program."""
_SPACING = 10_000_000
"""Program numbers that a shard may use; shards do not share any."""
_BATCH = 16
_PATIENCE = 4_000
"""Programs in a row that give nothing before a shard gives up."""
CONTAMINATED = "in the benchmark "
"""How the reason of a program begins that a benchmark holds."""
_LIMITS = Limits(memory=MEMORY)
_DIED = "the interpreter died"
"""How tracing begins the reason of a run that ended its worker."""


@dataclass(frozen=True, slots=True)
class ShardProgram:
    """A program of a shard.

    Attributes:
        keys: What it shares with its near-duplicates (see :mod:`synth.merge`).
        rows: How many of the shard's rows, which stand in order, are its own.
    """

    keys: tuple[int, ...]
    rows: int


@dataclass(slots=True)
class Shard:
    """A shard while it is made.

    Attributes:
        problems: Its rows.
        traces: Their runs, in the same order.
        programs: Its programs, in the order of their rows.
        counts: Programs that were tried, kept and refused, by reason.
        quarantined: Sources of programs that ended a worker twice.
    """

    problems: list[Problem] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    programs: list[ShardProgram] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    quarantined: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Care:
    """What is known of a shard from tries that ended their process.

    A program's runs are in processes of their own; this is for one that ends the process
    that generates, selects and asks, through a fault of a library or for want of memory.

    Attributes:
        batches: Numbers of the batches that are done program by program.
        suspects: Sources of programs that have ended a process alone, once.
        poison: Sources of programs that have done so twice; they are left out.

    Example:
        >>> care = Care().learn("batch 3").learn("program pass")
        >>> care.poison, care.learn("program pass").poison
        (frozenset(), frozenset({'pass'}))
    """

    batches: frozenset[int] = frozenset()
    suspects: frozenset[str] = frozenset()
    poison: frozenset[str] = frozenset()

    def learn(self, mark: str) -> Care:
        """Take in how far a try came that ended its process.

        Args:
            mark: The last mark that :func:`make` gave, or an empty text.

        Returns:
            What the next try must know.
        """
        kind, _, name = mark.partition(" ")
        if kind == "batch":
            return replace(self, batches=self.batches | {int(name)})
        if kind == "program" and name in self.suspects:
            return replace(self, poison=self.poison | {name})
        if kind == "program":
            return replace(self, suspects=self.suspects | {name})
        return self


def rows_of(spec: Spec) -> int:
    """Say how many rows each shard of a build makes.

    Args:
        spec: What to build.

    Returns:
        At most :data:`SHARD_ROWS`; fewer in a small build, so that several workers share it.
    """
    return max(LEAST_ROWS, min(SHARD_ROWS, -(-spec.size // 16)))


def make(
    spec: Spec,
    number: int,
    care: Care | None = None,
    mark: Callable[[str], None] = lambda _: None,
    stream: Iterator[Program] | None = None,
) -> Shard:
    """Make a shard in memory.

    Args:
        spec: What to build.
        number: The shard, from 0.
        care: What earlier tries have taught, if they ended their process.
        mark: Called with what comes next, before it is done: a batch of programs, or one
            program where care is taken. :meth:`Care.learn` takes the last of these.
        stream: Where programs come from, without end; the generator where it is None.

    Returns:
        The shard, with :func:`rows_of` rows.

    Raises:
        ExecVerifyError: The generator gives nothing that fits any more.
    """
    care = care or Care()
    shard = Shard()
    near = NearDuplicates()
    wanted = rows_of(spec)
    stream = stream or programs(
        spec.seed, number * _SPACING, tier=spec.tier, like=spec.like, stdlib=spec.stdlib
    )
    barren = batch = 0
    while len(shard.problems) < wanted:
        before = len(shard.problems)
        mark(f"batch {batch}")
        some = list(islice(stream, _BATCH))
        if batch in care.batches:
            _take_one_by_one(spec, number, some, near, shard, care, mark)
        else:
            _take(spec, number, some, near, shard)
        batch += 1
        barren = 0 if len(shard.problems) > before else barren + _BATCH
        if barren >= _PATIENCE:
            raise ExecVerifyError(
                f"{barren} programs in a row gave no {spec.tier} problem; ask for another tier"
            )
    _cut(shard, wanted)
    return shard


def _take_one_by_one(
    spec: Spec,
    number: int,
    batch: Sequence[Program],
    near: NearDuplicates,
    shard: Shard,
    care: Care,
    mark: Callable[[str], None],
) -> None:
    """Do a batch as :func:`_take` does, program by program, without those that are poison."""
    for program in batch:
        if program.source in care.poison:
            shard.counts["tried"] += 1
            _quarantine(program, shard)
        else:
            mark(f"program {program.source}")
            _take(spec, number, [program], near, shard)


def _take(
    spec: Spec, number: int, batch: Sequence[Program], near: NearDuplicates, shard: Shard
) -> None:
    """Select inputs for programs, run them, and add the problems that fit."""
    fresh = list(_fresh(spec, batch, near, shard))
    marks = {program.source: mark for program, mark in fresh}
    chosen: list[Selected] = []
    for result in _selected(spec, [program for program, _ in fresh]):
        if isinstance(result, Selected):
            chosen.append(result)
        elif _DIED in result.detail:
            _quarantine(result.program, shard)
        else:
            shard.counts[result.reason] += 1
    jobs = ((s.program.source, call) for s in chosen for call in s.calls)
    runs = run_many(jobs, limits=_LIMITS)
    provenance = Provenance(spec.seed, number, VERSION, PYTHON)
    for selected in chosen:
        mark = marks[selected.program.source]
        confirmed = [_again_if_died(trace) for trace in islice(runs, len(selected.calls))]
        _add(spec, selected.program, mark, confirmed, provenance, shard)


def _fresh(
    spec: Spec, batch: Iterable[Program], near: NearDuplicates, shard: Shard
) -> Iterator[tuple[Program, Fingerprint]]:
    """Yield the programs that are too like no benchmark's and no earlier one of the shard."""
    forbidden = known(spec.benchmarks, spec.benchmarks_sha256) if spec.benchmarks else None
    for program in batch:
        shard.counts["tried"] += 1
        mark = fingerprint(program.source)
        found = forbidden.find(mark) if forbidden else None
        if found is not None:
            shard.counts[f"{CONTAMINATED}{found.benchmark}"] += 1
        elif near.add(mark.shingles, program.source) is not None:
            shard.counts["too alike"] += 1
        else:
            yield program, mark


def _selected(spec: Spec, batch: list[Program]) -> Iterator[Selected | Refused]:
    """Select inputs; once more for a program whose runs ended their worker."""
    budget = BUDGETS[spec.tier]
    for result in select(batch, seed=spec.seed, budget=budget):
        if isinstance(result, Refused) and _DIED in result.detail:
            yield from select([result.program], seed=spec.seed, budget=budget)
        else:
            yield result


def _again_if_died(trace: Trace) -> Trace:
    return run(trace.source, trace.call, limits=_LIMITS) if _DIED in trace.reason else trace


def _quarantine(program: Program, shard: Shard) -> None:
    shard.counts["quarantined"] += 1
    shard.quarantined.append(program.source)


def _add(
    spec: Spec,
    program: Program,
    mark: Fingerprint,
    runs: list[Trace],
    provenance: Provenance,
    shard: Shard,
) -> None:
    """Add the problems of one program; all of its runs must be ground truth."""
    for trace in runs:
        reason = why_no_ground_truth(trace)
        if _DIED in trace.reason:
            _quarantine(program, shard)
            return
        if reason is not None:
            shard.counts[f"no ground truth: {reason.partition(':')[0]}"] += 1
            return
    made = []
    for trace in runs:
        problem = make_problem(
            trace,
            shape=facts_of(program.shape),
            provenance=replace(provenance, idioms=program.idioms),
            kinds=spec.kinds,
            questions=spec.questions,
            family_name=mark.family,
        )
        if spec.tier in ("all", problem.tier):
            made.append((problem, trace))
    if not made:
        shard.counts["another tier"] += 1
        return
    if spec.questions and spec.like is None and not any(p.questions for p, _ in made):
        # Of a run of one step nothing can be asked but what it returns.
        shard.counts["nothing to ask about its runs"] += 1
        return
    shard.counts["kept"] += 1
    made = made[:PROGRAM_ROWS]
    shard.problems.extend(problem for problem, _ in made)
    shard.traces.extend(trace for _, trace in made)
    shard.programs.append(ShardProgram(keys(mark), len(made)))


def _cut(shard: Shard, wanted: int) -> None:
    """Cut a shard to its number of rows, the last programs' first."""
    del shard.problems[wanted:], shard.traces[wanted:]
    rows = 0
    for place, program in enumerate(shard.programs):
        if rows + program.rows >= wanted:
            shard.programs[place] = ShardProgram(program.keys, wanted - rows)
            del shard.programs[place + 1 :]
            return
        rows += program.rows
