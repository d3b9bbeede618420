"""A small build that nothing disturbed."""

import pytest

from synth.build import build_folder
from tests.synth.building import SPEC, digests


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "made"
    build_folder(SPEC, out, workers=2)
    return digests(out)
