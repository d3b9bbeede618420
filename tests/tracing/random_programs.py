"""Writes random programs that are hard on tracers; each is a function of a random.Random.

Every program ends: loops walk few items, ``while`` counts down, recursion is bounded. What
raises, what is caught and where a ``finally``, a ``with`` or a generator is left by what is
left to chance.
"""

from __future__ import annotations

import random

_HELPERS = """\
class Guard:
    def __init__(self, log, swallows):
        self.log = log
        self.swallows = swallows

    def __enter__(self):
        self.log.append('in')
        return self

    def __exit__(self, kind, error, trace):
        self.log.append(kind and kind.__name__)
        return self.swallows

def risky(n):
    if n % 5 == 3:
        raise KeyError(n)
    return n + 1

def numbers(n):
    k = 0
    while k < n:
        got = yield k
        if got:
            k += got
        k += 1
    return 'end'

def chained(n):
    last = yield from numbers(n)
    yield last

def fold(n):
    if n <= 0:
        return 0
    return n + fold(n - 2)

"""


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.names = ["n", "log", "total"]
        self.loops = 0
        self.finals = 0
        self.fresh = 0

    def name(self) -> str:
        self.fresh += 1
        return f"v{self.fresh}"

    def number(self) -> str:
        """Write an expression that gives an int, or raises."""
        rng = self.rng
        return rng.choice(
            [
                str(rng.randrange(6)),
                "n",
                "total",
                f"total % {rng.randrange(4)}",
                f"risky(n + {rng.randrange(5)})",
                f"fold({rng.randrange(5)})",
                "len(log)",
                f"sum(x * {rng.randrange(3)} for x in numbers({rng.randrange(4)}))",
                f"max([risky(x) for x in range({rng.randrange(5)})], default=0)",
                "(n if total else risky(total))",
                f"next(numbers({rng.randrange(2)}))",
                f"[10, 20, 30][{rng.randrange(4)}]",
                "(\n        n +\n        total\n    )",
            ]
        )

    def add(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def body(self, depth: int, budget: int) -> None:
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth, budget)

    def statement(self, depth: int, budget: int) -> None:
        kinds = [self.simple] * 4
        if budget > 0:
            kinds += [self.if_, self.for_, self.while_, self.try_, self.try_, self.with_]
            kinds += [self.match_, self.def_, self.class_]
        self.rng.choice(kinds)(depth, budget - 1)

    def simple(self, depth: int, budget: int) -> None:
        rng = self.rng
        choices = [
            lambda: f"total = {self.number()}",
            lambda: f"total += {self.number()}",
            lambda: f"log.append({self.number()})",
            lambda: f"log[{self.number()} % 3] = {self.number()}",
            lambda: f"a, *b = {self.number()}, {self.number()}, 'x'",
            lambda: "n += 1",
            lambda: "pass",
            lambda: "del log[0]",
            lambda: f"assert {self.number()}",
            lambda: f"d = {{'k': {self.number()}, {self.number()}: log}}",
            lambda: "key = lambda x: (\n" + "    " * depth + "    -x)",
            lambda: f"s = sorted(range({rng.randrange(4)}), key=risky)",
            lambda: f"g = chained({rng.randrange(3)})\n" + "    " * depth + "log.append(list(g))",
            lambda: f"raise {rng.choice(['KeyError(n)', 'ValueError', 'IndexError'])}",
            lambda: "return total",
            lambda: f"return risky({self.number()})",
        ]
        if self.loops:
            choices += [lambda: "break", lambda: "continue"] * 2
        self.add(depth, rng.choice(choices)())

    def if_(self, depth: int, budget: int) -> None:
        self.add(depth, f"if {self.number()} > {self.number()}:")
        self.body(depth + 1, budget)
        if self.rng.random() < 0.5:
            self.add(depth, f"elif {self.number()}:")
            self.body(depth + 1, budget)
        if self.rng.random() < 0.5:
            self.add(depth, "else:")
            self.body(depth + 1, budget)

    def looped(self, depth: int, budget: int) -> None:
        self.loops += 1
        self.body(depth + 1, budget)
        self.loops -= 1
        if self.rng.random() < 0.3:
            self.add(depth, "else:")
            self.body(depth + 1, budget)

    def for_(self, depth: int, budget: int) -> None:
        size = self.rng.randrange(4)
        over = self.rng.choice(
            [
                f"range({size})",
                f"numbers({size})",
                f"chained({size})",
                f"map(risky, range({size}))",
                f"list(range({size}))",
                f"enumerate('ab'[:{size}])",
            ]
        )
        self.add(depth, f"for {self.name()} in {over}:")
        self.looped(depth, budget)

    def while_(self, depth: int, budget: int) -> None:
        name = self.name()
        self.add(depth, f"{name} = {self.rng.randrange(3)}")
        self.add(depth, f"while ({name} := {name} - 1) >= 0:")
        self.looped(depth, budget)

    def try_(self, depth: int, budget: int) -> None:
        rng = self.rng
        self.add(depth, "try:")
        self.body(depth + 1, budget)
        clauses = rng.randrange(3)
        for _ in range(clauses):
            kind = rng.choice(["KeyError", "(ValueError, IndexError)", "Exception", "LookupError"])
            self.add(depth, f"except {kind} as e:" if rng.random() < 0.5 else f"except {kind}:")
            self.body(depth + 1, budget)
            if rng.random() < 0.2:
                self.add(depth + 1, "raise")
        if clauses and rng.random() < 0.3:
            self.add(depth, "else:")
            self.body(depth + 1, budget)
        if not clauses or rng.random() < 0.4:
            self.add(depth, "finally:")
            self.body(depth + 1, budget)

    def with_(self, depth: int, budget: int) -> None:
        first = f"Guard(log, {self.rng.random() < 0.4}) as w"
        other = self.rng.choice(["", f", Guard(log, {self.rng.random() < 0.4})", ", risky(n)"])
        self.add(depth, f"with {first}{other}:")
        self.body(depth + 1, budget)

    def match_(self, depth: int, budget: int) -> None:
        self.add(depth, f"match {self.number()}:")
        for pattern in ("0 | 1", f"m if m > {self.number()}", "_"):
            if pattern == "_" or self.rng.random() < 0.7:
                self.add(depth + 1, f"case {pattern}:")
                self.body(depth + 2, budget)

    def def_(self, depth: int, budget: int) -> None:
        name = self.name()
        self.add(depth, f"def {name}(n, log=log, total=0):")
        loops, self.loops = self.loops, 0
        self.body(depth + 1, budget)
        if self.rng.random() < 0.3:
            self.add(depth + 1, "yield n")
        self.loops = loops
        self.add(depth, f"log.append({name}(n) and 1)")

    def class_(self, depth: int, budget: int) -> None:
        self.add(depth, f"class C{self.name()}:")
        self.add(depth + 1, f"size = {self.number()}")
        self.add(depth + 1, "double = size * 2")


def program(seed: int) -> str:
    """Write the program of a seed; its entry is ``f(n)``."""
    writer = _Writer(random.Random(seed))
    writer.add(0, "def f(n):")
    writer.add(1, "log, total = [], 0")
    writer.body(1, 3)
    writer.body(1, 2)
    writer.add(1, "return total, log")
    return _HELPERS + "\n".join(writer.lines) + "\n"
