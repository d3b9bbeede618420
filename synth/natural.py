"""Hypothesis strategies for values of a person's size: words, names, small numbers.

One strategy for each built-in type. Values are what one would type by hand to try a
function: short lists with an item twice, sentences, prices, a few records. Alphabets
are ASCII and floats are decimal fractions, so that no table of Unicode and no rounding
differs between Pythons. Texts and ints are drawn from tables, in one choice each: a
strategy that composes a text of choices takes ten times as long.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from hypothesis import strategies as st

from synth.words import FIELDS, NAMES, SENTENCES, WORDS

__all__ = [
    "booleans",
    "byte_strings",
    "characters",
    "dicts",
    "digits",
    "fields",
    "floats",
    "integers",
    "keys",
    "lists",
    "nothing",
    "ranges",
    "sets",
    "texts",
    "texts_alike",
    "tuples",
    "words",
]

Strategy: TypeAlias = st.SearchStrategy[Any]

# What stands in a table several times is drawn more often.
SIZES = (3, 4, 5, 2, 3, 4, 5, 6, 2, 1, 7, 0, 8)
"""Numbers of items."""
TABLE = 400
"""Texts of each kind."""


def nothing() -> Strategy:
    """Give None."""
    return st.none()


def booleans() -> Strategy:
    """Give True or False."""
    return st.booleans()


_INTS = (*range(10), *range(10), *range(10), *range(-9, 21), *range(-9, 21), *range(-50, 121, 3))


def integers(low: int | None = None, high: int | None = None) -> Strategy:
    """Draw small ints, more of them below ten.

    Args:
        low: The least, or None.
        high: The greatest, or None.

    Returns:
        A strategy.
    """
    if low is None and high is None:
        return st.sampled_from(_INTS)
    least = low if low is not None else min(-20, (high or 0) - 20)
    most = high if high is not None else max(30, least + 30)
    within = [n for n in _INTS if least <= n <= most]
    return st.sampled_from(within) if len(within) > 9 else st.integers(least, most)


def floats() -> Strategy:
    """Draw decimal fractions with one or two places."""
    tenths = st.integers(-50, 200).map(lambda n: n / 10)
    quarters = st.integers(0, 80).map(lambda n: n / 4)
    cents = st.integers(0, 9999).map(lambda n: n / 100)
    return st.one_of(tenths, quarters, cents)


def characters() -> Strategy:
    """Draw texts of one letter."""
    return st.sampled_from("aeiorstnxy")


def words() -> Strategy:
    """Draw words and names."""
    return st.sampled_from(_table("word"))


def keys() -> Strategy:
    """Draw what a dict is keyed by when its keys are texts."""
    return st.sampled_from((*FIELDS, *FIELDS, *WORDS, *("abcdexyz" * 8)))


def digits() -> Strategy:
    """Draw texts of digits."""
    return st.integers(0, 99_999).map(str)


def fields() -> Strategy:
    """Draw fields between separators, like ``a,b,,c`` or ``x=1;y=2``."""
    return st.sampled_from(_table("fields"))


def texts() -> Strategy:
    """Draw texts: words, sentences, letters that come again, fields with marks between."""
    return st.sampled_from([text for kind in _TEXTS for text in _table(kind)])


def texts_alike() -> list[Strategy]:
    """List strategies for texts of one kind each, for the items of a list."""
    kinds = ("word", "word", "word", "letters", "letters", "fields", "marked", "word and number")
    return [st.sampled_from(_table(kind)) for kind in kinds]


def _word(rng: random.Random) -> str:
    word = rng.choice(rng.choice((WORDS, WORDS, WORDS, NAMES)))
    return word.capitalize() if rng.random() < 0.2 else word


def _several(rng: random.Random) -> str:
    return " ".join(_word(rng) for _ in range(rng.randint(2, 4)))


def _letters(rng: random.Random) -> str:
    alphabet = rng.choice(("ab", "abc", "aAbB", "xyz01", "aeiou", "abcde", "01"))
    return "".join(rng.choices(alphabet, k=rng.randint(1, 8)))


def _marked(rng: random.Random) -> str:
    alphabet = rng.choice(("()[]{}", "()", "aB1 -", "abc  ", "a.b,c"))
    return "".join(rng.choices(alphabet, k=rng.randint(2, 8)))


def _fields(rng: random.Random) -> str:
    if rng.random() < 0.4:
        separator = rng.choice((";", "&", ", ", " "))
        pairs = [f"{rng.choice(FIELDS)}={rng.randint(0, 20)}" for _ in range(rng.randint(1, 3))]
        return separator.join(pairs)
    separator = rng.choice((",", ",", ", ", "-", "/", ":", "_", ".", "|"))
    sources: tuple[Callable[[], str], ...] = (
        lambda: rng.choice(FIELDS),
        lambda: str(rng.randint(0, 99)),
        lambda: rng.choice(WORDS),
    )
    source = rng.choice(sources)
    return separator.join(source() for _ in range(rng.randint(2, 4)))


def _with_number(rng: random.Random) -> str:
    return f"{rng.choice(WORDS)}{rng.randint(0, 99)}"


def _ended(rng: random.Random) -> str:
    return rng.choice(WORDS) + rng.choice(("!", "?", "...", "  ", ".txt", ":", "s", "ing"))


def _doubled(rng: random.Random) -> str:
    word = rng.choice(WORDS)
    return rng.choice((word * 2, word.upper(), word + word[::-1], f" {word}", word[::-1]))


_TEXTS: dict[str, Callable[[random.Random], str]] = {
    "word": _word,
    "sentence": lambda rng: rng.choice(SENTENCES),
    "several words": _several,
    "letters": _letters,
    "fields": _fields,
    "marked": _marked,
    "word and number": _with_number,
    "ended": _ended,
    "doubled": _doubled,
    "number": lambda rng: str(rng.randint(0, 9999)),
}


@cache
def _table(kind: str) -> tuple[str, ...]:
    """Make the texts of a kind, the same everywhere."""
    rng = random.Random(f"texts {kind}")
    return tuple(_TEXTS[kind](rng) for _ in range(TABLE))


def byte_strings() -> Strategy:
    """Draw bytes of ASCII words and fields, and of small numbers."""
    ascii_texts = [text.encode() for kind in ("word", "fields", "letters") for text in _table(kind)]
    numbers = st.lists(st.integers(0, 127), max_size=5).map(bytes)
    return st.one_of(st.sampled_from(ascii_texts), st.sampled_from(ascii_texts), numbers)


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
    size, again = sizes(least, most), st.integers(0, 127)

    @st.composite
    def made(draw: st.DrawFn) -> list[Any]:
        items = [draw(item) for _ in range(draw(size))]
        if len(items) > 2:
            places = draw(again)
            if places % 2:
                items[places // 2 % len(items)] = items[places // 16 % len(items)]
        return items

    return made()


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
