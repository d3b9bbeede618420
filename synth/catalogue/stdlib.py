"""What generated programs may call of ``math`` and ``collections``, where a build asks for it.

A line is the type of what the call is about, the name under test, the result's type, and
the code with ``<it>`` for the value and a hole for each constant.
"""

from __future__ import annotations

from synth.catalogue.entry import Entry, read_written

__all__ = ["STDLIB"]


_MATH = read_written(
    """
    int: gcd -> int | math.gcd(<it>, <base>)
    int: lcm -> int | math.lcm(<it>, <base>)
    int: isqrt -> int | math.isqrt(<it>)
    int: comb -> int | math.comb(<it>, 2)
    int: perm -> int | math.perm(<it>, 2)
    int: factorial -> int | math.factorial(<it> % 7)
    int: ceil -> int | math.ceil(<it> / <base>)
    int: floor -> int | math.floor(<it> / <base>)
    list[int]: prod -> int | math.prod(<it>)
    float: trunc -> int | math.trunc(<it>)
    """,
    kind="math",
    needs="import math",
)
_COUNTER = read_written(
    """
    str: Counter -> dict[str, int] | dict(Counter(<it>))
    list[T]: Counter -> dict[T, int] | dict(Counter(<it>))
    str: most_common -> list[tuple[str, int]] | Counter(<it>).most_common(<count>)
    list[T]: most_common -> list[tuple[T, int]] | Counter(<it>).most_common(<count>)
    list[T]: elements -> list[T] | sorted(Counter(<it>).elements())
    str: total -> int | Counter(<it>.split()).total()
    """,
    kind="collections",
    needs="from collections import Counter",
)
_DEQUE = read_written(
    """
    list[T]: deque -> list[T] | list(deque(<it>, <base>))
    str: deque -> list[str] | list(deque(<it>, <base>))
    """,
    kind="collections",
    needs="from collections import deque",
)
STDLIB: tuple[Entry, ...] = (*_MATH, *_COUNTER, *_DEQUE)
"""Entries that need an import, by module and then by name."""
