"""Reads hostile text as a Python literal, without ``eval``, ``compile`` or ``ast``.

The grammar is that of Python's literals plus the words that values without a
literal print as: ``set()``, ``frozenset({...})``, ``range(a, b[, c])``, ``nan``,
``inf`` and ``float('nan')``. Nothing is looked up, nothing is called, and text
that is too long, too deep or too wide in digits is refused before it costs anything.

It does not read names, arithmetic (other than ``real±imagj``), f-strings or comments.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, NoReturn

from tracing.errors import shorten

__all__ = [
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_TEXT",
    "MAX_TOKENS",
    "LiteralError",
    "read",
    "read_arguments",
]

MAX_TEXT = 100_000
"""The most characters of a literal that are read."""
MAX_TOKENS = 16_000
"""The most tokens of a literal that are read; reading so many takes some 30 ms."""
MAX_PIECES = 1000
"""The most strings side by side that are read as one."""
MAX_DEPTH = 100
"""The deepest nesting of brackets that is read."""
MAX_DIGITS = 4300
"""The most digits of an int, CPython's own limit (sys.set_int_max_str_digits)."""

_TOKEN = re.compile(
    r"""
    (?P<string>(?P<prefix>[rR][bB]?|[bB][rR]?|[uU])?
        (?: '''(?P<t1>[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*)'''
          | \"\"\"(?P<t2>[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*)\"\"\"
          | '(?P<s1>[^'\\\n]*(?:\\.[^'\\\n]*)*)'
          | "(?P<s2>[^"\\\n]*(?:\\.[^"\\\n]*)*)" ) )
    | (?P<based>0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+)
    | (?P<number>(?=\.?[0-9]) [0-9_]* \.? [0-9_]* (?:[eE][+-]?[0-9_]+)? [jJ]?) (?![0-9A-Za-z_.])
    | (?P<name>[A-Za-z_]\w*)
    | (?P<mark>[\[\]{}(),:+=-])
    """,
    re.VERBOSE | re.DOTALL,
)
_SPACE = re.compile(r"\s*")
_ESCAPE = re.compile(
    r"\\(\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}\n]{1,80}\}|.)",
    re.DOTALL,
)
_SIMPLE_ESCAPES = {
    "\n": "",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_WORDS: dict[str, Any] = {
    "None": None,
    "True": True,
    "False": False,
    "nan": float("nan"),
    "inf": float("inf"),
    "nanj": complex(0.0, float("nan")),
    "infj": complex(0.0, float("inf")),
}


class LiteralError(ValueError):
    """The text is not one literal."""


def read(text: str, *, scale: int = 1) -> Any:
    """Read one literal.

    Args:
        text: Any text; spaces around are ignored.
        scale: Reads texts this many times longer than :data:`MAX_TEXT` and
            :data:`MAX_TOKENS`, for data that is trusted to be worth the time.

    Returns:
        The object that the text stands for, made of built-in types only.

    Raises:
        LiteralError: The text is something else than one literal.

    Example:
        >>> read("{'a': [1, -2.5], 'b': frozenset({3})}")
        {'a': [1, -2.5], 'b': frozenset({3})}
    """
    reader = _Reader(text, scale)
    value = reader.value(0)
    reader.end()
    return value


def read_arguments(text: str, *, scale: int = 1) -> tuple[list[Any], dict[str, Any]]:
    """Read an argument list of literals, without its parentheses.

    Args:
        text: Like ``"[1, 2], key='a'"``; may be empty or end in a comma.
        scale: As for :func:`read`.

    Returns:
        The positional values, and the keyword values by name.

    Raises:
        LiteralError: The text is something else, or a name comes twice.

    Example:
        >>> read_arguments("3, flag=True")
        ([3], {'flag': True})
    """
    reader = _Reader(text, scale)
    values, keywords = reader.arguments("")
    reader.end()
    return values, keywords


class _Reader:
    """A cursor over the tokens of one text."""

    def __init__(self, text: str, scale: int) -> None:
        if len(text) > MAX_TEXT * scale:
            raise LiteralError(f"longer than {MAX_TEXT * scale} characters")
        self.text = text
        self.place = 0
        self.left = MAX_TOKENS * scale
        self.next()

    def next(self) -> None:
        """Move to the next token, or to the end (kind ``""``)."""
        space = _SPACE.match(self.text, self.place)
        start = space.end() if space else self.place
        self.token: re.Match[str] | None = None
        self.kind, self.word = "", ""
        if start == len(self.text):
            return
        token = _TOKEN.match(self.text, start)
        if token is None:
            raise LiteralError(f"no literal goes on with {self.text[start : start + 10]!r}")
        self.left -= 1
        if self.left < 0:
            raise LiteralError("too many tokens")
        self.token, self.place = token, token.end()
        self.kind, self.word = token.lastgroup or "", token.group()
        if token.group("string") is not None:
            self.kind = "string"

    def end(self) -> None:
        """Raise unless the text is used up."""
        if self.kind:
            self.fail("the end")

    def fail(self, wanted: str) -> NoReturn:
        raise LiteralError(f"expected {wanted}, found {self.word[:20]!r}")

    def take(self, mark: str) -> None:
        """Consume one mark, or raise."""
        if self.kind != "mark" or self.word != mark:
            self.fail(repr(mark))
        self.next()

    def skip(self, mark: str) -> bool:
        """Consume one mark if it is there."""
        if self.kind == "mark" and self.word == mark:
            self.next()
            return True
        return False

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise LiteralError(f"nested deeper than {MAX_DEPTH}")
        if self.kind == "string":
            return self.strings()
        if self.kind == "name":
            return self.named(depth)
        if self.kind == "mark":
            if self.skip("["):
                return self.items("]", depth)[0]
            if self.skip("("):
                return self.bracketed(depth)
            if self.skip("{"):
                return self.braces(depth)
            if self.word in "+-":
                return self.numeric()
        if self.kind in ("number", "based"):
            return self.numeric()
        return self.fail("a literal")

    def items(self, closing: str, depth: int) -> tuple[list[Any], bool]:
        """Read values up to the closing mark; also tell whether a comma was seen."""
        values: list[Any] = []
        comma = False
        while not self.skip(closing):
            values.append(self.value(depth + 1))
            if self.skip(","):
                comma = True
            else:
                self.take(closing)
                break
        return values, comma

    def bracketed(self, depth: int) -> Any:
        values, comma = self.items(")", depth)
        return values[0] if len(values) == 1 and not comma else tuple(values)

    def braces(self, depth: int) -> Any:
        if self.skip("}"):
            return {}
        first = self.value(depth + 1)
        if self.skip(":"):
            table = {_key(first): self.value(depth + 1)}
            while self.skip(",") and self.word != "}":
                key = _key(self.value(depth + 1))
                self.take(":")
                table[key] = self.value(depth + 1)
            self.take("}")
            return table
        members = {_key(first)}
        if self.skip(","):
            members.update(map(_key, self.items("}", depth)[0]))
        else:
            self.take("}")
        return members

    def strings(self) -> str | bytes:
        """Read one string, or several side by side (implicit concatenation)."""
        parts: list[str | bytes] = []
        while self.kind == "string" and self.token is not None:
            if len(parts) == MAX_PIECES:
                raise LiteralError(f"more than {MAX_PIECES} strings side by side")
            parts.append(_string(self.token))
            self.next()
        texts = [part for part in parts if isinstance(part, str)]
        raw = [part for part in parts if isinstance(part, bytes)]
        if texts and raw:
            raise LiteralError("str and bytes side by side")
        return "".join(texts) if texts else b"".join(raw)

    def named(self, depth: int) -> Any:
        word = self.word
        if word in ("set", "frozenset", "range", "float"):
            self.next()
            self.take("(")
            return _WORD_CALLS[word](self.items(")", depth)[0])
        if word not in _WORDS:
            self.fail("a literal")
        return self.numeric() if isinstance(_WORDS[word], float) else self.plain(_WORDS[word])

    def plain(self, value: Any) -> Any:
        self.next()
        return value

    def numeric(self) -> int | float | complex:
        """Read a signed number, or ``real±imagj``."""
        negative = self.word == "-"
        real = self.signed()
        if self.kind == "mark" and self.word in ("+", "-") and not isinstance(real, complex):
            imag = self.signed()
            if not isinstance(imag, complex):
                raise LiteralError("arithmetic is not a literal")
            # Built from its parts, as repr prints them: a sum would lose the sign of a zero.
            return complex(-0.0 if negative and not real else float(real), imag.imag)
        return real

    def signed(self) -> int | float | complex:
        sign = -1 if self.kind == "mark" and self.word == "-" else 1
        if self.kind == "mark":
            self.next()
        number = self.unsigned()
        if sign == 1:
            return number
        return complex(0.0, -number.imag) if isinstance(number, complex) else -number

    def unsigned(self) -> int | float | complex:
        if self.kind == "based":
            return _based(self.plain(self.word))
        if self.kind == "number":
            return _number(self.plain(self.word))
        if self.kind == "name" and self.word == "float":  # ``-float('inf')``
            self.next()
            self.take("(")
            text = self.strings()
            self.take(")")
            return _WORD_CALLS["float"]([text])  # type: ignore[no-any-return]
        number = _WORDS.get(self.word) if self.kind == "name" else None
        if isinstance(number, (float, complex)):
            return self.plain(number)  # type: ignore[no-any-return]
        return self.fail("a number")

    def arguments(self, closing: str) -> tuple[list[Any], dict[str, Any]]:
        """Read ``value, ..., name=value, ...`` up to the closing mark or the end."""
        values: list[Any] = []
        keywords: dict[str, Any] = {}
        while self.kind and self.word != closing:
            name = self.keyword()
            if name is None and keywords:
                raise LiteralError("a positional argument follows a keyword")
            if name is None:
                values.append(self.value(0))
            elif name in keywords:
                raise LiteralError(f"argument {name} is given twice")
            else:
                keywords[name] = self.value(0)
            if not self.skip(","):
                break
        return values, keywords

    def keyword(self) -> str | None:
        """Consume ``name =`` if it is there."""
        if self.kind != "name" or not re.compile(r"\s*=").match(self.text, self.place):
            return None
        name = self.word
        self.next()
        self.take("=")
        return name


def _key(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        raise LiteralError(f"unhashable {type(value).__name__} in a set or as a key") from None
    return value


def _set(values: list[Any]) -> set[Any]:
    if len(values) > 1 or (values and type(values[0]) not in (list, tuple, set, frozenset)):
        raise LiteralError("set takes one collection")
    return set(map(_key, values[0])) if values else set()


def _frozenset(values: list[Any]) -> frozenset[Any]:
    return frozenset(_set(values))


def _range(values: list[Any]) -> range:
    if not 1 <= len(values) <= 3 or any(type(value) is not int for value in values):
        raise LiteralError("range takes one to three ints")
    if len(values) == 3 and values[2] == 0:
        raise LiteralError("range with step 0")
    return range(*values)


def _float(values: list[Any]) -> float:
    if len(values) != 1 or type(values[0]) not in (str, int, float) or len(str(values[0])) > 40:
        raise LiteralError("float takes one short text or number")
    try:
        return float(values[0])
    except (ValueError, OverflowError):
        raise LiteralError("float takes the text of a number") from None


_WORD_CALLS: dict[str, Any] = {
    "set": _set,
    "frozenset": _frozenset,
    "range": _range,
    "float": _float,
}


def _based(word: str) -> int:
    if len(word) > MAX_DIGITS:
        raise LiteralError("an int of too many digits")
    try:
        return int(word, 0)
    except ValueError:  # underscores in a wrong place
        raise LiteralError(f"{shorten(word, 20)} is no number") from None


def _number(word: str) -> int | float | complex:
    if len(word) > MAX_DIGITS:
        raise LiteralError("a number of too many digits")
    try:
        if word[-1] in "jJ":
            return complex(0.0, float(word[:-1]))
        if word.replace("_", "").isdigit():
            return int(word, 10 if word.strip("0_") == "" else 0)
        return float(word)
    except ValueError:
        raise LiteralError(f"{shorten(word, 20)} is no number") from None


def _string(token: re.Match[str]) -> str | bytes:
    prefix = (token["prefix"] or "").lower()
    body = next(g for g in (token["t1"], token["t2"], token["s1"], token["s2"]) if g is not None)
    if "b" in prefix and not body.isascii():
        raise LiteralError("bytes hold ASCII characters only")
    if "r" not in prefix and "\\" in body:
        body = _ESCAPE.sub(_unescape_bytes if "b" in prefix else _unescape, body)
    return body.encode("latin-1") if "b" in prefix else body


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code in _SIMPLE_ESCAPES:
        return _SIMPLE_ESCAPES[code]
    if code[0] in "01234567":
        return chr(int(code, 8))
    if code[0] in "xuU" and len(code) > 1:
        if int(code[1:], 16) > 0x10FFFF:
            raise LiteralError("a character beyond Unicode")
        return chr(int(code[1:], 16))
    if code[0] == "N" and len(code) > 1:
        try:
            return unicodedata.lookup(code[2:-1])
        except KeyError:
            raise LiteralError(f"no character is named {code[2:-1][:40]!r}") from None
    if code in "xuUN":
        raise LiteralError("a broken escape sequence")
    return match[0]


def _unescape_bytes(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "uUN":
        return match[0]
    text = _unescape(match)
    return chr(ord(text) & 0xFF) if len(text) == 1 else text
