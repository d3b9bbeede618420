"""tracing.values: literal text, and type-strict equality."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracing import Value
from tracing.errors import NoLiteralError
from tracing.values import MAX_LITERAL

ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(max_size=8)
    | st.binary(max_size=8)
    | st.builds(range, st.integers(), st.integers(), st.integers(min_value=1))
)
HASHABLE = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.binary(max_size=5)
VALUES = st.recursive(
    ATOMS | st.frozensets(HASHABLE, max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(HASHABLE, inner, max_size=4)
        | st.sets(HASHABLE, max_size=4)
    ),
    max_leaves=15,
)


@given(VALUES)
def test_a_literal_reads_back_as_an_equal_value(value: Any) -> None:
    taken = Value.of(value)
    assert Value.parse(taken.literal) == taken == Value(taken.type, taken.literal)
    assert hash(Value.parse(taken.literal)) == hash(taken)
    assert Value.of(taken.object()).literal == taken.literal


@given(VALUES, VALUES)
def test_values_of_different_types_never_equal(one: Any, other: Any) -> None:
    if type(one) is not type(other):
        assert Value.of(one) != Value.of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ([1], (1,)),
        ([True], [1]),
        ({1}, frozenset({1})),
        ({1: 1}, {1: True}),
        ({1: 1}, {True: 1}),
        (range(3), range(0, 3, 2)),
        ("1", b"1"),
        ((1, (2,)), (1, [2])),
        (complex(0.0, -0.0), complex(0.0, 0.0)),
        (range(0), range(1, 1)),
        ({1.0}, {1}),
    ],
)
def test_what_differs_in_a_type_differs(one: Any, other: Any) -> None:
    assert Value.of(one) != Value.of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (float("nan"), -float("nan")),
        ({1: 2, "a": [3]}, {"a": [3], 1: 2}),
        ({3, 1}, {1, 3}),
        ([{1: {2: 3, 4: 5}}], [{1: {4: 5, 2: 3}}]),
        (range(0, 3), range(3)),
    ],
)
def test_equal_values_equal(one: Any, other: Any) -> None:
    assert Value.of(one) == Value.of(other)
    assert hash(Value.of(one)) == hash(Value.of(other))


def _cycle() -> list[Any]:
    loop: list[Any] = []
    loop.append((loop,))
    return loop


def _shared() -> list[Any]:
    value: list[Any] = []
    for _ in range(80):
        value = [value, value]
    return value


REASONS: dict[str, tuple[Any, str]] = {
    "counter": (Counter("a"), "no_literal"),
    "ordered_dict": (OrderedDict(), "no_literal"),
    "instance": ([object()], "no_literal"),
    "ellipsis": (..., "no_literal"),
    "keys": ({1: 2}.keys(), "no_literal"),
    "bytearray": (bytearray(b"a"), "no_literal"),
    "class": (int, "no_literal"),
    "nan_in_set": ({float("nan")}, "no_literal"),
    "nan_in_key": ({(1, float("nan")): 1}, "no_literal"),
    "complex_nan_in_set": ({complex(1, float("nan"))}, "no_literal"),
    "cycle": (_cycle(), "cyclic"),
    "shared": (_shared(), "too_long"),
    "int": (10**4300, "too_long"),
    "range": ([range(10**4300)], "too_long"),
    "key": ({10**5000: 1}, "too_long"),
    "text": ("a" * (MAX_LITERAL + 1), "too_long"),
    "list": ([0] * 40_000, "too_long"),
}


@pytest.mark.parametrize("name", REASONS)
def test_what_has_no_literal_says_why(name: str) -> None:
    value, reason = REASONS[name]
    with pytest.raises(NoLiteralError) as caught:
        Value.of(value)
    assert caught.value.reason == reason


def test_elements_of_sets_are_sorted_by_their_text() -> None:
    assert Value.of({10, 9, "a", None, (1,)}).literal == "{'a', (1,), 10, 9, None}"


def test_an_integer_as_long_as_allowed_is_kept() -> None:
    assert Value.parse(Value.of(10**4300 - 1).literal) == Value.of(10**4300 - 1)


def test_a_literal_of_another_type_is_refused() -> None:
    with pytest.raises(NoLiteralError):
        Value("int", "True")
