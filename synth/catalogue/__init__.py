"""What generated programs are about: methods of the built-in types, functions, operations.

Each file holds the tables of related types; :data:`CATALOGUE` is all of them. A method or an
operator of the running interpreter that is in no table is in :data:`EXCLUDED`, with the reason.
"""

from synth.catalogue.collections_ import DICT, FROZENSET, LIST, RANGE, SET, TUPLE
from synth.catalogue.entry import Entry
from synth.catalogue.functions import BUILTINS
from synth.catalogue.numbers import BOOL, FLOAT, INT
from synth.catalogue.operators import OPERATORS
from synth.catalogue.stdlib import STDLIB
from synth.catalogue.texts import BYTES, STR

__all__ = ["CATALOGUE", "EXCLUDED", "OPERATORS", "STDLIB", "Entry", "methods_by_type"]

CATALOGUE: tuple[Entry, ...] = (
    *STR,
    *BYTES,
    *LIST,
    *TUPLE,
    *DICT,
    *SET,
    *FROZENSET,
    *RANGE,
    *INT,
    *FLOAT,
    *BOOL,
    *BUILTINS,
    *OPERATORS,
)
"""All entries, by type and then by name."""

EXCLUDED: dict[str, str] = {
    "set.pop": "which element goes depends on the hash order",
    "str.format_map": "takes a mapping; format does the same",
    "str.maketrans": "stands inside translate",
    "bytes.center": "ljust and rjust do the same for bytes",
    "bytes.expandtabs": "tabs in bytes are unreadable in a literal",
    "bytes.fromhex": "called on the class, not on a value",
    "bytes.isascii": "true of nearly all that people write",
    "bytes.istitle": "rare",
    "bytes.join": "join is asked of str",
    "bytes.maketrans": "tables of 256 bytes are no literals of a person's size",
    "bytes.rindex": "rfind is its like",
    "bytes.rsplit": "split is its like",
    "bytes.splitlines": "line ends in bytes are unreadable in a literal",
    "bytes.translate": "tables of 256 bytes are no literals of a person's size",
    "int.denominator": "an attribute, always 1",
    "int.from_bytes": "called on the class, not on a value",
    "int.imag": "an attribute, always 0",
    "int.is_integer": "new in Python 3.12",
    "int.numerator": "an attribute, the int itself",
    "int.real": "an attribute, the int itself",
    "int.to_bytes": "raises OverflowError for most receivers",
    "float.fromhex": "called on the class, not on a value",
    "float.hex": "digits that nobody works out by hand",
    "float.imag": "an attribute, always 0.0",
    "float.real": "an attribute, the float itself",
    "range.start": "an attribute",
    "range.step": "an attribute",
    "range.stop": "an attribute",
    "str <=": "its like is <",
    "list <=": "its like is <",
    "tuple <=": "its like is <",
    "bytes <": "its like is that of str",
    "bytes <=": "its like is that of str",
    "bytes %": "rare; its like is that of str",
    "dict ==": "true of hardly any two dicts",
    "dict <": "raises TypeError",
    "dict <=": "raises TypeError",
    "frozenset ==": "its like is that of set",
    "frozenset <": "its like is that of set",
    "float ==": "of floats that were computed, people ask whether they are near",
    "float <=": "its like is <",
    "float **": "digits that nobody works out by hand",
    "bool &": "people write and",
    "bool |": "people write or",
    "bool ^": "people write !=",
    "int unary +": "changes nothing",
    "float unary +": "changes nothing",
    "range ==": "true of hardly any two ranges",
    "range <": "raises TypeError",
    "range <=": "raises TypeError",
}


def methods_by_type(*, stdlib: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """List what programs are planned to be about.

    Args:
        stdlib: Whether entries that need an import are among it.

    Returns:
        Each type with its methods, operators or functions, both in name order.

    Example:
        >>> dict(methods_by_type(stdlib=False))["range"]
        ('[::]', '[:]', '[]', 'count', 'in', 'index')
    """
    entries = (*CATALOGUE, *STDLIB) if stdlib else CATALOGUE
    return tuple(
        (kind, tuple(sorted({entry.method for entry in entries if entry.type == kind})))
        for kind in sorted({entry.type for entry in entries})
    )
