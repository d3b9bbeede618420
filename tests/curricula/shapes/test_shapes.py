"""Each constraint of a valid program is broken by hand; the check must see it."""

from dataclasses import replace

import pytest

from curricula.shapes import FEATURES, Shape, features_of, nesting_of

PROGRAM = """def clean(word):
    return word.strip('ab').strip('-')

def f(words, limit):
    kept = []
    for word in words:
        if len(word) > limit:
            kept.append(clean(word))
    return kept
"""
SHAPE = Shape("str", "strip", 2, ("for", "if"), helpers=1, extra_methods=("append",))


def test_a_program_that_meets_its_shape_passes():
    assert SHAPE.check(PROGRAM) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (".strip('ab').strip('-')", ".strip('ab')"),
        (".strip('ab').strip('-')", ".lstrip('ab').strip('-')"),
        (
            "    for word in words:\n        if len(word) > limit:\n            kept",
            "    for word in words:\n        kept",
        ),
        ("        if len(word) > limit:\n", "        while len(word) > limit:\n"),
        (
            "        if len(word) > limit:\n            kept",
            "        if len(word) > limit:\n          for _ in 'a':\n            kept",
        ),
        ("clean(word))", "word)"),
        ("kept.append(clean(word))", "kept += [clean(word)]"),
        ("    return kept", "    return kept +"),
    ],
    ids=[
        "one call less",
        "another method inside",
        "a structure less",
        "another structure",
        "a structure more",
        "helper not called",
        "extra method gone",
        "no program",
    ],
)
def test_a_broken_constraint_is_seen(old, new):
    assert old in PROGRAM
    assert SHAPE.check(PROGRAM.replace(old, new))


@pytest.mark.parametrize("feature", sorted(FEATURES))
def test_a_feature_that_is_missing_is_seen(feature):
    assert replace(SHAPE, features=(feature,)).check(PROGRAM) == [f"there is no {feature}"]


FEATURED = {
    "alias_mutation": "def f(xs):\n    ys = xs\n    ys.append(1)\n    return xs\n",
    "break": "def f(xs):\n    for x in xs:\n        break\n    return x\n",
    "class_": "class A:\n    def g(self):\n        return 1\n\ndef f():\n    return A().g()\n",
    "closure": "def f(n):\n    def g(m):\n        return m + n\n    return g(2)\n",
    "continue": "def f(xs):\n    for x in xs:\n        continue\n    return x\n",
    "early_return": "def f(x):\n    if x:\n        return 1\n    return 2\n",
    "finally": "def f(x):\n    try:\n        x += 1\n    finally:\n        x += 2\n    return x\n",
    "for_else": "def f(xs):\n    for x in xs:\n        x += 1\n    else:\n        x = 0\n    return x\n",
    "generator": "def g(n):\n    yield n\n\ndef f(n):\n    return list(g(n))\n",
    "match": "def f(x):\n    match x:\n        case 1:\n            return 2\n    return 3\n",
    "recursion": "def f(n):\n    return n and f(n - 1)\n",
    "several_helpers": "def a():\n    return 1\n\ndef b():\n    return 2\n\ndef f():\n    return a() + b()\n",
    "string_building": "def f(s):\n    out = ''\n    for c in s:\n        out += c\n    return out\n",
    "try_except": "def f(s):\n    try:\n        return int(s)\n    except ValueError:\n        return 0\n",
    "while_two_conditions": "def f(n):\n    while n and n > 1:\n        n -= 1\n    return n\n",
}


@pytest.mark.parametrize("feature", sorted(FEATURES))
def test_a_feature_that_is_there_is_found(feature):
    assert feature in features_of(FEATURED[feature])


def test_elif_chains_are_one_structure():
    source = (
        "def f(x):\n    if x:\n        y = 1\n    elif x is None:\n        y = 2\n    return y\n"
    )
    assert nesting_of(source) == ("if-elif",)


def test_an_inner_function_begins_a_new_nesting():
    source = (
        "def f(xs):\n    for x in xs:\n        def g():\n            if x:\n                return 1\n"
        "    return 2\n"
    )
    assert nesting_of(source) == ("for",)


OPERATED = {
    ("+", 2): ("n + 1 + n", "n + 1"),
    ("//", 1): ("n // 2", "n / 2"),
    ("[:]", 2): ("n[1:][:2]", "n[1:][0]"),
    ("[::]", 1): ("n[::2]", "n[:2]"),
    ("unary -", 1): ("-n", "n * -1"),
    ("not in", 1): ("1 not in n", "1 in n"),
    ("<", 1): ("0 <= n < 9", "0 <= n <= 9"),
    ("or", 1): ("n or 1", "n and 1"),
    ("if else", 1): ("1 if n else 2", "n and 2"),
    ("f-string", 1): ("f'{n}'", "'{n}'"),
    ("lambda", 1): ("sorted(n, key=lambda x: -x)", "sorted(n, key=abs)"),
    ("list comprehension", 2): ("[x for x in [y for y in n]]", "[x for x in list(y for y in n)]"),
    ("unpacking", 1): ("{**n}", "dict(n)"),
}


@pytest.mark.parametrize("what", OPERATED, ids=str)
def test_an_operation_is_proved_and_another_is_seen(what):
    name, depth = what
    right, wrong = OPERATED[what]
    shape = Shape("int", name, depth)
    assert not shape.check(f"def f(n):\n    return {right}\n")
    assert shape.check(f"def f(n):\n    return {wrong}\n")
    assert replace(shape, nested_calls=depth + 1).check(f"def f(n):\n    return {right}\n")


def test_what_is_done_in_place_is_an_operation_of_its_own():
    source = "def f(xs):\n    xs[0] = 1\n    xs += [2]\n    del xs[1:]\n    return xs\n"
    for name in ("[]=", "+=", "del [:]"):
        assert not Shape("list", name).check(source)
    for name in ("[]", "+", "[:]", "del []"):
        assert Shape("list", name).check(source)
