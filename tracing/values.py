"""Values as literal text beside a type name, and what makes two of them equal.

A :class:`Value` is taken from an object at one moment (deeply) or read from
text, and compares type-strictly at every level: ``1``, ``True`` and ``1.0`` all
differ. Values of other types than the thirteen below, cyclic ones and ones that
are too long have no literal; nothing is ever cut.

Source: docs/semantics.md, section 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import is_
from typing import Any, TypeAlias

from tracing.errors import NoLiteralError, shorten
from tracing.literals import MAX_DEPTH, MAX_DIGITS, LiteralError, read

__all__ = ["ATOMS", "MAX_LITERAL", "Memo", "Value", "encode"]

MAX_LITERAL = 20_000
"""The longest literal that is kept, in characters; the reader's limits leave room for it."""

ATOMS: frozenset[type] = frozenset({type(None), bool, int, float, complex, str, bytes, range})
"""Immutable types whose ``repr`` is their literal."""

_PLAIN = ATOMS - {range}

_HASH_ORDERED = (set, frozenset)
# What repr alone may write: a fast way for the small flat containers that most are.
_HASHED_PLAIN: frozenset[type] = frozenset({type(None), bool, int, str, bytes})
_SIZED: frozenset[type] = frozenset({str, bytes})
_FEW, _SHORT, _WIDE = 1000, 256, 1 << 1024
_WIDEST = 10**MAX_DIGITS
_INTS: set[type] = {int}

Memo: TypeAlias = dict[int, tuple[Any, tuple[Any, ...], str]]
"""By the ``id`` of a list or tuple of atoms: itself, its items at some moment, their text."""


def encode(value: Any, memo: Memo | None = None, *, limit: int = MAX_LITERAL) -> str:
    """Write an object as its literal text, at this moment and deeply.

    Args:
        value: Any object. Only the exact built-in types NoneType, bool, int, float,
            complex, str, bytes, range, list, tuple, dict, set and frozenset have a
            literal; a method of the object's own is never called.
        memo: Texts of lists and tuples of atoms that were written before; grows. It makes
            writing a large value again cheap where little of it changed.
        limit: The longest text, in characters.

    Returns:
        The ``repr``, with the elements of sets sorted by their own text.

    Raises:
        NoLiteralError: With its reason ``no_literal``, ``cyclic`` or ``too_long``.

    Source: docs/semantics.md, 6.1 and 6.2.

    Example:
        >>> encode({"b": {3, 10}, "a": frozenset()})
        "{'b': {10, 3}, 'a': frozenset()}"
    """
    text = _encode(value, (), False, False, memo, limit)
    if len(text) > limit:
        raise _too_long(limit)
    return text


def _too_long(limit: int) -> NoLiteralError:
    return NoLiteralError("too_long", f"the value's text is longer than {limit} characters")


def _no_literal(value: Any) -> NoLiteralError:
    return NoLiteralError("no_literal", f"a {type(value).__name__} has no literal")


def _encode(
    value: Any, path: tuple[int, ...], hashed: bool, ordered: bool, memo: Memo | None, limit: int
) -> str:
    """Encode inside the containers ``path``.

    ``hashed`` says that a set or a dict key holds it; ``ordered`` asks for the
    canonical text, with dict items in the order of their key's text.
    """
    kind = type(value)
    if kind in ATOMS:
        return _encode_atom(value, hashed, limit)
    if kind is list or kind is tuple:
        return _encode_sequence(value, path, hashed, ordered, memo, limit)
    if kind is dict:
        return _encode_dict(value, path, ordered, memo, limit)
    if kind in _HASH_ORDERED:
        return _encode_set(value, path, ordered, memo, limit)
    raise _no_literal(value)


def _encode_atom(value: Any, hashed: bool, limit: int) -> str:
    kind = type(value)
    if (kind is str or kind is bytes) and len(value) > limit:
        raise _too_long(limit)
    if kind is int and not -_WIDEST < value < _WIDEST:
        raise _too_long(limit)
    # A set may hold two nans and a dict find neither: no text says which is meant.
    if hashed and (kind is float or kind is complex) and value != value:
        raise _no_literal(value)
    if kind is range:
        parts = (
            (value.start, value.stop) if value.step == 1 else (value.start, value.stop, value.step)
        )
        return _joined([_encode_atom(part, hashed, limit) for part in parts], "range(", ")", limit)
    return repr(value)


def _inside(value: Any, path: tuple[int, ...], limit: int) -> tuple[int, ...]:
    """Step into a container, or raise when that goes round, too deep or too wide."""
    if id(value) in path:
        raise NoLiteralError("cyclic", f"the {type(value).__name__} holds itself")
    if len(path) >= MAX_DEPTH:
        raise NoLiteralError("too_long", f"the value is nested deeper than {MAX_DEPTH}")
    if len(value) > limit // 3:
        raise _too_long(limit)
    return (*path, id(value))


def _joined(parts: list[str], opening: str, closing: str, limit: int) -> str:
    if sum(map(len, parts)) > limit:
        raise _too_long(limit)
    return opening + ", ".join(parts) + closing


def _encode_sequence(
    value: Any, path: tuple[int, ...], hashed: bool, ordered: bool, memo: Memo | None, limit: int
) -> str:
    if not hashed:
        known = memo.get(id(value)) if memo is not None else None
        if (
            known is not None
            and known[0] is value
            and len(known[1]) == len(value)
            and all(map(is_, value, known[1]))
        ):
            return known[2]
        if _is_plain(value):
            text = repr(value)
            if memo is not None:
                # Holds atoms only, so nothing lives longer for it that could be missed.
                memo[id(value)] = (value, tuple(value), text)
            return text
    inner = _inside(value, path, limit)
    parts = [_encode(item, inner, hashed, ordered, memo, limit) for item in value]
    if type(value) is list:
        return _joined(parts, "[", "]", limit)
    return _joined(parts, "(", ",)" if len(parts) == 1 else ")", limit)


def _is_plain(items: Any) -> bool:
    """Tell whether ``repr`` of the container is its literal: few short atoms in it."""
    return len(items) <= _FEW and _PLAIN.issuperset(map(type, items)) and _are_short(items)


def _are_short(items: Any) -> bool:
    # Long text and wide ints must reach the checks that the slow way makes.
    kinds = set(map(type, items))
    if kinds == _INTS:
        return bool(min(items) > -_WIDE and max(items) < _WIDE)
    return all(
        len(item) <= _SHORT if type(item) in _SIZED else -_WIDE < item < _WIDE
        for item in items
        if type(item) in _SIZED or type(item) is int
    )


def _encode_dict(
    value: Any, path: tuple[int, ...], ordered: bool, memo: Memo | None, limit: int
) -> str:
    if (
        not ordered
        and _HASHED_PLAIN.issuperset(map(type, value))
        and _is_plain(value)
        and _is_plain(value.values())
    ):
        return repr(value)
    inner = _inside(value, path, limit)
    parts = [
        _encode(key, inner, True, ordered, memo, limit)
        + ": "
        + _encode(item, inner, False, ordered, memo, limit)
        for key, item in value.items()
    ]
    return _joined(sorted(parts) if ordered else parts, "{", "}", limit)


def _encode_set(
    value: Any, path: tuple[int, ...], ordered: bool, memo: Memo | None, limit: int
) -> str:
    inner = _inside(value, path, limit)
    parts = sorted(_encode(item, inner, True, ordered, memo, limit) for item in value)
    if type(value) is set:
        return _joined(parts, "{", "}", limit) if parts else "set()"
    return _joined(parts, "frozenset({", "})", limit) if parts else "frozenset()"


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A value as literal text beside its type's name.

    Attributes:
        type: ``type(v).__name__`` of the object, one of the thirteen askable types.
        literal: Its text in the grammar of :mod:`tracing.literals`, normalised.

    Raises:
        NoLiteralError: ``literal`` is no literal, or not of that type.

    Example:
        >>> Value("str", '"a"') == Value.of("a")
        True
        >>> Value.of(1) == Value.of(True)
        False
    """

    type: str
    literal: str

    def __post_init__(self) -> None:
        try:
            value = read(self.literal)
        except LiteralError as error:
            raise NoLiteralError(
                "no_literal", f"{shorten(repr(self.literal))} is no literal: {error}"
            ) from None
        if type(value).__name__ != self.type:
            raise NoLiteralError(
                "no_literal",
                f"{shorten(self.literal)} is a {type(value).__name__}, not a {self.type}",
            )
        object.__setattr__(self, "literal", encode(value))

    @staticmethod
    def of(value: object, *, scale: int = 1) -> Value:
        """Take the value of an object, at this moment and deeply.

        Args:
            value: Any object.
            scale: Its text may be this many times longer than :data:`MAX_LITERAL`.

        Returns:
            Its value.

        Raises:
            NoLiteralError: It has no literal (see :func:`encode`).
        """
        return Value.trusted(type(value).__name__, encode(value, limit=MAX_LITERAL * scale))

    @staticmethod
    def trusted(type_name: str, literal: str) -> Value:
        """Make a value from text that :func:`encode` wrote, without reading it again.

        Args:
            type_name: The type's name.
            literal: Exactly what :func:`encode` gave.

        Returns:
            The value.
        """
        value = object.__new__(Value)
        _set_type(value, type_name)
        _set_literal(value, literal)
        return value

    @staticmethod
    def parse(text: str, *, scale: int = 1) -> Value | None:
        """Read a value from hostile text.

        Args:
            text: Anything; spaces around it are ignored.
            scale: It may be this many times longer than :data:`MAX_LITERAL`.

        Returns:
            The value, or None where the text is not one literal.

        Example:
            >>> Value.parse(" {2, 1} ")
            Value(type='set', literal='{1, 2}')
            >>> Value.parse("__import__('os')") is None
            True
        """
        try:
            return Value.of(read(text, scale=scale), scale=scale)
        except (LiteralError, NoLiteralError):
            return None

    def object(self) -> Any:
        """Build the object that the literal stands for.

        Returns:
            A new object of built-in types.
        """
        return read(self.literal, scale=self._scale)

    @property
    def _scale(self) -> int:
        # It was bounded when it was made.
        return 1 + len(self.literal) // MAX_LITERAL

    @property
    def canonical(self) -> str:
        """The text that equal values share: the literal with the items of dicts sorted."""
        if "{" not in self.literal or self.type in ("str", "bytes"):
            return self.literal
        return _encode(self.object(), (), False, True, None, MAX_LITERAL * self._scale)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        if self.type != other.type:
            return False
        return self.literal == other.literal or self.canonical == other.canonical

    def __hash__(self) -> int:
        return hash((self.type, self.canonical))


_set_type: Callable[[Value, str], None] = Value.__dict__["type"].__set__
_set_literal: Callable[[Value, str], None] = Value.__dict__["literal"].__set__
