"""tracing.support: which programs share a worker, and which run under more seeds."""

from __future__ import annotations

import pytest

from tracing.support import is_hash_sensitive, is_tame, may_show_phantom


@pytest.mark.parametrize(
    "line",
    ["import os", "import math\nmath.pi = 3", "open('x')", "from copy import _copy_dispatch as d",
     "import copy\ncopy._copy_dispatch.clear()", "import re\nvars(re).clear()", "print.__self__",
     "setattr(x, 'a', 1)", "__builtins__", "import sys", "import math\ndel math.pi"],
)  # fmt: skip
def test_a_program_that_can_leave_something_behind_is_not_tame(line: str) -> None:
    assert not is_tame(line + "\n")


@pytest.mark.parametrize(
    "line",
    ["import math\nx = math.pi", "x = [1].append(2)", "from collections import Counter",
     "class C:\n    def __init__(self):\n        self.x = 1"],
)  # fmt: skip
def test_ordinary_programs_are_tame(line: str) -> None:
    assert is_tame(line + "\n")


@pytest.mark.parametrize(
    "line",
    ["x = {1, 2}", "x = set()", "x = hash(1)", "x = id(1)", "x = {a for a in 'b'}",
     "x = a.union(b)", "x = a.keys() & b.keys()", "for k in d.items():\n    x = set(k)"],
)  # fmt: skip
def test_what_may_depend_on_hashes_is_seen(line: str) -> None:
    assert is_hash_sensitive(line + "\n")


@pytest.mark.parametrize("line", ["x = {1: 2}", "x = d.items()", "x = [1]"])
def test_what_does_not_is_not(line: str) -> None:
    assert not is_hash_sensitive(line + "\n")


def test_only_a_finally_inside_a_finally_may_show_a_phantom() -> None:
    inner = "try:\n        a = 1\n    finally:\n        b = 1"
    assert may_show_phantom(f"try:\n    x = 1\nfinally:\n    {inner}\n")
    assert not may_show_phantom(f"if 1:\n    {inner}\n")
