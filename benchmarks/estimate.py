"""Fits the shipped estimate of difficulty, and prints how good it is.

    python benchmarks/estimate.py CRUXEVAL.jsonl PASSES.json [--write] [--json OUT]

The first file holds CRUXEval's problems (code, input, output, id), the second the right
answers of ten for each id; neither comes with this project. ``--write`` replaces the
coefficients in curricula/difficulty/estimate.json; without it nothing is changed, and the
last line says whether the fit gives the coefficients that are shipped.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections.abc import Iterator
from pathlib import Path

from measuring import Row, table

import tracing
from curricula.difficulty.estimate import Estimator, describe, estimate, shipped, write
from curricula.difficulty.features import features_of
from curricula.difficulty.fit import Example, fit
from curricula.difficulty.tiers import tier_of
from curricula.problem import Problem, Provenance, ShapeFacts, problem_id
from curricula.structure import measure

SAMPLES = 10
SHIPPED = Path(__file__).parent.parent / "curricula" / "difficulty" / "estimate.json"


def problems(path: Path) -> Iterator[tuple[str, Problem]]:
    """Trace CRUXEval's programs; those that cannot be ground truth here are left out.

    Yields:
        Pairs of CRUXEval's id and the problem.
    """
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    # Written again because a few put two statements on a line.
    jobs = [(ast.unparse(ast.parse(row["code"])) + "\n", f"f({row['input']})") for row in rows]
    for row, trace in zip(rows, tracing.run_many(jobs), strict=True):
        if trace.output is not None:
            yield row["id"], problem_of(trace)


def problem_of(trace: tracing.Trace) -> Problem:
    """Make a problem of a trace: what the features need, and nothing else."""
    return Problem(
        id=problem_id(trace.source, trace.call),
        family="",
        source=trace.source,
        entry=trace.entry,
        call=trace.call,
        outcome=trace.outcome,
        output=trace.output,
        exception=trace.exception,
        shape=ShapeFacts(),
        structure=measure(trace),
        questions=(),
        difficulty=(),
        tier="",
        provenance=Provenance(0, -1, "", ""),
    )


def report(made: Estimator, rows: list[Row]) -> None:
    """Print the fit: quality, coefficients, and how its tiers and bands turned out."""
    print(describe(made))
    print(f"\n{'feature':22}{'log odds':>10}")
    print(f"{'(intercept)':22}{made.intercept:10.4f}")
    for name, weight in made.weights.items():
        print(f"{name:22}{weight:10.4f}")
    print("\nestimates up to   measured mean   2.5% to 97.5%   (held out)")
    for band in made.bands:
        print(f"{band.upto:15.4f}{band.mean:16.2f}{band.low:11.1f} to {band.high:.1f}")
    print()
    print(table(rows))


def tiers(made: Estimator, measured: list[tuple[Problem, float]]) -> list[Row]:
    """Say what the model's rates are in the tiers that the estimate gives."""
    rows: list[Row] = []
    for tier in ("hard", "medium", "easy"):
        rates = [rate for p, rate in measured if tier_of(estimate(p, made)) == tier]
        mean = round(sum(rates) / max(1, len(rates)), 2)
        rows.append({"tier": tier, "problems": len(rates), "measured mean": mean})
    return rows


def main() -> None:
    """Fit, print, and write where told to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("problems", type=Path)
    parser.add_argument("passes", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    given = parser.parse_args()
    passes = json.loads(given.passes.read_text("utf-8"))["passes"]
    measured = [(p, passes[name] / SAMPLES) for name, p in problems(given.problems)]
    made = fit(
        [Example(features_of(problem), rate) for problem, rate in measured],
        name="estimate-1",
        model="codellama-7b",
        data="CRUXEval (output prediction, 10 samples at temperature 0.2)",
    )
    rows = tiers(made, measured)
    report(made, rows)
    if given.json:
        figures = {"unit": describe(made), "rows": rows}
        given.json.write_text(json.dumps(figures, indent=2) + "\n")
    if given.write:
        write(made, SHIPPED)
        print(f"\nwrote {SHIPPED}")
    else:
        print(f"\nthe same as shipped: {made == shipped()}")


if __name__ == "__main__":
    main()
