"""Phrases: small expressions and changes by the type of what they give or change.

A line is a template, with the weight of lines that come more often before a bar. Holes:

``int``, ``str``, ``list[int]``, ...  a variable of that type, or now and then an expression
``sized``     anything that has a length
``!...``      a variable that is changed; the same throughout a line
``@...``      a variable that is read, the same throughout a line; others differ
``new``       a name of its own, the same throughout a line
``char``      a short text: a parameter for it, or a constant
``num``       a small int, likewise
``word``, ``chars``, ``sep``, ``fill``, ``base``, ``factor``, ``width``, ``end``    constants

Adding a phrase is a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from synth.templates import Template, expression, statement

__all__ = ["Phrase", "changes", "phrases"]

_EXPRESSIONS = """
str:
    <str>.upper()
    <str>.lower()
    <str>.title()
    <str>.swapcase()
    <str>.capitalize()
    <str>.strip()
    <str>.strip(<chars>)
    <str>.lstrip(<char>)
    <str>.rstrip(<char>)
    4 | <str>.replace(<char>, <char>)
    <str>.replace(<char>, '')
    <str>.replace(<char>, <word>)
    <str>.replace(<char>, <char>, 1)
    3 | <str>[::-1]
    3 | <str>[1:]
    2 | <str>[:-1]
    3 | <str>[<num>:]
    3 | <str>[:<num>]
    <str>[-<num>:]
    <str>[::2]
    <str>[1:-1]
    2 | <str>[0]
    <str>[-1]
    <@str>[len(<@str>) // 2:]
    3 | <str> + <char>
    2 | <char> + <str>
    4 | <str> + <str>
    <@str> + <@str>[0]
    <@str>[1:] + <@str>[:1]
    <@str>[:<num>] + <char> + <@str>[<num>:]
    <str> * <num>
    <char> * <num> + <str>
    3 | <sep>.join(<list[str]>)
    3 | ''.join(<list[str]>)
    ' '.join(<str>.split())
    <char>.join(<str>)
    ''.join(sorted(<str>))
    ''.join(reversed(<str>))
    ''.join(<new> for <new> in <str> if <new> != <char>)
    ''.join([<new> for <new> in <str> if <new>.isalpha()])
    ''.join([<new>.upper() if <new> in <chars> else <new> for <new> in <str>])
    2 | str(<int>)
    <str>.ljust(<width>, <fill>)
    <str>.rjust(<width>, <fill>)
    <str>.center(<width>, <fill>)
    <str>.zfill(<width>)
    2 | <str>.split(<sep>)[0]
    <str>.split(<sep>)[-1]
    <str>.partition(<sep>)[2]
    <str>.rpartition(<sep>)[0]
    <str>.removeprefix(<char>)
    <str>.removesuffix(<char>)
    4 | <list[str]>[0]
    2 | <list[str]>[-1]
    max(<list[str]>)
    min(<list[str]>, key=len)
    f'{<str>}:{<int>}'
    f'{<str>} {<str>}'
    '{} {}'.format(<str>, <int>)
    <str>.translate(str.maketrans('aeiou', '12345'))
    'yes' if <bool> else 'no'
    <@str> if <bool> else <@str>[::-1]
int:
    4 | len(<str>)
    3 | len(<list[int]>)
    2 | len(<list[str]>)
    len(<sized>)
    3 | <str>.count(<char>)
    2 | <str>.find(<char>)
    <str>.rfind(<char>)
    <list[int]>.count(<num>)
    <list[str]>.count(<str>)
    2 | sum(<list[int]>)
    2 | max(<list[int]>)
    min(<list[int]>)
    5 | <list[int]>[0]
    3 | <list[int]>[-1]
    <@list[int]>[<int> % len(<@list[int]>)]
    2 | <dict[str,int]>.get(<str>, 0)
    <dict[str,int]>.get(<char>, <num>)
    sum(<dict[str,int]>.values())
    2 | <int> + <num>
    2 | <int> - <num>
    2 | <int> * <factor>
    <int> // <base>
    <int> % <base>
    4 | <int> + <int>
    2 | <int> - <int>
    <int> * <int>
    abs(<int> - <int>)
    max(<int>, <num>)
    ord(<str>[0])
    len(set(<str>))
    sum(<new> for <new> in <list[int]> if <new> > <num>)
    sum(1 for <new> in <str> if <new> in <chars>)
    len([<new> for <new> in <list[str]> if <char> in <new>])
bool:
    <str>.isalpha()
    <str>.isdigit()
    <str>.isupper()
    <str>.islower()
    2 | <str>.startswith(<char>)
    2 | <str>.endswith(<char>)
    4 | <char> in <str>
    <char> not in <str>
    <@str> == <@str>[::-1]
    <@str>[0] == <@str>[-1]
    2 | <str> in <str>
    <str>.count(<char>) > <num>
    3 | <int> > <num>
    2 | <int> < <num>
    <int> == <num>
    2 | <int> % <base> == 0
    <int> >= <int>
    2 | len(<str>) > <num>
    len(<str>) % 2 == 0
    len(<list[int]>) > <num>
    len(<list[str]>) < <num>
    2 | <str> in <list[str]>
    2 | <num> in <list[int]>
    <num> not in <list[int]>
    <int> in <list[int]>
    2 | <str> in <dict[str,int]>
    <@list[int]>[0] > <@list[int]>[-1]
    sum(<list[int]>) % 2 == 0
    len(<list[str]>[0]) > <num>
    <@list[int]> == sorted(<@list[int]>)
    <@list[int]>[::-1] == <@list[int]>
    any(<new> in <chars> for <new> in <str>)
    all(<new> > <num> for <new> in <list[int]>)
    <@str>.isdigit() or <@str>.islower()
    <@int> > <num> and <@int> % 2 == 1
    not <str>.isalnum()
list[str]:
    3 | <str>.split()
    3 | <str>.split(<sep>)
    <str>.rsplit(<sep>, 1)
    3 | list(<str>)
    2 | sorted(<str>)
    <str>.splitlines()
    2 | sorted(<list[str]>)
    2 | <list[str]>[::-1]
    <list[str]>[1:]
    <list[str]>[:<num>]
    <list[str]>[:-1]
    sorted(<list[str]>, key=len)
    sorted(set(<list[str]>))
    list(<dict[str,int]>)
    sorted(<dict[str,int]>)
    <list[str]> + [<str>]
    2 | [<new>.upper() for <new> in <list[str]>]
    [<new>[::-1] for <new> in <list[str]>]
    2 | [<new> for <new> in <list[str]> if <char> in <new>]
    [<new> for <new> in <list[str]> if len(<new>) > <num>]
    [<new> for <new> in <str> if <new> not in <chars>]
    [<new> + <char> for <new> in <list[str]>]
    [str(<new>) for <new> in <list[int]>]
    [<str>[<new>:] for <new> in range(len(<str>))]
list[int]:
    2 | sorted(<list[int]>)
    sorted(<list[int]>, reverse=True)
    2 | <list[int]>[::-1]
    2 | <list[int]>[1:]
    <list[int]>[:<num>]
    <list[int]>[:-1]
    <list[int]>[::2]
    <list[int]>[-<num>:]
    <list[int]> + [<num>]
    <list[int]> + <list[int]>
    <list[int]> * 2
    2 | [<new> for <new> in <list[int]> if <new> % <base> == 0]
    2 | [<new> * <factor> for <new> in <list[int]>]
    [<new> for <new> in <list[int]> if <new> != <num>]
    [<new> - <@list[int]>[0] for <new> in <@list[int]>]
    [abs(<new>) for <new> in <list[int]>]
    2 | [len(<new>) for <new> in <list[str]>]
    [ord(<new>) for <new> in <str>]
    [<str>.count(<new>) for <new> in <chars>]
    2 | list(<dict[str,int]>.values())
    sorted(<dict[str,int]>.values())
    list(map(len, <list[str]>))
    list(set(<list[int]>))
    list(range(<int>))
    [<int>, <num>]
dict[str,int]:
    2 | {<new>: <str>.count(<new>) for <new> in <str>}
    {<new>: len(<new>) for <new> in <list[str]>}
    dict.fromkeys(<str>, <num>)
    dict.fromkeys(<list[str]>, 0)
    dict(zip(<list[str]>, <list[int]>))
    dict(zip(<str>, <list[int]>))
    dict(<dict[str,int]>)
"""
_CHANGES = """
list[int]:
    4 | <!list[int]>.append(<int>)
    <!list[int]>.append(<num>)
    <!list[int]>.insert(0, <int>)
    <!list[int]>.insert(<end>, <num>)
    2 | <!list[int]>.sort()
    <!list[int]>.sort(reverse=True)
    3 | <!list[int]>.reverse()
    2 | <!list[int]>.pop()
    <!list[int]>.pop(0)
    2 | <!list[int]>.extend(<list[int]>)
    <!list[int]> += <list[int]>
    del <!list[int]>[0]
    del <!list[int]>[-1]
    2 | <!list[int]>[0] = <int>
    2 | <!list[int]>[-1] = <num>
    <!list[int]>[0] += <num>
    <!list[int]>[0], <!list[int]>[-1] = <!list[int]>[-1], <!list[int]>[0]
    <!list[int]>[1:] = <list[int]>
    <!list[int]>.append(<!list[int]>[0] + <num>)
    <!list[int]>.insert(0, <!list[int]>.pop())
    <!list[int]>.remove(<!list[int]>[0])
list[str]:
    4 | <!list[str]>.append(<str>)
    <!list[str]>.append(<word>)
    <!list[str]>.insert(0, <str>)
    <!list[str]>.insert(<end>, <char>)
    2 | <!list[str]>.sort()
    <!list[str]>.sort(key=len)
    2 | <!list[str]>.reverse()
    2 | <!list[str]>.pop()
    <!list[str]>.pop(0)
    <!list[str]>.extend(<str>)
    <!list[str]> += [<str>]
    del <!list[str]>[0]
    <!list[str]>[0] = <str>
    2 | <!list[str]>[-1] = <!list[str]>[-1].upper()
    <!list[str]>[0] = <!list[str]>[0].capitalize()
    <!list[str]>[0], <!list[str]>[-1] = <!list[str]>[-1], <!list[str]>[0]
dict[str,int]:
    3 | <!dict[str,int]>[<str>] = <int>
    <!dict[str,int]>[<char>] = <num>
    2 | <!dict[str,int]>.pop(<str>, None)
    2 | <!dict[str,int]>.setdefault(<str>, <num>)
    2 | <!dict[str,int]>.update({<str>: <num>})
    <!dict[str,int]>.pop(<char>, 0)
    <!dict[str,int]>[<str>] = <!dict[str,int]>.get(<str>, 0) + <num>
    <!dict[str,int]>.popitem()
str:
    3 | <!str> += <char>
    2 | <!str> += <str>
    <!str> = <char> + <!str>
    2 | <!str> = <!str>.replace(<char>, <char>)
    <!str> = <!str>[1:]
    <!str> = <!str>[::-1]
    <!str> = <!str>.strip(<chars>)
    <!str> = <!str>.lower()
int:
    3 | <!int> += <num>
    2 | <!int> += <int>
    <!int> -= <num>
    <!int> *= <factor>
    <!int> %= <base>
    <!int> //= 2
set[int]:
    2 | <!set[int]>.add(<num>)
    <!set[int]>.discard(<num>)
    <!set[int]>.update(<list[int]>)
set[str]:
    2 | <!set[str]>.add(<str>)
    <!set[str]>.discard(<char>)
"""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A template, and how often it is taken among those for the same type."""

    weight: int
    template: Template


def phrases(kind: str) -> tuple[Phrase, ...]:
    """List the expressions that give a type, by the type's text form."""
    return _read_all()[0].get(kind, ())


def changes(kind: str) -> tuple[Phrase, ...]:
    """List the statements that change a variable of a type."""
    return _read_all()[1].get(kind, ())


@cache
def _read_all() -> tuple[dict[str, tuple[Phrase, ...]], dict[str, tuple[Phrase, ...]]]:
    return (
        {kind: tuple(Phrase(w, expression(t)) for w, t in found) for kind, found in _table(0)},
        {kind: tuple(Phrase(w, statement(t)) for w, t in found) for kind, found in _table(1)},
    )


def _table(which: int) -> list[tuple[str, list[tuple[int, str]]]]:
    found: list[tuple[str, list[tuple[int, str]]]] = []
    for line in (_EXPRESSIONS, _CHANGES)[which].strip().splitlines():
        if not line.startswith(" "):
            found.append((line.rstrip(":"), []))
        else:
            weight, bar, text = line.strip().partition(" | ")
            found[-1][1].append((int(weight), text) if bar else (1, weight))
    return found
