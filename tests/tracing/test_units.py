"""tracing.units: what can be a step, and where."""

from __future__ import annotations

import pytest

from tracing.errors import ProgramError
from tracing.units import lines_of, parse, units_of

SOURCE = '''\
def outer(xs):
    """Doc."""
    with open(xs) as a:
        for x in xs:
            if x:
                pass
            elif xs:
                pass
    @staticmethod
    def inner():
        yield 1
    match xs:
        case (
            1
        ):
            x += 1
        case _:
            x += 1

class C:
    size = 1
    def method(self):
        class D:
            y = 1
        return D
'''


def test_each_unit_has_its_own_line_and_kind() -> None:
    kinds = {line: unit.kind for line, unit in units_of(SOURCE).by_line.items()}
    assert kinds == {
        3: "with", 4: "for", 5: "if", 6: "simple", 7: "if", 8: "simple", 10: "def", 11: "simple",
        12: "match", 13: "case", 16: "simple", 17: "case", 18: "simple", 23: "class",
        24: "simple", 25: "simple",
    }  # fmt: skip


def test_scopes_are_functions_and_class_bodies_inside_them() -> None:
    found = [(s.name, s.line, s.kind, s.is_generator) for s in units_of(SOURCE).scopes]
    assert found == [
        ("outer", 1, "function", False),
        ("inner", 10, "function", True),
        ("method", 22, "function", False),
        ("D", 23, "class", False),
    ]


def test_a_text_that_stands_twice_is_not_unique() -> None:
    units = units_of(SOURCE)
    assert units.unique_text(16) is None
    assert units.unique_text(4) == "for x in xs:"
    assert units.unique_text(2) is None


def test_withs_hold_the_units_of_their_body() -> None:
    assert units_of(SOURCE).by_line[6].withs == (3,)
    assert units_of(SOURCE).by_line[3].withs == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_counts(end: str) -> None:
    source = "def f(n):\n    n += 1\n    return n\n".replace("\n", end)
    assert list(units_of(source).by_line) == [2, 3]
    assert lines_of(source)[1] == "    n += 1"


@pytest.mark.parametrize("source", ["def f(", "x = \x00", "a" * 200_000, "(" * 5000, "\ud800"])
def test_what_is_no_program_is_an_error(source: str) -> None:
    with pytest.raises(ProgramError):
        parse(source)
