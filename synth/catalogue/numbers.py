"""int, float and bool."""

from synth.catalogue.entry import read_entries

__all__ = ["BOOL", "FLOAT", "INT"]

INT = read_entries(
    "int",
    "int",
    """
    as_integer_ratio() -> tuple[int, int]
    bit_count() -> int | chain
    bit_length() -> int | chain
    conjugate() -> int
    """,
)

FLOAT = read_entries(
    "float",
    "float",
    """
    as_integer_ratio() -> tuple[int, int]
    conjugate() -> float
    is_integer() -> bool
    """,
)

BOOL = read_entries(
    "bool",
    "bool",
    """
    bit_length() -> int
    conjugate() -> int
    """,
)
