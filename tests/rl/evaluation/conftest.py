"""Lets the tests of evaluation use the servers of other packages' tests."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
sys.path += [str(TESTS / "curricula" / "difficulty"), str(TESTS / "cards")]
