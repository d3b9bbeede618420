"""Measures answers with questions per CPU second against reasoning-gym's generators of code.

    python benchmarks/peer.py [--rounds 5] [--items 300] [--json OUT]

The peer is the installed package itself, its ``codeio`` and ``bf`` data sets, in their default
configurations; its own files are read before the clock starts. Ours is a shard of the pipeline:
programs are written, inputs chosen, runs confirmed by two tracers, questions derived. What the
peer's items are is not the same: ``codeio`` draws new inputs for about ten thousand programs
that stand in a file and runs them once; ``bf`` prints words from templates. An item is one
question with its answer. Agreeing says how many of our questions take their own answers.
"""

from __future__ import annotations

import ast
import contextlib
import io
import statistics

from measuring import Row, arguments, cpu_of, spread, tell, versions

from curricula.problem import Problem
from curricula.questions import Question
from synth import shards
from synth.spec import Spec
from tracing import Value

PEERS = ("codeio", "bf")


def peer(name: str, items: int, seed: int) -> float:
    """Give items per CPU second of a data set of reasoning-gym."""
    import reasoning_gym

    with contextlib.redirect_stdout(io.StringIO()):
        made = reasoning_gym.create_dataset(name, size=items, seed=seed)
        made[0]  # reads its files
        seconds, _ = cpu_of(lambda: [made[place] for place in range(1, items)])
    return (items - 1) / seconds


def ours(items: int, seed: int, like: str | None) -> tuple[float, float, list[Problem]]:
    """Give questions and problems per CPU second of a shard, and the problems."""
    # Ten questions of a problem, or nearly.
    spec = Spec("all", 16 * max(shards.LEAST_ROWS, items // 8), seed, like=like)
    seconds, made = cpu_of(lambda: shards.make(spec, 0).problems)
    # Each problem asks for its output, too.
    asked = sum(len(problem.questions) + 1 for problem in made)
    return asked / seconds, len(made) / seconds, made


def said(question: Question, value: Value) -> str:
    """Say a right answer as a learner does."""
    if question.kind in ("state", "iteration"):
        return f"{value.literal}; {value.type}"
    if question.kind == "next_statement" and value.type == "str":
        return str(ast.literal_eval(value.literal))  # a statement as it stands in the program
    return value.literal


def main() -> None:
    given = arguments(__doc__, rounds=(int, 5, "rounds"), items=(int, 300, "items of a round"))
    rates: dict[str, list[float]] = {}
    right = asked = 0
    peer("codeio", 3, 0), peer("bf", 3, 0), ours(1, 0, None)  # loads what is loaded on use
    for number in range(given.rounds):
        for name in PEERS:
            rates.setdefault(f"reasoning-gym {name}", []).append(peer(name, given.items, number))
        for like in (None, "cruxeval"):
            questions, problems, made = ours(given.items, number, like)
            style = f"like {like}" if like else "all"
            rates.setdefault(f"ours, {style}: questions", []).append(questions)
            rates.setdefault(f"ours, {style}: problems", []).append(problems)
            for problem in made:
                for question in problem.questions:
                    asked += 1
                    right += all(question.check(said(question, v)) for v in question.answers)
    rows: list[Row] = [
        {
            "generator": name,
            "items per CPU second": round(statistics.median(found), 1),
            "range": spread(found)["range"],
        }
        for name, found in rates.items()
    ]
    tell(rows, versions("reasoning-gym"), f"{right} of {asked} answers agree", given.json)


if __name__ == "__main__":
    main()
