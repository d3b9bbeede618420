# ruff: noqa: E501 - a line is an entry
"""Operators, subscripts, slices, comprehensions and the like, type by type.

A line is the type of what the operation is about, its name (a key of
:data:`curricula.shapes.operations.OPERATIONS`), the result's type where there is one, and the code in one or more
wordings, with ``<it>`` for the value and a hole for each constant. What has no result is a
statement that changes the value in place. Traits stand behind, as in :mod:`synth.catalogue.entry`.
"""

from synth.catalogue.entry import read_written

__all__ = ["OPERATORS"]

_TEXTS = read_written(
    """
    str: + -> str | <it> + <affix> ; <newchar> + <it> ; <it> + <it>[:2] | grows
    str: * -> str | <it> * 2 ; <it> * 3 ; 2 * <it> | grows
    str: % -> str | '%s!' % <it> ; '<%s>' % <it> ; '%8s' % <it> | grows
    str: f-string -> str | f'{<it>}!' ; f'<{<it>}>' ; f'{<it>:>8}' ; f'{<it>:*^9}' ; f'{<it>!r}' | grows
    str: in -> bool | <char> in <it>
    str: not in -> bool | <char> not in <it>
    str: == -> bool | <it> == <it>[::-1] ; <it> == <it>.lower()
    str: != -> bool | <it> != <it>[::-1] ; <it> != <it>.upper()
    str: < -> bool | <it> < <it>[::-1] ; <it> < <sep>
    str: [] -> str | <it>[0] ; <it>[-1] ; <it>[len(<it>) // 2] | nonempty
    str: [:] -> str | <it>[1:] ; <it>[:-1] ; <it>[2:] ; <it>[:-2] ; <it>[1:-1] | chain
    str: [::] -> str | <it>[::-1] ; <it>[::2] ; <it>[1::2] | chain
    str: list comprehension -> list[str] | [x for x in <it> if x.isalpha()] ; [x.upper() for x in <it>]
    str: generator expression -> str | ''.join(x for x in <it> if x != <char>)
    str: dict comprehension -> dict[str, int] | {x: <it>.count(x) for x in <it>}
    str: unpacking -> list[str] | [*<it>]
    bytes: + -> bytes | <it> + <affix> ; <it> + <it>[:2] | grows
    bytes: * -> bytes | <it> * 2 ; <it> * 3 | grows
    bytes: in -> bool | <char> in <it>
    bytes: == -> bool | <it> == <it>[::-1]
    bytes: [] -> int | <it>[0] ; <it>[-1] | nonempty
    bytes: [:] -> bytes | <it>[1:] ; <it>[:-1] ; <it>[1:-1] | chain
    """
)
_SEQUENCES = read_written(
    """
    list[T]: + -> list[T] | <it> + [<item>] ; [<item>] + <it> ; <it> + <it>[:2] | grows
    list[T]: * -> list[T] | <it> * 2 ; 2 * <it> | grows
    list[T]: in -> bool | <item> in <it>
    list[T]: not in -> bool | <item> not in <it>
    list[T]: == -> bool | <it> == <it>[::-1] ; <it> == sorted(<it>)
    list[T]: < -> bool | <it> < <it>[::-1]
    list[T]: [] -> T | <it>[0] ; <it>[-1] ; <it>[len(<it>) // 2] | nonempty
    list[T]: [:] -> list[T] | <it>[1:] ; <it>[:-1] ; <it>[2:] ; <it>[:-2] ; <it>[1:-1] | chain
    list[T]: [::] -> list[T] | <it>[::-1] ; <it>[::2] ; <it>[1::2] | chain
    list[T]: []= | <it>[0] = <item> ; <it>[-1] = <item> | mutates nonempty
    list[T]: [:]= | <it>[:1] = [<item>, <item>] ; <it>[1:3] = [] | mutates
    list[T]: [::]= | <it>[::2] = <it>[::2][::-1] | mutates
    list[T]: del [] | del <it>[0] ; del <it>[-1] | mutates nonempty
    list[T]: del [:] | del <it>[1:3] ; del <it>[:1] | mutates
    list[T]: del [::] | del <it>[::2] ; del <it>[1::2] | mutates
    list[T]: += | <it> += [<item>] ; <it> += <it>[:2] | mutates grows
    list[T]: *= | <it> *= 2 | mutates grows
    list[T]: unpacking -> list[T] | [*<it>, <item>] ; [<item>, *<it>] ; [*<it>[1:], *<it>[:1]] | grows
    list[int]: list comprehension -> list[int] | [x * <base> for x in <it>] ; [x for x in <it> if x % 2 == 0]
    list[str]: list comprehension -> list[str] | [x.upper() for x in <it>] ; [x for x in <it> if len(x) > <count>]
    list[int]: set comprehension -> set[int] | {x % <base> for x in <it>}
    list[T]: dict comprehension -> dict[T, int] | {x: <it>.count(x) for x in <it>}
    list[int]: generator expression -> int | sum(x * x for x in <it>) ; sum(x for x in <it> if x > <base>)
    list[int]: lambda -> list[int] | sorted(<it>, key=lambda x: (x % <base>, x)) ; sorted(<it>, key=lambda x: -x)
    list[str]: lambda -> list[str] | sorted(<it>, key=lambda x: (len(x), x)) ; sorted(<it>, key=lambda x: x[::-1])
    tuple[int, int, int]: + -> tuple[int, int, int, int] | <it> + (<item>,) | grows
    tuple[int, int, int]: * -> tuple[int, int, int, int, int, int] | <it> * 2 | grows
    tuple[int, int, int]: in -> bool | <item> in <it>
    tuple[int, int, int]: == -> bool | <it> == <it>[::-1]
    tuple[int, int, int]: < -> bool | <it> < <it>[::-1]
    tuple[int, int, int]: [] -> int | <it>[0] ; <it>[-1] ; <it>[1]
    tuple[int, int, int]: [:] -> tuple[int, int] | <it>[1:] ; <it>[:2] ; <it>[:-1]
    tuple[int, int, int]: unpacking -> list[int] | [*<it>, <item>] ; [*<it>[::-1]]
    range: in -> bool | <base> in <it>
    range: [] -> int | <it>[0] ; <it>[-1] | nonempty
    range: [:] -> range | <it>[1:] ; <it>[:3] | chain
    range: [::] -> range | <it>[::2] | chain
    """
)
_HASHED = read_written(
    """
    dict[K, V]: [] -> V | <it>[min(<it>)] ; <it>[max(<it>)] | nonempty
    dict[K, V]: []= | <it>[<key>] = <default> | mutates
    dict[K, V]: del [] | del <it>[min(<it>)] ; del <it>[max(<it>)] | mutates nonempty
    dict[K, V]: in -> bool | <key> in <it>
    dict[K, V]: not in -> bool | <key> not in <it>
    dict[K, V]: | -> dict[K, V] | <it> | {<key>: <default>} ; {<key>: <default>} | <it>
    dict[K, V]: |= | <it> |= {<key>: <default>} | mutates
    dict[K, V]: unpacking -> dict[K, V] | {**<it>, <key>: <default>} ; {<key>: <default>, **<it>}
    dict[str, int]: dict comprehension -> dict[str, int] | {k: v for k, v in <it>.items() if v > <base>} ; {k: v * <base> for k, v in <it>.items()}
    dict[str, int]: list comprehension -> list[str] | [k for k, v in <it>.items() if v > <base>]
    dict[str, int]: lambda -> str | max(<it>, key=lambda k: (<it>[k], k)) ; min(<it>, key=lambda k: (<it>[k], k)) | nonempty
    set[T]: | -> set[T] | <it> | <SELF>
    set[T]: & -> set[T] | <it> & <SELF>
    set[T]: - -> set[T] | <it> - <SELF> ; <SELF> - <it>
    set[T]: ^ -> set[T] | <it> ^ <SELF>
    set[T]: in -> bool | <item> in <it>
    set[T]: <= -> bool | <it> <= <SELF>
    set[T]: < -> bool | <it> < <SELF>
    set[T]: == -> bool | <it> == <SELF>
    set[T]: |= | <it> |= <SELF> | mutates
    set[T]: &= | <it> &= <SELF> | mutates
    set[T]: -= | <it> -= <SELF> | mutates
    set[T]: ^= | <it> ^= <SELF> | mutates
    frozenset[T]: | -> frozenset[T] | <it> | <SELF>
    frozenset[T]: & -> frozenset[T] | <it> & <SELF>
    frozenset[T]: - -> frozenset[T] | <it> - <SELF>
    frozenset[T]: ^ -> frozenset[T] | <it> ^ <SELF>
    frozenset[T]: in -> bool | <item> in <it>
    frozenset[T]: <= -> bool | <it> <= <SELF>
    """
)
_NUMBERS = read_written(
    """
    int: + -> int | <it> + <base>
    int: - -> int | <it> - <base> ; 100 - <it>
    int: * -> int | <it> * <base> ; <it> * <it>
    int: / -> float | <it> / 2 ; <it> / 4
    int: // -> int | <it> // <base> ; 100 // <it>
    int: % -> int | <it> % <base> ; 100 % <it>
    int: ** -> int | <it> ** 2 ; 2 ** (<it> % 7)
    int: & -> int | <it> & <width> ; <it> & 1
    int: | -> int | <it> | <width>
    int: ^ -> int | <it> ^ <width>
    int: << -> int | <it> << <count>
    int: >> -> int | <it> >> <count>
    int: ~ -> int | ~<it>
    int: unary - -> int | -<it>
    int: == -> bool | <it> % <base> == 0
    int: != -> bool | <it> % <base> != 0
    int: < -> bool | <it> < <width> * 3 ; 10 < <it> < 40
    int: >= -> bool | <it> >= <width> * 3
    int: <= -> bool | <it> <= <width> * 3 ; 10 <= <it> <= 40
    int: and -> bool | <it> > 10 and <it> % 2 == 0
    int: or -> bool | <it> < 10 or <it> % <base> == 0
    int: if else -> int | <it> // 2 if <it> % 2 == 0 else 3 * <it> + 1 ; <it> if <it> < 30 else 30
    int: f-string -> str | f'{<it>:04d}' ; f'{<it>:b}' ; f'{<it>:x}' ; f'#{<it>}'
    float: + -> float | <it> + 0.5
    float: - -> float | <it> - 0.5
    float: * -> float | <it> * 2
    float: / -> float | <it> / 2
    float: // -> float | <it> // 2
    float: % -> float | <it> % 2
    float: unary - -> float | -<it>
    float: < -> bool | <it> < 2.5
    float: f-string -> str | f'{<it>:.1f}' ; f'{<it>:.2f}'
    bool: not -> bool | not <it>
    bool: if else -> str | 'yes' if <it> else 'no'
    """
)
OPERATORS = (*_TEXTS, *_SEQUENCES, *_HASHED, *_NUMBERS)
"""All of them, by type."""
