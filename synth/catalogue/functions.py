"""Built-in functions; the receiver is their first argument."""

from synth.catalogue.entry import read_entries

__all__ = ["BUILTINS"]

BUILTINS = read_entries(
    "builtins",
    "list[int]",
    """
    int: abs() -> int
    list[int]: all(predicate) -> bool
    list[int]: any(predicate) -> bool
    int: bin() -> str
    int: bool() -> bool
    int: chr() -> str
    list[T]: dict(transform) -> dict[T, int]
    int: divmod(base) -> tuple[int, int] | chain
    list[T]: enumerate() -> list[tuple[int, T]]
    list[T]: filter(predicate) -> list[T] | chain
    int: float() -> float
    str: format(format) -> str
    list[int]: frozenset() -> frozenset[int]
    int: hex() -> str
    str: int() -> int | raises:ValueError
    int: isinstance() -> bool
    list[T]: len() -> int
    str: list() -> list[str]
    list[T]: map(transform) -> list[int]
    list[int]: max() -> int | argument nonempty
    list[int]: min() -> int | argument nonempty
    int: oct() -> str
    str: ord() -> int | nonempty
    int: pow(digits) -> int | chain
    int: range() -> range
    int: repr() -> str
    list[T]: reversed() -> list[T]
    float: round(digits) -> float
    list[int]: set() -> set[int]
    list[T]: sorted(by) -> list[T]
    int: str() -> str
    list[int]: sum() -> int
    list[T]: tuple() -> tuple[T]
    list[T]: zip() -> list[tuple[T, T]]
    """,
)
