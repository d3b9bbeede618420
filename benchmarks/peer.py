"""Measures answers with questions per CPU second against reasoning-gym's generators of code.

    python benchmarks/peer.py [--rounds 5] [--items 1000] [--json OUT]

The peer is the installed package itself, its ``codeio`` and ``bf`` data sets, in their default
configurations; its own files are read before the clock starts. Ours is a whole shard of a build
of 119,358 rows, as a worker makes it that has made others before: programs are written, inputs
chosen, runs confirmed by two tracers, questions derived. What the peer's items are is not the
same: ``codeio`` draws new inputs for about ten thousand programs that stand in a file and runs
them once; ``bf`` prints words from templates. An item is one question with its answer. A few of
``codeio``'s programs take a second and more, and most of the time: both figures are given.
Agreeing says how many of our questions take their own answers.
"""

from __future__ import annotations

import ast
import contextlib
import io
import statistics
import tempfile
import warnings

from measuring import Row, arguments, cpu_of, spread, tell, versions

from curricula.problem import Problem
from curricula.questions import Question
from synth import shards
from synth.spec import Spec
from tracing import Value

PEERS = ("codeio", "bf")


def peer(name: str, items: int, seed: int) -> tuple[float, float]:
    """Give items per CPU second of a data set of reasoning-gym: of all, and of the fastest 99%."""
    import reasoning_gym

    with (
        tempfile.TemporaryDirectory() as scratch,
        contextlib.chdir(scratch),  # some of the peer's programs write files
        contextlib.redirect_stdout(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")  # of the peer's programs
        made = reasoning_gym.create_dataset(name, size=items, seed=seed)
        made[0]  # reads its files
        seconds = sorted(cpu_of(lambda place=place: made[place])[0] for place in range(1, items))
    most = seconds[: len(seconds) * 99 // 100 or 1]
    return len(seconds) / sum(seconds), len(most) / sum(most)


def ours(number: int, like: str | None) -> tuple[float, float, list[Problem]]:
    """Give questions and problems per CPU second of a shard, and the problems."""
    spec = Spec("all", 119_358, 0, like=like)
    seconds, made = cpu_of(lambda: shards.make(spec, number).problems)
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
    given = arguments(__doc__, rounds=(int, 5, "rounds"), items=(int, 1000, "the peer's items"))
    rates: dict[str, list[float]] = {}
    right = asked = 0
    # Loads what is loaded on use, and draws the pools of values.
    peer("codeio", 3, 0), peer("bf", 3, 0), ours(0, None), ours(0, "cruxeval")
    for number in range(given.rounds):
        for name in PEERS:
            whole, most = peer(name, given.items, number)
            rates.setdefault(f"reasoning-gym {name}", []).append(whole)
            rates.setdefault(f"reasoning-gym {name}, its fastest 99%", []).append(most)
        for like in (None, "cruxeval"):
            questions, problems, made = ours(number + 1, like)
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
