"""Parts that make no difference are found, and no others."""

from __future__ import annotations

import pytest

from synth.mutants import Idle, try_parts


def idle_parts(source: str, calls: list[str]) -> tuple[Idle, ...] | None:
    tried = try_parts(source, calls)
    return tried and tried.idle


BUSY = '''\
def f(words, limit):
    """Every part of it is worth something."""
    counts = {}
    best = '-'
    for word in words:
        if word and len(word) > limit:
            counts[word] = counts.get(word, 0) + 1
        elif word == 'x':
            best = 'none' if limit == 2 else word
        while limit > 5:
            limit -= 1
    return best, limit, {w: n for w, n in counts.items() if n != 4}
'''
CALLS = [
    "f(['ab', 'ab', 'c'], 1)",
    "f([], 0)",
    "f(['x', ''], 7)",
    "f(['x'], 2)",
    "f(['abc', 'abc', ''], -1)",
    "f(['ab', 'ab', 'ab', 'ab'], 1)",
]


def test_a_program_of_worthwhile_parts_has_no_idle_one() -> None:
    assert idle_parts(BUSY, CALLS) == ()


IDLE = {
    "overwritten": (
        "def f(a):\n    b = a\n    b = [a]\n    return b\n",
        Idle("statement", 2, "b = a"),
    ),
    "never used": (
        "def f(a):\n    b = a.copy()\n    b.sort()\n    return a\n",
        Idle("statement", 3, "b.sort()"),
    ),
    "a branch that changes nothing": (
        "def f(a):\n    if a:\n        a = a[:]\n    return a\n",
        Idle("statement", 2, "if a:"),
    ),
    "a loop that changes nothing": (
        "def f(a):\n    for x in a:\n        a.count(x)\n    return a\n",
        Idle("statement", 2, "for x in a:"),
    ),
    "a bound never met": ("def f(a):\n    return a[:90]\n", Idle("constant", 2, "90")),
    "an operand that never decides": (
        "def f(a):\n    return [x for x in a if x > 1 or x == 3]\n",
        Idle("operand", 2, "x == 3"),
    ),
    "an arm never taken": (
        "def f(a):\n    return 0 if a is None else sum(a)\n",
        Idle("arm", 2, "0"),
    ),
    "a filter that keeps all": (
        "def f(a):\n    return [x for x in a if x < 99]\n",
        Idle("filter", 2, "x < 99"),
    ),
    "in a helper": (
        "def f(a):\n    return g(a)\n\ndef g(a):\n    n = len(a)\n    n = sum(a)\n    return n\n",
        Idle("statement", 5, "n = len(a)"),
    ),
    "in a method": (
        "class A:\n    def m(self, a):\n        n = 0\n        n = sum(a)\n        return n\n\n"
        "def f(a):\n    return A().m(a)\n",
        Idle("statement", 3, "n = 0"),
    ),
}


@pytest.mark.parametrize("case", IDLE.values(), ids=IDLE)
def test_an_idle_part_is_named(case: tuple[str, Idle]) -> None:
    source, part = case
    found = idle_parts(source, ["f([3, 1, 3])", "f([7])"])
    assert found is not None
    assert part in found


def test_a_changed_loop_that_never_ends_counts_as_a_difference() -> None:
    source = (
        "def f(n):\n    m = 0\n    while n > 0:\n        n -= 3\n        m += 1\n    return m\n"
    )
    assert idle_parts(source, ["f(7)", "f(0)"]) == ()


def test_an_exception_is_an_outcome() -> None:
    source = "def f(xs, i):\n    if i > 2:\n        raise ValueError('far')\n    return xs[i]\n"
    assert idle_parts(source, ["f([1, 2], 3)", "f([1, 2], 1)"]) == ()


def test_what_a_program_needs_of_syntax_survives_the_rewriting() -> None:
    source = (
        "import math\n\nLIMIT = 3\n\ndef f(xs, k=2, *rest, **named):\n"
        "    '''Say.'''\n    total: int = LIMIT\n    def inner(x):\n        nonlocal total\n"
        "        total += x\n        yield total\n    for x in xs:\n        match x:\n"
        "            case [a, *b] if a > 1:\n                total += len(b)\n"
        "            case {'k': v}:\n                total *= v\n            case _:\n"
        "                total += sum(inner(x))\n    try:\n        xs[k:][0] += math.floor(2.5)\n"
        "    except (IndexError, TypeError) as e:\n        total += len(xs)\n"
        "    return f'{total!r:>{k}}', (n := total), [*xs], lambda q=1: q\n"
    ).replace(", lambda q=1: q", "")
    found = idle_parts(source, ["f([1, [2, 3], {'k': 4}], 1)", "f([5, 6])"])
    assert found is not None


def test_the_calls_that_tell_are_named_and_others_are_not() -> None:
    source = "def f(a):\n    b = a + 1\n    if b > 5:\n        b = 0\n    return b\n"
    tried = try_parts(source, ["f(1)", "f(2)", "f(9)"])
    assert tried is not None
    assert (tried.idle, tried.needed) == ((), (0, 2))


def test_a_program_that_uses_the_harness_names_is_not_tried() -> None:
    assert idle_parts("def f(xm_at):\n    return xm_at\n", ["f(1)"]) is None


def test_a_module_level_statement_runs_once_and_is_not_tried() -> None:
    source = "UNUSED = 3\nUSED = 2\n\ndef f(a):\n    return a + USED\n"
    assert idle_parts(source, ["f(1)"]) == ()
