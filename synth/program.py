"""A generated program, and what its inputs may be."""

from __future__ import annotations

from dataclasses import dataclass

from curricula.problem import ShapeFacts
from curricula.shapes import Shape
from synth.types import Type

__all__ = ["Domain", "Parameter", "Program", "facts_of"]


@dataclass(frozen=True, slots=True)
class Domain:
    """Which values of its type a parameter takes.

    Attributes:
        low: The least int (of the parameter, or inside it), or None.
        high: The greatest int, or None.
        min_size: The fewest items or characters.
        max_size: The most items or characters, or None for a person's size.
        style: How texts look: ``""`` for anything, ``"word"``, ``"sentence"``, ``"digits"``,
            ``"csv"`` (fields between separators), ``"letters"`` (few different ones),
            ``"char"`` (one character).
        choices: Literals to choose among, or empty for any value.
    """

    low: int | None = None
    high: int | None = None
    min_size: int = 0
    max_size: int | None = None
    style: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the entry function.

    Attributes:
        name: Its name.
        type: Its type.
        domain: Which values it takes.
    """

    name: str
    type: Type
    domain: Domain = Domain()


@dataclass(frozen=True, slots=True)
class Program:
    """A program that was proved to meet its shape.

    Attributes:
        source: Its text.
        entry: Name of the function that is called.
        parameters: That function's parameters.
        shape: The constraints.
        idioms: What it was composed of, in order.
        raises: Whether an exception may leave it, on purpose, for some inputs.
    """

    source: str
    entry: str
    parameters: tuple[Parameter, ...]
    shape: Shape
    idioms: tuple[str, ...] = ()
    raises: bool = False


def facts_of(shape: Shape) -> ShapeFacts:
    """Give a shape as a row's column holds it.

    Args:
        shape: Any shape.

    Returns:
        The same facts.
    """
    return ShapeFacts(
        type=shape.type,
        method=shape.method,
        nested_calls=shape.nested_calls,
        control=shape.control,
        helpers=shape.helpers,
        extra_methods=shape.extra_methods,
        features=shape.features,
    )
