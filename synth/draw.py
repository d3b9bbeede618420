"""Draws values from Hypothesis strategies, the same everywhere.

Hypothesis does not support drawing outside a test; ``strategy.example()`` varies, and
``@seed`` with ``@given`` changes with the modules that happen to be imported. What is
stable is a test that is fed bytes (``fuzz_one_input``): the values are a function of
the bytes, the strategy, and the version of Hypothesis, which is pinned. So a single test
stands here, whose strategy is whatever is to be drawn, and its bytes come from a seeded
generator. Nothing is written to disk.

It is not for threads: one process draws one thing at a time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

__all__ = ["draw"]

BYTES = 8192
"""Bytes that the test is fed with: as many as Hypothesis takes."""


class _Tap:
    """The one test, what it draws, and what it drew."""

    def __init__(self) -> None:
        self.wanted: tuple[st.SearchStrategy[Any], int] = (st.none(), 0)
        self.drawn: list[Any] = []
        self.feed = self._test()

    def _test(self) -> Callable[[bytes], bytes | None]:
        @st.composite
        def values(draw: st.DrawFn) -> list[Any]:
            strategy, count = self.wanted
            return [draw(strategy) for _ in range(count)]

        @settings(database=None, deadline=None)
        @given(values())
        def test(found: list[Any]) -> None:
            self.drawn = found

        feed: Callable[[bytes], bytes | None] = test.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
        return feed


_taps: list[_Tap] = []


def draw(strategy: st.SearchStrategy[Any], count: int, rng: random.Random) -> list[Any]:
    """Draw values from a strategy.

    Args:
        strategy: Any strategy whose alphabets are ASCII: the tables of other characters
            differ between Pythons.
        count: How many values.
        rng: Decides them.

    Returns:
        The values; fewer where the strategy filters almost everything out.

    Example:
        >>> draw(st.integers(0, 9), 5, random.Random(0)) == draw(
        ...     st.integers(0, 9), 5, random.Random(0)
        ... )
        True
    """
    if not _taps:
        _taps.append(_Tap())
    tap = _taps[0]
    tap.wanted, tap.drawn = (strategy, count), []
    tap.feed(rng.randbytes(BYTES))
    drawn, tap.drawn = tap.drawn, []
    if len(drawn) < count and count > 1:
        # All together they take more bytes than there are, or one of them was filtered out.
        half = count // 2
        return draw(strategy, half, rng) + draw(strategy, count - half, rng)
    return drawn
