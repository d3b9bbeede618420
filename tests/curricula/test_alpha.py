"""Renaming: what is one structure, and what is not."""

from __future__ import annotations

import ast

import pytest

from curricula.alpha import normalise
from tracing.errors import ProgramError


def same(one: str, other: str) -> bool:
    return ast.dump(normalise(one)) == ast.dump(normalise(other))


ONE_STRUCTURE = {
    "names": ("def f(a, b):\n    return a[b]\n", "def g(xs, i):\n    return xs[i]\n"),
    "constants of one type": ("x = 'a'\n", "y = 'bc'\n"),
    "docstring": ("def f(a):\n    'Say.'\n    return a\n", "def f(a):\n    return a\n"),
    "annotations": (
        "def f(a: int) -> int:\n    t: str\n    return a\n",
        "def f(a):\n    return a\n",
    ),
    "layout and brackets": ("x = (1 +\n     2)  # three\n", "x = 1 + 2\n"),
    "quotes": ("x = 'a'\n", 'x = "a"\n'),
    "helpers": (
        "def f(a):\n    return g(a)\n\ndef g(b):\n    return b\n",
        "def go(a):\n    return aid(a)\n\ndef aid(a):\n    return a\n",
    ),
    "keywords of own functions": (
        "def f(a):\n    return g(k=a)\n\ndef g(k):\n    return k\n",
        "def f(a):\n    return g(key=a)\n\ndef g(key):\n    return key\n",
    ),
    "attributes of own classes": (
        "class A:\n    def m(self):\n        self.n = 1\n\ndef f(a):\n    return A().m()\n",
        "class B:\n    def go(this):\n        this.left = 1\n\ndef f(a):\n    return B().go()\n",
    ),
    "a comprehension's names": (
        "def f(a):\n    return [x for x in a if x]\n",
        "def f(a):\n    return [a for a in a if a]\n",
    ),
    "captures": (
        "def f(a):\n    match a:\n        case [x, *y]:\n            return x, y\n",
        "def f(b):\n    match b:\n        case [u, *v]:\n            return u, v\n",
    ),
    "handlers": (
        "def f(a):\n    try:\n        return a[0]\n    except KeyError as e:\n        raise e\n",
        "def f(a):\n    try:\n        return a[0]\n    except KeyError as x:\n        raise x\n",
    ),
}

TWO_STRUCTURES = {
    "another variable is read": (
        "def f(a, b):\n    return a + a\n",
        "def f(a, b):\n    return a + b\n",
    ),
    "methods": ("def f(a):\n    return a.upper()\n", "def f(a):\n    return a.lower()\n"),
    "built-in functions": ("def f(a):\n    return min(a)\n", "def f(a):\n    return max(a)\n"),
    "operators": ("def f(a):\n    return a + 1\n", "def f(a):\n    return a - 1\n"),
    "types of constants": ("x = 1\n", "x = '1'\n"),
    "truth and number": ("x = 1\n", "x = True\n"),
    "keywords of built-in functions": ("x = sorted(y, key=len)\n", "x = sorted(y, reverse=len)\n"),
    "a closure's variable and a local one": (
        "def f(a):\n    def g():\n        nonlocal a\n        a = 1\n    g()\n    return a\n",
        "def f(a):\n    def g():\n        global a\n        a = 1\n    g()\n    return a\n",
    ),
    "a shadowed built-in": (
        "def f(a):\n    len = a\n    return len\n",
        "def f(a):\n    x = a\n    return len\n",
    ),
    "order of arguments": ("def f(a, b):\n    return a - b\n", "def f(a, b):\n    return b - a\n"),
}


@pytest.mark.parametrize("pair", ONE_STRUCTURE.values(), ids=ONE_STRUCTURE)
def test_what_does_not_matter_is_renamed_away(pair: tuple[str, str]) -> None:
    assert same(*pair)


@pytest.mark.parametrize("pair", TWO_STRUCTURES.values(), ids=TWO_STRUCTURES)
def test_what_matters_stays(pair: tuple[str, str]) -> None:
    assert not same(*pair)


def test_a_normalised_program_is_its_own_normal_form() -> None:
    for pair in (*ONE_STRUCTURE.values(), *TWO_STRUCTURES.values()):
        for source in pair:
            once = ast.unparse(normalise(source))
            assert ast.unparse(normalise(once)).count("\n") == once.count("\n")
            assert [*map(type, ast.walk(normalise(once)))] == [
                *map(type, ast.walk(normalise(source)))
            ]


def test_a_text_that_is_no_program_is_refused_in_one_sentence() -> None:
    with pytest.raises(ProgramError, match="line 1"):
        normalise("def f(:\n")
