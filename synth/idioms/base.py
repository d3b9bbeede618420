"""What an idiom is, and the registry of them.

An idiom is a way people write a loop, with holes that are filled by type. It is one file
of this package with a function under ``@idiom``; importing :mod:`synth.idioms` loads all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from synth import cst as c
from synth.context import Context, Var
from synth.names import item_names
from synth.types import STR, Type

__all__ = ["IDIOMS", "Idiom", "Written", "idiom", "item_of"]


@dataclass(frozen=True, slots=True)
class Written:
    """What an idiom wrote.

    Attributes:
        statements: Its statements.
        result: An expression for what they found.
        type: That expression's type.
    """

    statements: list[c.Statement]
    result: c.Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Idiom:
    """A way people write a loop.

    Attributes:
        name: Its name.
        takes: Text forms of the types that it works on.
        control: The deepest nesting of its control structures, from the outside in.
        write: Writes it for a variable of one of these types.
    """

    name: str
    takes: tuple[str, ...]
    control: tuple[str, ...]
    write: Callable[[Var, Context], Written]


IDIOMS: dict[str, Idiom] = {}
"""The idioms by name."""

Writer = Callable[[Var, Context], Written]


def idiom(name: str, takes: str, control: tuple[str, ...]) -> Callable[[Writer], Writer]:
    """Register an idiom.

    Args:
        name: Its name.
        takes: The types that it works on, between bars (``"str|list[int]"``).
        control: The deepest nesting of its control structures.

    Returns:
        A decorator for the function that writes it.
    """

    def register(write: Writer) -> Writer:
        IDIOMS[name] = Idiom(name, tuple(takes.split("|")), control, write)
        return write

    return register


def item_of(over: Var, ctx: Context, *names: str) -> Var:
    """Name an item of what an idiom goes over, for conditions and measures of it.

    Args:
        over: What is gone over.
        ctx: The program.
        *names: Names to choose of; those that fit the type where none is given.

    Returns:
        A variable that is in no scope.
    """
    of_text = over.type == STR
    fitting = names or (("ch", "c") if of_text else item_names(over.type.item))
    return Var(ctx.fresh(*fitting), over.type.item, "item", high=14, char=of_text)
