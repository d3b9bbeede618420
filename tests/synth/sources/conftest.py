"""The scripted server that the tests of grading use stands in for a model here, too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "curricula" / "difficulty"))
