"""Shapes: the constraints that a program is made for, and the proof that it meets them.

A shape is data. :meth:`Shape.check` looks at a program's tree alone, knows nothing of how
it was made, and works on any program, ours or not.
"""

from __future__ import annotations

from dataclasses import dataclass

from curricula.shapes.facts import read_facts
from curricula.shapes.features import FEATURES
from tracing.errors import UsageError, shorten

__all__ = ["CONTROL", "Shape", "nesting_of"]

CONTROL = ("if", "if-elif", "for", "while")
"""Control structures; a shape nests up to three of them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Constraints on a program.

    Attributes:
        type: The built-in type under test, or ``"builtins"`` for a built-in function.
        method: The method or function under test.
        nested_calls: How deep its calls nest, in receivers or arguments; 1 is one call.
        control: Control structures that nest, from the outside in; none nest deeper.
        helpers: Functions of the module that the entry calls, directly or not.
        extra_methods: Further methods that the program calls, in name order.
        features: Keys of :data:`FEATURES`, in name order.

    Raises:
        UsageError: A constraint is none that can be checked.
    """

    type: str
    method: str
    nested_calls: int = 1
    control: tuple[str, ...] = ()
    helpers: int = 0
    extra_methods: tuple[str, ...] = ()
    features: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for kind in self.control:
            if kind not in CONTROL:
                raise UsageError(f"there is no control structure {shorten(kind)}")
        for feature in self.features:
            if feature not in FEATURES:
                raise UsageError(f"there is no feature {shorten(feature)}")

    def check(self, source: str) -> list[str]:
        """Prove that a program meets this shape.

        Args:
            source: Any program.

        Returns:
            What it does not meet, in sentences; empty where it meets all.
        """
        try:
            facts = read_facts(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return [f"it does not parse: {error}"]
        depth = facts.call_depth(self.method)
        wrong = []
        if depth < self.nested_calls:
            wrong.append(f"calls of {self.method} nest {depth} deep, not {self.nested_calls}")
        if not facts.nests(self.control):
            wrong.append(f"no control structures nest as {' > '.join(self.control)}")
        if facts.depth > len(self.control):
            wrong.append(f"control structures nest {facts.depth} deep, not {len(self.control)}")
        if facts.helpers != self.helpers:
            wrong.append(f"the entry calls {facts.helpers} helpers, not {self.helpers}")
        for method in self.extra_methods:
            if not facts.call_depth(method):
                wrong.append(f"{method} is never called")
        for feature in self.features:
            if not FEATURES[feature](facts):
                wrong.append(f"there is no {feature}")
        return wrong


def nesting_of(source: str) -> tuple[str, ...]:
    """Give the deepest nesting of control structures, the first of them in the source.

    Args:
        source: A program that parses.

    Returns:
        Their kinds from the outside in.
    """
    return max(read_facts(source).paths, key=len, default=())
