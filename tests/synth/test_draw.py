"""Draws are a function of the seed, whatever the process, its hash seed and its modules."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from synth.draw import draw

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import random
{before}
from synth import natural
from synth.draw import draw
from hypothesis import strategies as st
everything = st.tuples(
    natural.integers(), natural.floats(), natural.texts(), natural.byte_strings(),
    natural.lists(natural.words()), natural.ranges(), natural.booleans(),
    natural.dicts(natural.keys(), natural.lists(natural.integers(), most=3)),
    natural.sets(natural.integers(0, 9)).map(sorted),
)
{between}
print(draw(everything, 40, random.Random(7)))
"""


def drawn(folder: Path, hash_seed: str = "0", before: str = "", between: str = "") -> str:
    (folder / "local_module.py").write_text("LIMIT = 4711\nNAME = 'a text of its own'\n")
    return subprocess.run(
        [sys.executable, "-c", CODE.format(before=before, between=between)],
        cwd=folder,
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{ROOT}:{folder}", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_values_depend_on_the_seed_alone(tmp_path: Path) -> None:
    first = drawn(tmp_path)
    assert len(first) > 2000
    assert drawn(tmp_path, hash_seed="random") == first
    assert drawn(tmp_path, hash_seed="99", before="import local_module") == first
    assert drawn(tmp_path, between="import local_module; random.seed(3); random.random()") == first
    earlier = "draw(st.lists(st.integers()), 5, random.Random(1))"
    assert drawn(tmp_path, between=earlier) == first


def test_nothing_is_written_to_disk(tmp_path: Path) -> None:
    drawn(tmp_path)
    assert {path.name for path in tmp_path.rglob("*")} <= {
        "local_module.py",
        "__pycache__",
    }


def test_a_seed_gives_what_it_gave_on_every_python() -> None:
    strategy = st.tuples(st.integers(-9, 20), st.sampled_from("abcdef"), st.booleans())
    found = draw(strategy, 4, random.Random(0))
    assert found == [(4, "e", True), (6, "c", True), (3, "b", True), (-7, "d", False)]


def test_another_seed_gives_other_values() -> None:
    strategy = st.lists(st.integers(0, 1000), min_size=5, max_size=5)
    assert draw(strategy, 3, random.Random(0)) != draw(strategy, 3, random.Random(1))


def test_the_callers_random_numbers_are_left_alone() -> None:
    random.seed(5)
    expected = random.random()
    random.seed(5)
    draw(st.integers(), 3, random.Random(0))
    assert random.random() == expected


def test_values_too_large_to_draw_together_are_drawn_apart() -> None:
    large = st.lists(st.integers(), min_size=200, max_size=200)
    assert [len(value) for value in draw(large, 3, random.Random(0))] == [200, 200, 200]


@pytest.mark.parametrize("strategy", [st.nothing(), st.integers().filter(lambda n: False)])
def test_a_strategy_without_values_gives_none(strategy: st.SearchStrategy[int]) -> None:
    assert draw(strategy, 2, random.Random(0)) == []
