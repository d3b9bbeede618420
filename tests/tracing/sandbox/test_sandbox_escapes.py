"""Hostile programs get nothing, leave nothing, and do not disturb who comes next."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from hostile import TAG, Surroundings, attack

from tracing import sandbox

ESCAPES = sorted((Path(__file__).parents[2] / "escapes").glob("*.py"))


@pytest.fixture(scope="module")
def around(request):
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET", f"{TAG}-secret")
        sandbox.level()
        yield Surroundings(stack)


def test_there_are_at_least_sixty_kinds_of_attack():
    assert len(ESCAPES) >= 60


@pytest.mark.parametrize("path", ESCAPES, ids=lambda path: path.stem)
def test_a_hostile_program_gets_away_with_nothing(path, around):
    assert attack(path, around) == []
