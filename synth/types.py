"""The types of generated programs: Python's built-in ones, with their parameters.

A :class:`Type` is data with a text form; it knows nothing of values.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import lru_cache

from tracing.errors import UsageError, shorten

__all__ = [
    "BOOL",
    "BYTES",
    "FLOAT",
    "INT",
    "NONE",
    "RANGE",
    "STR",
    "Type",
    "dict_of",
    "frozenset_of",
    "list_of",
    "set_of",
    "tuple_of",
]

_PARAMETERS = {
    "int": 0,
    "float": 0,
    "bool": 0,
    "str": 0,
    "bytes": 0,
    "NoneType": 0,
    "range": 0,
    "list": 1,
    "set": 1,
    "frozenset": 1,
    "dict": 2,
}


@dataclass(frozen=True, slots=True)
class Type:
    """A built-in type.

    Attributes:
        name: Its name, as ``type(v).__name__`` gives it.
        args: Its parameters: one for list, set and frozenset, key and value for dict, one
            for each item for tuple.

    Raises:
        UsageError: There is no such type, or it takes another number of parameters.

    Example:
        >>> str(Type("dict", (Type("str"), Type("list", (Type("int"),)))))
        'dict[str, list[int]]'
    """

    name: str
    args: tuple[Type, ...] = ()
    # Asked for a hundred times in each program that is written.
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.name != "tuple" and self.name not in _PARAMETERS:
            raise UsageError(f"{shorten(self.name)} is none of the built-in types that are used")
        if self.name != "tuple" and len(self.args) != _PARAMETERS[self.name]:
            raise UsageError(
                f"{self.name} takes {_PARAMETERS[self.name]} parameters, not {len(self.args)}"
            )
        text = f"{self.name}[{', '.join(map(str, self.args))}]" if self.args else self.name
        object.__setattr__(self, "_text", text)

    def __str__(self) -> str:
        return self._text

    @staticmethod
    def parse(text: str) -> Type:
        """Read a type's text form.

        Args:
            text: Like ``"dict[str, list[int]]"``.

        Returns:
            The type.

        Raises:
            UsageError: It is none.
        """
        try:
            return _parsed(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise UsageError(f"{shorten(text)!r} is no type") from None

    @property
    def item(self) -> Type:
        """What iterating over a value gives."""
        if self.name == "str":
            return STR
        if self.name in ("bytes", "range"):
            return INT
        return self.args[0]

    @property
    def is_hashable(self) -> bool:
        """Whether its values may be in a set or be keys."""
        return self.name not in ("list", "dict", "set") and all(a.is_hashable for a in self.args)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Type:
    return _of_node(ast.parse(text.strip(), mode="eval").body)


def _of_node(node: ast.expr) -> Type:
    if isinstance(node, ast.Constant) and node.value is None:
        return NONE
    if isinstance(node, ast.Name):
        return Type(node.id)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return Type(node.value.id, tuple(map(_of_node, inner)))
    raise ValueError("no type")


INT, FLOAT, BOOL, STR = Type("int"), Type("float"), Type("bool"), Type("str")
BYTES, NONE, RANGE = Type("bytes"), Type("NoneType"), Type("range")


def list_of(item: Type) -> Type:
    """Give the type of lists of a type."""
    return Type("list", (item,))


def set_of(item: Type) -> Type:
    """Give the type of sets of a type."""
    return Type("set", (item,))


def frozenset_of(item: Type) -> Type:
    """Give the type of frozensets of a type."""
    return Type("frozenset", (item,))


def dict_of(key: Type, value: Type) -> Type:
    """Give the type of dicts from one type to another."""
    return Type("dict", (key, value))


def tuple_of(*items: Type) -> Type:
    """Give the type of tuples with such items."""
    return Type("tuple", items)
