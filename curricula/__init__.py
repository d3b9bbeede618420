"""What a learner is asked about a run, and how hard it is.

:mod:`curricula.questions` derives questions from a trace; :func:`grade` measures how often a
model answers a problem rightly, :func:`estimate` guesses it from structure, and
:func:`tier_of` names the range that a rate lies in. :mod:`curricula.problem` knows the row.
"""

from curricula.difficulty.estimate import estimate
from curricula.difficulty.grade import grade
from curricula.difficulty.tiers import tier_of

__all__ = ["estimate", "grade", "tier_of"]
