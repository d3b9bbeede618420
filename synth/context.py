"""What a program under construction knows: its random source, names, variables, parameters."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from synth import cst as c
from synth.program import Domain, Parameter
from synth.types import INT, STR, Type

__all__ = ["Context", "Var"]

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Var:
    """A variable that can be read.

    Attributes:
        name: Its name.
        type: Its type.
        role: What it was born for: ``"parameter"``, ``"item"``, ``"index"``, ``"state"``.
        filled: Whether it certainly holds something.
        low: The least usual value of an int.
        high: The greatest usual value of an int.
        char: Whether it is a text of one character.
    """

    name: str
    type: Type
    role: str = "state"
    filled: bool = False
    low: int = 0
    high: int = 12
    char: bool = False

    @property
    def node(self) -> c.Expression:
        """Its name as an expression."""
        return c.name(self.name)


@dataclass(slots=True)
class Context:
    """A program under construction.

    Attributes:
        rng: Decides everything.
        parameters: Parameters of the entry, in order.
        waiting: Of these, the names of those that nothing reads yet.
        scope: Variables that can be read here, the newest last.
        taken: Names that are in use.
        helpers: Functions that stand before the entry.
        idioms: What the program is composed of.
        imports: Import lines that stand at the top.
        stdlib: Whether the program may import of the standard library.
    """

    rng: random.Random
    parameters: list[Parameter] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    scope: list[Var] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    helpers: list[c.Statement] = field(default_factory=list)
    idioms: list[str] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    stdlib: bool = False

    def chance(self, share: float) -> bool:
        """Be true in this share of cases."""
        return self.rng.random() < share

    def pick(self, items: Sequence[_Item]) -> _Item:
        """Draw one of several."""
        return items[self.rng.randrange(len(items))]

    def fresh(self, *names: str) -> str:
        """Take the first name that is free, or one with a number behind it."""
        choices = list(dict.fromkeys(names))
        for choice in choices:
            if choice not in self.taken:
                self.taken.add(choice)
                return choice
        number = 2
        while f"{choices[0]}{number}" in self.taken:
            number += 1
        self.taken.add(f"{choices[0]}{number}")
        return f"{choices[0]}{number}"

    def parameter(self, kind: Type, domain: Domain, *names: str) -> Var:
        """Add a parameter to the entry."""
        made = self.fresh(*names)
        self.parameters.append(Parameter(made, kind, domain))
        self.waiting.append(made)
        char = domain.style == "char"
        variable = Var(made, kind, "parameter", domain.min_size > 0, char=char)
        self.scope.append(variable)
        return variable

    def bind(
        self,
        kind: Type,
        *names: str,
        role: str = "state",
        low: int = 0,
        high: int = 12,
        char: bool = False,
    ) -> Var:
        """Add a variable; ``low`` and ``high`` say where an int's usual values lie."""
        variable = Var(self.fresh(*names), kind, role, False, low, high, char)
        self.scope.append(variable)
        return variable

    def read(self, variable: Var) -> c.Expression:
        """Read a variable; a parameter that is read waits no longer."""
        if variable.name in self.waiting:
            self.waiting.remove(variable.name)
        return variable.node

    def imported(self, line: str, share: float) -> bool:
        """Have an import line at the top in this share of cases, where imports are allowed."""
        if not self.stdlib or not self.chance(share):
            return False
        self.need(line)
        return True

    def need(self, line: str) -> None:
        """Have an import line at the top; names of one module share a line."""
        module, _, name = line.partition(" import ")
        for place, other in enumerate(self.imports):
            if name and other.startswith(f"{module} import "):
                names = {*other.partition(" import ")[2].split(", "), name}
                self.imports[place] = f"{module} import {', '.join(sorted(names))}"
                return
        if line not in self.imports:
            self.imports.append(line)

    def of_type(self, *kinds: Type) -> list[Var]:
        """List the variables of some types that can be read here, the newest first."""
        return [v for v in reversed(self.scope) if v.type in kinds]

    def forget(self, variables: Iterable[Var]) -> None:
        """Leave a block: these can be read no more."""
        gone = {v.name for v in variables}
        self.scope = [v for v in self.scope if v.name not in gone]

    def number(self, low: int, high: int) -> c.Expression:
        """Give an int: a parameter that waits, where it is of that size, or a constant."""
        constant = c.literal(self.rng.randint(low, high))
        return self._parameter_or(INT, constant) if low >= 0 and high < 30 else constant

    def between(self, var: Var) -> c.Expression:
        """Give an int with usual values of a variable on both sides of it."""
        third = (var.high - var.low) // 3
        return self.number(var.low + third, max(var.low + third, var.high - third))

    def letter(self, choices: str = "aeiorst") -> c.Expression:
        """Give a short text: a parameter that waits, or a constant."""
        return self._parameter_or(STR, c.literal(self.pick(choices)), style="char")

    def _parameter_or(self, kind: Type, constant: c.Expression, style: str = "") -> c.Expression:
        for parameter in self.parameters:
            if parameter.name in self.waiting and parameter.type == kind:
                if style and parameter.domain.style != style:
                    continue
                self.waiting.remove(parameter.name)
                return c.name(parameter.name)
        return constant
