"""A small build that nothing disturbed."""

import time

import pytest

from synth.build import build_folder
from tests.synth.building import SPEC, digests


@pytest.fixture(scope="session")
def timed(tmp_path_factory):
    """Give the hashes of the build's files, and the seconds that it took."""
    out = tmp_path_factory.mktemp("undisturbed") / "made"
    start = time.monotonic()
    build_folder(SPEC, out, workers=2)
    return digests(out), time.monotonic() - start


@pytest.fixture(scope="session")
def undisturbed(timed):
    return timed[0]
