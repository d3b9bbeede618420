"""A small built folder, which the tests of training share."""

from __future__ import annotations

import pytest

from synth.build import build_folder
from synth.spec import Spec


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Give a built folder of every tier, large enough that each of its splits has rows."""
    place = tmp_path_factory.mktemp("curriculum") / "all"
    build_folder(Spec(tier="all", size=240, seed=1), place, workers=2)
    return place
