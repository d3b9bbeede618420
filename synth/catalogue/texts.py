"""str and bytes."""

from synth.catalogue.entry import read_entries

__all__ = ["BYTES", "STR"]

STR = read_entries(
    "str",
    "str",
    """
    capitalize() -> str
    casefold() -> str
    center(width; newchar) -> str | grows
    count(char) -> int
    encode() -> bytes
    endswith(affix) -> bool
    expandtabs(width) -> str | grows
    find(char) -> int | argument
    format(small) -> str | chain
    index(char) -> int | argument raises:ValueError
    isalnum() -> bool
    isalpha() -> bool
    isascii() -> bool
    isdecimal() -> bool
    isdigit() -> bool
    isidentifier() -> bool
    islower() -> bool
    isnumeric() -> bool
    isprintable() -> bool
    isspace() -> bool
    istitle() -> bool
    isupper() -> bool
    join(list[str]) -> str | chain grows
    ljust(width; newchar) -> str | grows
    lower() -> str
    lstrip(chars) -> str | chain
    partition(sep) -> tuple[str, str, str] | chain
    removeprefix(affix) -> str | chain
    removesuffix(affix) -> str | chain
    replace(char; newchar) -> str | chain
    rfind(char) -> int | argument
    rindex(char) -> int | argument raises:ValueError
    rjust(width; newchar) -> str | grows
    rpartition(sep) -> tuple[str, str, str] | chain
    rsplit(sep; count) -> list[str] | chain
    rstrip(chars) -> str | chain
    split(sep) -> list[str] | chain
    splitlines() -> list[str]
    startswith(affix) -> bool
    strip(chars) -> str | chain
    swapcase() -> str
    title() -> str
    translate(table) -> str | chain
    upper() -> str
    zfill(width) -> str | grows
    """,
)

BYTES = read_entries(
    "bytes",
    "bytes",
    """
    capitalize() -> bytes
    count(char) -> int
    decode() -> str
    endswith(affix) -> bool
    find(char) -> int | argument
    hex() -> str
    index(char) -> int | argument raises:ValueError
    isalnum() -> bool
    isalpha() -> bool
    isdigit() -> bool
    islower() -> bool
    isspace() -> bool
    isupper() -> bool
    ljust(width; newchar) -> bytes | grows
    lower() -> bytes
    lstrip(chars) -> bytes | chain
    partition(sep) -> tuple[bytes, bytes, bytes] | chain
    removeprefix(affix) -> bytes | chain
    removesuffix(affix) -> bytes | chain
    replace(char; newchar) -> bytes | chain
    rfind(char) -> int | argument
    rjust(width; newchar) -> bytes | grows
    rpartition(sep) -> tuple[bytes, bytes, bytes] | chain
    rstrip(chars) -> bytes | chain
    split(sep) -> list[bytes] | chain
    startswith(affix) -> bool
    strip(chars) -> bytes | chain
    swapcase() -> bytes
    title() -> bytes
    upper() -> bytes
    zfill(width) -> bytes | grows
    """,
)
