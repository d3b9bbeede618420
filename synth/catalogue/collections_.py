"""list, tuple, dict, set, frozenset and range."""

from synth.catalogue.entry import read_entries

__all__ = ["DICT", "FROZENSET", "LIST", "RANGE", "SET", "TUPLE"]

LIST = read_entries(
    "list",
    "list[T]",
    """
    append(item) | mutates grows
    clear() | mutates
    copy() -> list[T]
    count(item) -> int
    extend(list[T]) | mutates grows
    index(item) -> int | raises:ValueError
    insert(index; item) | mutates grows
    pop() -> T | nonempty
    remove(item) | mutates raises:ValueError
    reverse() | mutates
    sort(by) | mutates
    """,
)

TUPLE = read_entries(
    "tuple",
    "tuple[T, T, T]",
    """
    count(item) -> int
    index(item) -> int | raises:ValueError
    """,
)

DICT = read_entries(
    "dict",
    "dict[K, V]",
    """
    clear() | mutates
    copy() -> dict[K, V]
    fromkeys(list[K]) -> dict[K, int]
    get(key; default) -> V | argument
    items() -> list[tuple[K, V]]
    keys() -> list[K]
    pop(key; default) -> V | argument
    popitem() -> tuple[K, V] | nonempty
    setdefault(key; default) -> V | argument
    update(dict[K, V]) | mutates grows
    values() -> list[V]
    """,
)

_SET_OPERATIONS = """
    copy() -> SELF
    difference(SELF) -> SELF | chain
    intersection(SELF) -> SELF | chain
    isdisjoint(SELF) -> bool
    issubset(SELF) -> bool
    issuperset(SELF) -> bool
    symmetric_difference(SELF) -> SELF | chain
    union(SELF) -> SELF | chain grows
"""

SET = read_entries(
    "set",
    "set[T]",
    _SET_OPERATIONS
    + """
    add(item) | mutates
    clear() | mutates
    difference_update(SELF) | mutates
    discard(item) | mutates
    intersection_update(SELF) | mutates
    remove(item) | mutates raises:KeyError
    symmetric_difference_update(SELF) | mutates
    update(SELF) | mutates
    """,
)

FROZENSET = read_entries("frozenset", "frozenset[T]", _SET_OPERATIONS)

RANGE = read_entries(
    "range",
    "range",
    """
    count(item) -> int
    index(item) -> int | raises:ValueError
    """,
)
