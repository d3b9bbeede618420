"""Hypothesis strategies for values of a person's size: words, names, small numbers.

One strategy for each built-in type. Values are what one would type by hand to try a
function: short lists with an item twice, sentences, prices, a few records. Alphabets
are ASCII and floats are decimal fractions, so that no table of Unicode and no rounding
differs between Pythons.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from synth.words import FIELDS, NAMES, SENTENCES, WORDS

__all__ = [
    "booleans",
    "byte_strings",
    "dicts",
    "digits",
    "fields",
    "floats",
    "integers",
    "lists",
    "nothing",
    "ranges",
    "sets",
    "texts",
    "tuples",
    "words",
]

Strategy = st.SearchStrategy[Any]

# What stands here or in a one_of several times is drawn more often.
SIZES = (3, 4, 5, 2, 3, 4, 5, 6, 2, 1, 7, 0, 8)
"""Numbers of items."""

_SMALL = st.integers(0, 9)
_SIGNED = st.integers(-9, 20)
_WIDE = st.integers(-50, 120)


def nothing() -> Strategy:
    """Give None."""
    return st.none()


def booleans() -> Strategy:
    """Give True or False."""
    return st.booleans()


def integers(low: int | None = None, high: int | None = None) -> Strategy:
    """Draw small ints, more of them below ten.

    Args:
        low: The least, or None.
        high: The greatest, or None.

    Returns:
        A strategy.
    """
    if low is None and high is None:
        return st.one_of(_SMALL, _SIGNED, _SMALL, _WIDE)
    least = low if low is not None else min(-20, (high or 0) - 20)
    most = high if high is not None else max(30, least + 30)
    near = st.integers(least, min(most, max(least + 9, 9)))
    return st.one_of(near, st.integers(least, most))


def floats() -> Strategy:
    """Draw decimal fractions with one or two places."""
    tenths = st.integers(-50, 200).map(lambda n: n / 10)
    quarters = st.integers(0, 80).map(lambda n: n / 4)
    cents = st.integers(0, 9999).map(lambda n: n / 100)
    return st.one_of(tenths, quarters, cents)


def words() -> Strategy:
    """Draw words and names."""
    common = st.sampled_from(WORDS)
    return st.one_of(common, common, st.sampled_from(NAMES), common.map(str.capitalize))


def keys() -> Strategy:
    """Draw what a dict is keyed by when its keys are texts."""
    return st.one_of(st.sampled_from(FIELDS), st.sampled_from(WORDS), st.sampled_from("abcdexyz"))


def digits() -> Strategy:
    """Draw texts of digits."""
    return st.integers(0, 99_999).map(str)


def texts() -> Strategy:
    """Draw texts: words, sentences, letters that come again, fields with marks between."""
    repeated = st.one_of(
        _letters("ab", 8), _letters("abc", 7), _letters("aAbB", 7), _letters("xyz01", 7)
    )
    several = st.lists(words(), min_size=2, max_size=4).map(" ".join)
    return st.one_of(
        words(),
        st.sampled_from(SENTENCES),
        several,
        repeated,
        fields(),
        _marked(),
        st.sampled_from(WORDS).flatmap(_doubled),
    )


def _letters(alphabet: str, most: int) -> Strategy:
    return st.lists(st.sampled_from(alphabet), min_size=1, max_size=most).map("".join)


def fields() -> Strategy:
    """Draw fields between separators, like ``a,b,,c`` or ``x=1;y=2``."""
    field = st.one_of(st.sampled_from(FIELDS), st.integers(0, 99).map(str), st.sampled_from(WORDS))
    fields = st.lists(field, min_size=2, max_size=4)
    pairs = st.lists(
        st.tuples(st.sampled_from(FIELDS), st.integers(0, 20)).map(lambda p: f"{p[0]}={p[1]}"),
        min_size=1,
        max_size=3,
    )
    return st.one_of(
        st.tuples(st.sampled_from([",", ", ", "-", "/", ":", "_", "."]), fields).map(
            lambda p: p[0].join(p[1])
        ),
        st.tuples(st.sampled_from([";", "&", ", "]), pairs).map(lambda p: p[0].join(p[1])),
    )


def _marked() -> Strategy:
    """Draw short texts in which letters, digits, marks and spaces mix."""
    return st.one_of(
        _letters("()[]{}", 8),
        _letters("aB1 -", 8),
        _letters("abc  ", 9),
        st.tuples(st.sampled_from(WORDS), st.integers(0, 99)).map(lambda p: f"{p[0]}{p[1]}"),
        st.tuples(st.sampled_from(WORDS), st.sampled_from(["!", "?", "...", "  ", ".txt"])).map(
            "".join
        ),
        digits(),
    )


def _doubled(word: str) -> Strategy:
    return st.sampled_from([word, word * 2, word.upper(), word + word[::-1], " " + word])


def byte_strings() -> Strategy:
    """Draw bytes of ASCII words and of small numbers."""
    return st.one_of(words().map(str.encode), st.lists(st.integers(0, 127), max_size=5).map(bytes))


def sizes(least: int, most: int) -> Strategy:
    """Draw a number of items."""
    return st.sampled_from([size for size in SIZES if least <= size <= most] or [least])


def lists(item: Strategy, *, least: int = 0, most: int = 7) -> Strategy:
    """Draw lists in which an item may come again.

    Args:
        item: Of the items.
        least: The fewest items.
        most: The most items.

    Returns:
        A strategy.
    """

    def of(size: int) -> Strategy:
        return st.lists(item, min_size=size, max_size=size)

    return sizes(least, most).flatmap(of).flatmap(_repeating)


def _repeating(items: list[Any]) -> Strategy:
    """Give items, or the same with one of them in place of another."""
    if len(items) < 3:
        return st.just(items)
    place = st.integers(0, len(items) - 1)

    def copied(places: tuple[int, int]) -> list[Any]:
        made = list(items)
        made[places[0]] = made[places[1]]
        return made

    return st.one_of(st.just(items), st.tuples(place, place).map(copied))


def tuples(*items: Strategy) -> Strategy:
    """Draw tuples of these items."""
    return st.tuples(*items)


def dicts(key: Strategy, value: Strategy, *, least: int = 0, most: int = 5) -> Strategy:
    """Draw dicts; keys that come twice make them smaller, never than ``least``."""
    pairs = lists(st.tuples(key, value), least=least, most=most).map(dict)
    return pairs.filter(lambda found: len(found) >= least) if least else pairs


def sets(item: Strategy, *, least: int = 0, most: int = 6) -> Strategy:
    """Draw sets; items that come twice make them smaller, never than ``least``."""
    found = lists(item, least=least, most=most).map(set)
    return found.filter(lambda items: len(items) >= least) if least else found


def ranges() -> Strategy:
    """Draw ranges of a few numbers."""
    ends = st.tuples(st.integers(-3, 5), st.integers(2, 12), st.sampled_from([1, 1, 2, 3]))
    return ends.map(lambda found: range(found[0], found[1], found[2]))
