"""The features of a problem that its estimated difficulty is a sum over.

Few, plain, and read off the row: sizes are counted in doublings (``log2(1 + x)``), facts
are 0 or 1. All can be had without a model.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from curricula.problem import Problem
from curricula.structure import arguments_of

__all__ = ["FEATURES", "features_of"]

_CONTAINERS = frozenset({"list", "tuple", "dict", "set", "frozenset"})


def _doublings(size: int) -> float:
    return math.log2(1 + size)


def _is_copied(problem: Problem) -> bool:
    """Tell whether the output stands in the call's arguments as it is."""
    if problem.output is None:
        return False
    literal = problem.output.literal
    inner = literal[1:-1] if problem.output.type == "str" else literal
    return bool(inner) and inner in arguments_of(problem.call)


FEATURES: dict[str, Callable[[Problem], float]] = {
    "changes": lambda p: _doublings(p.structure.changes),
    "largest_value": lambda p: _doublings(p.structure.largest_value),
    "calls": lambda p: _doublings(p.structure.calls),
    "input_size": lambda p: _doublings(p.structure.input_size),
    "output_is_copied": lambda p: float(_is_copied(p)),
    "output_is_container": lambda p: float(p.output is not None and p.output.type in _CONTAINERS),
    "output_is_bool": lambda p: float(p.output is not None and p.output.type == "bool"),
}
"""What is measured of a problem, by name: changes of variables over the run, characters of
the longest value, calls in the source, characters of the arguments, and three facts of the
output. Steps were tried beside changes, and add nothing to them."""


def features_of(problem: Problem) -> tuple[float, ...]:
    """Measure a problem.

    Args:
        problem: Any problem.

    Returns:
        A number for each of :data:`FEATURES`, in their order.
    """
    return tuple(measured(problem) for measured in FEATURES.values())
