"""Lets the tests of evaluation use the scripted server of the engines' tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "curricula" / "difficulty"))
