"""Inputs: of their type and domain, natural, and a function of the program and the seed."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from pathlib import Path

import pytest

from curricula.shapes import Shape
from synth.draw import draw
from synth.inputs import candidates, fits, strategy_of
from synth.program import Domain, Parameter, Program
from synth.types import Type
from tracing.literals import read
from tracing.values import encode

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """\
def pick(table, key, limit):
    if key in table and table[key] > limit:
        return 'over ' + key
    return table.get(key, 42)
"""


def program(source: str, **parameters: str) -> Program:
    made = tuple(Parameter(name, Type.parse(kind)) for name, kind in parameters.items())
    return Program(source, source[4 : source.index("(")], made, Shape("", ""))


PICK = program(SOURCE, table="dict[str, int]", key="str", limit="int")

TYPES = (
    "int bool float str bytes NoneType range list[int] list[str] list[float] set[int] "
    "set[str] frozenset[int] list[list[int]] list[bytes] dict[str,int] dict[int,str] "
    "dict[str,list[int]] tuple[int,str] list[tuple[str,int]] list[dict[str,int]] "
    "tuple[int,int,bool] list[set[int]] set[tuple[int,int]]"
).split()


@pytest.mark.parametrize("text", TYPES)
def test_drawn_values_are_of_their_type_and_readable(text: str) -> None:
    kind = Type.parse(text)
    values = draw(strategy_of(kind), 40, random.Random(1))
    assert len(values) == 40
    assert all(fits(value, kind, Domain()) for value in values)
    lengths = sorted(len(encode(value)) for value in values)
    assert lengths[20] <= 64
    assert encode(read(encode(values[0]))) == encode(values[0])


DOMAINS = {
    "bounded ints": ("int", Domain(low=2, high=6), lambda v: 2 <= v <= 6),
    "a least int": ("int", Domain(low=1), lambda v: v >= 1),
    "a greatest int": ("int", Domain(high=-5), lambda v: v <= -5),
    "bounded items": ("list[int]", Domain(low=0, high=3), lambda v: all(0 <= n <= 3 for n in v)),
    "never empty": ("list[str]", Domain(min_size=1), len),
    "two keys at least": ("dict[str,int]", Domain(min_size=2), lambda v: len(v) >= 2),
    "few items": ("set[int]", Domain(max_size=2), lambda v: len(v) <= 2),
    "digits": ("str", Domain(style="digits"), str.isdigit),
    "one character": ("str", Domain(style="char"), lambda v: len(v) == 1),
    "choices": ("str", Domain(choices=("'a'", "'b'")), lambda v: v in ("a", "b")),
}


@pytest.mark.parametrize("case", DOMAINS.values(), ids=DOMAINS)
def test_a_domain_holds_for_drawn_values_and_for_mutations(case) -> None:  # type: ignore[no-untyped-def]
    text, domain, holds = case
    kind = Type.parse(text)
    assert all(holds(value) for value in draw(strategy_of(kind, domain), 30, random.Random(2)))
    one = Program("def f(a):\n    return a\n", "f", (Parameter("a", kind, domain),), Shape("", ""))
    tried = candidates(one, random.Random(3), 30)
    assert tried
    assert all(holds(read(literal)) for (literal,) in tried)


def test_a_style_says_how_drawn_texts_look() -> None:
    words = draw(strategy_of(Type("str"), Domain(style="word")), 30, random.Random(2))
    assert all(word.isalpha() for word in words)
    rows = draw(strategy_of(Type("str"), Domain(style="csv")), 30, random.Random(2))
    assert all(not row.isalpha() for row in rows)


def test_candidates_differ_and_many_differ_in_one_argument_alone() -> None:
    found = candidates(PICK, random.Random(0), 20)
    assert len(set(found)) == len(found) == 20
    for place in range(3):
        rest = [arguments[:place] + arguments[place + 1 :] for arguments in found]
        assert len(set(rest)) < len(rest)


def test_keys_of_the_dict_and_constants_of_the_program_are_tried() -> None:
    found = [
        tuple(map(read, a)) for seed in range(4) for a in candidates(PICK, random.Random(seed), 30)
    ]
    assert any(key in table for table, key, _ in found)
    assert any(limit in (41, 42, 43) or 42 in table.values() for table, _, limit in found)
    assert any(limit in table.values() for table, _, limit in found)


def test_what_the_inputs_are_about_is_woven_in() -> None:
    shout = program("def f(text):\n    return text.count('qu')\n", text="str")
    found = candidates(shout, random.Random(0), 20, bases=[("'abc'",)], about=["qu"])
    assert sum("qu" in literal for (literal,) in found) >= 4


def test_mutations_start_from_the_given_bases() -> None:
    found = candidates(PICK, random.Random(0), 20, bases=[("{'zz': 77}", "'zz'", "76")])
    assert sum("77" in table for table, _, _ in found) >= 8


def test_a_program_without_parameters_has_one_input() -> None:
    assert candidates(program("def f():\n    return 1\n"), random.Random(0), 9) == [()]


CODE = """
import hashlib
import random
{before}
import sys
sys.path.insert(0, {tests!r})
from test_inputs import PICK, TYPES, program
from synth.inputs import candidates
print([candidates(PICK, random.Random(n), 12) for n in range(5)])
for kind in TYPES:
    print(candidates(program("def f(a):\\n    return a\\n", a=kind), random.Random(kind), 12))
"""


def written(tmp_path: Path, seed: str, before: str = "") -> str:
    (tmp_path / "local_module.py").write_text("LIMIT = 4711\n")
    return subprocess.run(
        [sys.executable, "-c", CODE.format(before=before, tests=str(Path(__file__).parent))],
        cwd=tmp_path,
        env={"PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}:{tmp_path}", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_inputs_are_the_same_in_every_process(tmp_path: Path) -> None:
    first = written(tmp_path, "0")
    assert first.count("\n") == 1 + len(TYPES)
    assert written(tmp_path, "4242", "import local_module") == first
    assert written(tmp_path, "random") == first
    assert not (tmp_path / ".hypothesis").exists()


def test_inputs_are_the_same_on_every_python() -> None:
    tried = [
        candidates(program("def f(a):\n    return a + 3, 'qu'\n", a=kind), random.Random(n), 12)
        for kind in TYPES
        for n in range(5)
    ]
    # A change of words or strategies changes it; a Python or a machine must not.
    assert hashlib.sha256(repr(tried).encode()).hexdigest()[:16] == "3ce44a972e6aa20d"
