"""How much do generated programs look like those that people and models write?

    python benchmarks/realism.py [FILE] [--against FILE|NAME] [--json OUT]

Without FILE, 1,000 problems are built as ``synth build --like cruxeval`` builds them. FILE and
the reference (CRUXEval from the Hub, unless ``--against`` says otherwise) are anything that
synth.corpora reads: .jsonl, .parquet, .py, a folder, a Hub dataset. Rows of one program with
several calls are one program. For each side it prints percentiles of sizes, the variety of tree
shapes, near-duplicates after renaming, and what the calls cover; and how well a random forest
on the features of structure.py tells the two apart (area under the ROC curve, five folds: 0.5
is not at all, 1.0 always), beside the same for two halves of the reference, which is what the
measure gives when nothing differs.

Programs run in the sandbox. It needs scikit-learn: pip install "execverify[bench]".
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import random
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measuring import Row
from structure import features

from synth.build import build_folder
from synth.corpora import read
from synth.coverage import covered
from synth.dedup import NearDuplicates, fingerprint
from synth.spec import Spec
from tracing import ExecVerifyError, Limits, Trace, probe
from tracing.units import units_of

PERCENTILES = (10, 50, 90)
FOLDS = 5
TREES = 300
BUILT = 1000
"""Problems that are built where no file is given."""


@dataclass(slots=True)
class Program:
    """One program of a corpus with its calls and what was measured."""

    source: str
    entry: str
    calls: list[str] = field(default_factory=list)
    features: dict[str, float] = field(default_factory=dict)
    traces: tuple[Trace, ...] = ()


def load(place: str, limit: int | None) -> list[Program]:
    """Read a corpus and join the rows of one program."""
    programs: dict[str, Program] = {}
    for item in read(place):
        known = programs.get(item.source)
        if known is None:
            if limit is not None and len(programs) == limit:
                continue
            known = programs[item.source] = Program(item.source, item.entry)
        if item.call:
            known.calls.append(item.call)
    for program in programs.values():
        program.features = features(program.source, program.entry)
    return list(programs.values())


def built(seed: int) -> list[Program]:
    """Build problems that imitate CRUXEval's."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "built"
        build_folder(Spec(tier="all", size=BUILT, seed=seed, like="cruxeval"), out)
        return load(str(out), None)


# --- Runs ----------------------------------------------------------------------------


def run_all(programs: Sequence[Program], workers: int) -> None:
    """Run every call of every program, steps only."""
    jobs = [(program.source, program.calls) for program in programs]
    runs = probe(jobs, limits=Limits(), workers=workers)
    for program, traces in zip(programs, runs, strict=True):
        program.traces = tuple(t for t in traces if t.outcome in ("returned", "raised"))


# --- The report ----------------------------------------------------------------------


def describe(programs: Sequence[Program]) -> dict[str, Any]:
    """Summarise one corpus: percentiles, variety, and what its calls cover."""
    rows: dict[str, list[float]] = {
        name: [_sum(p.features, parts) for p in programs] for name, parts in _PRINTED.items()
    }
    if any(program.traces for program in programs):
        rows |= _run_rows(programs)
    return {
        "programs": len(programs),
        "percentiles": {name: _percentiles(values) for name, values in rows.items() if values},
        **_variety(programs),
        **_coverage(programs),
    }


_PRINTED = {
    "lines": ("lines",),
    "statements": ("statements",),
    "depth": ("depth",),
    "loops": ("for", "while", "comprehensions"),
    "branches": ("if", "elif", "conditional expressions"),
    "calls": ("calls",),
    "method calls": ("method calls",),
    "parameters": ("parameters",),
}


def _sum(found: dict[str, float], parts: Iterable[str]) -> float:
    return sum(found[part] for part in parts)


def _run_rows(programs: Sequence[Program]) -> dict[str, list[float]]:
    traces = [trace for program in programs for trace in program.traces]
    return {
        "steps": [len(trace.record.lines) for trace in traces],
        "input literal": [len(trace.call) - len(trace.entry) - 2 for trace in traces],
        "output literal": [len(t.output.literal) for t in traces if t.output is not None],
    }


def _percentiles(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered[min(len(ordered) - 1, len(ordered) * p // 100)] for p in PERCENTILES]


def _variety(programs: Sequence[Program]) -> dict[str, Any]:
    prints = [fingerprint(program.source) for program in programs]
    shapes = Counter(found.shape for found in prints)
    seen = NearDuplicates()
    alike = sum(
        seen.add(found.shingles, str(place)) is not None for place, found in enumerate(prints)
    )
    total = len(programs)
    return {
        "tree shapes": len(shapes),
        "entropy of tree shapes (bits)": -sum(
            n / total * math.log2(n / total) for n in shapes.values()
        ),
        "highest entropy for so many (bits)": math.log2(total),
        "families": len({found.family for found in prints}),
        "near-duplicate share": alike / total,
        "methods in all": len(_methods(programs)),
    }


def _methods(programs: Sequence[Program]) -> set[str]:
    return {
        node.attr
        for program in programs
        for node in ast.walk(units_of(program.source).tree)
        if isinstance(node, ast.Attribute)
    }


def _coverage(programs: Sequence[Program]) -> dict[str, Any]:
    ran = [program for program in programs if program.traces]
    if not ran:
        return {}
    found = [covered(program.source, program.traces) for program in ran]
    calls = sum(len(p.calls) for p in programs)
    return {
        "calls": calls,
        "calls that ran": sum(len(p.traces) for p in ran) / calls,
        "programs with every line run": _mean([not c.missed for c in found]),
        "lines run": _mean([c.line_share for c in found]),
        "branches gone both ways": _mean([c.branch_share for c in found if c.branches]),
        "calls per program": _mean([len(p.traces) for p in ran]),
        "distinct outputs per program": _mean([len(_outputs(p)) for p in ran]),
        "output types": dict(Counter(_output_type(t) for p in ran for t in p.traces).most_common()),
    }


def _outputs(program: Program) -> set[object]:
    return {trace.output if trace.output else trace.exception for trace in program.traces}


def _output_type(trace: Trace) -> str:
    return trace.output.type if trace.output else (trace.exception or "no literal")


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values) if values else 0.0


# --- The classifier ------------------------------------------------------------------


def tell_apart(
    ours: Sequence[Program], theirs: Sequence[Program], seed: int
) -> tuple[float, float, list[tuple[str, float, float, float]]]:
    """Train a forest to tell two corpora apart.

    Returns:
        Mean and standard deviation of the AUC over the folds; and the features by
        weight, each with its weight and its mean on either side.
    """
    try:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.model_selection import StratifiedKFold, cross_val_score
    except ImportError:
        raise ExecVerifyError(
            'scikit-learn is not installed; pip install "execverify[bench]"'
        ) from None
    names = sorted(ours[0].features)
    table = [[program.features[name] for name in names] for program in (*ours, *theirs)]
    sides = [1] * len(ours) + [0] * len(theirs)
    forest = RandomForestClassifier(
        TREES, min_samples_leaf=2, class_weight="balanced", random_state=seed, n_jobs=1
    )
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    scores = cross_val_score(forest, table, sides, cv=folds, scoring="roc_auc")
    forest.fit(table, sides)
    weights = sorted(zip(forest.feature_importances_, names, strict=True), reverse=True)
    telling = [
        (
            name,
            float(weight),
            _mean([p.features[name] for p in ours]),
            _mean([p.features[name] for p in theirs]),
        )
        for weight, name in weights
    ]
    return float(scores.mean()), float(scores.std()), telling


def halves(programs: Sequence[Program], seed: int) -> tuple[list[Program], list[Program]]:
    """Split a corpus into two by chance."""
    mixed = random.Random(seed).sample(list(programs), len(programs))
    return mixed[::2], mixed[1::2]


def report(ours: Sequence[Program], theirs: Sequence[Program], seed: int) -> dict[str, Any]:
    """Measure two corpora and compare them."""
    auc, spread, telling = tell_apart(ours, theirs, seed)
    floor, floor_spread, _ = tell_apart(*halves(theirs, seed), seed)
    return {
        "ours": describe(ours),
        "reference": describe(theirs),
        "AUC": {"mean": auc, "spread": spread, "folds": FOLDS, "features": len(telling)},
        "AUC of the reference's halves": {"mean": floor, "spread": floor_spread},
        "most telling": [
            {"feature": n, "weight": w, "ours": a, "reference": b} for n, w, a, b in telling[:12]
        ],
    }


def summary(found: dict[str, Any]) -> Row:
    """Say in a row how well the two are told apart."""
    auc, floor = found["AUC"], found["AUC of the reference's halves"]
    return {
        "programs": found["ours"]["programs"],
        "of the reference": found["reference"]["programs"],
        "AUC": round(auc["mean"], 3),
        "AUC of the reference's halves": round(floor["mean"], 3),
    }


def show(found: dict[str, Any], write: Callable[[str], object] = print) -> None:
    """Print a report as tables."""
    ours, theirs = found["ours"], found["reference"]
    marks = " / ".join(map(str, PERCENTILES))
    write(f"{'percentiles ' + marks:36}{'ours':>24}{'reference':>24}")
    for name in ours["percentiles"]:
        cells = [
            " / ".join(f"{v:g}" for v in side["percentiles"].get(name, ())) or "-"
            for side in (ours, theirs)
        ]
        write(f"{name:36}{cells[0]:>24}{cells[1]:>24}")
    write("")
    for name in dict.fromkeys((*ours, *theirs)):
        if name not in ("percentiles", "output types"):
            write(f"{name:36}{_cell(ours.get(name)):>24}{_cell(theirs.get(name)):>24}")
    for label, side in (("ours", ours), ("reference", theirs)):
        kinds = ", ".join(f"{k} {n}" for k, n in side.get("output types", {}).items())
        if kinds:
            write(f"output types, {label}: {kinds}")
    write(f"\n{'most telling features':36}{'weight':>12}{'ours':>12}{'reference':>12}")
    for row in found["most telling"]:
        write(
            f"{row['feature']:36}{row['weight']:12.3f}{row['ours']:12.2f}{row['reference']:12.2f}"
        )
    auc, floor = found["AUC"], found["AUC of the reference's halves"]
    write(
        f"\nAUC {auc['mean']:.3f} (spread {auc['spread']:.3f}) over {auc['folds']} folds on "
        f"{auc['features']} features; the reference's own halves give {floor['mean']:.3f} "
        f"({floor['spread']:.3f})"
    )


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n")[0],
        epilog="example: python benchmarks/realism.py programs.jsonl --against cruxeval.jsonl",
    )
    parser.add_argument("file", nargs="?", help="the generated programs; else some are built")
    parser.add_argument("--against", default="cruxeval", help="the reference (default: cruxeval)")
    parser.add_argument("--limit", type=int, help="the most programs to take from each side")
    parser.add_argument("--seed", type=int, default=0, help="of the folds and the forest")
    parser.add_argument("--workers", type=int, default=2, help="processes that run programs")
    parser.add_argument("--static", action="store_true", help="run nothing: texts only")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    chosen = parser.parse_args(arguments)
    try:
        ours = load(chosen.file, chosen.limit) if chosen.file else built(chosen.seed)
        theirs = load(chosen.against, chosen.limit)
        for place, programs in ((chosen.file or "the build", ours), (chosen.against, theirs)):
            if len(programs) < 2 * FOLDS:
                raise ExecVerifyError(
                    f"{place} holds {len(programs)} programs; at least {2 * FOLDS} are needed"
                )
        if not chosen.static:
            run_all(ours, chosen.workers)
            run_all(theirs, chosen.workers)
        found = report(ours, theirs, chosen.seed)
    except ExecVerifyError as error:
        sys.stderr.write(f"realism: {error}\n")
        return 1
    show(found)
    if chosen.json:
        chosen.json.write_text(json.dumps(found | {"rows": [summary(found)]}, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
