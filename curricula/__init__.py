"""What a learner is asked about a run, and how hard it is.

:mod:`curricula.questions` derives questions from a trace; :func:`estimate` and
:func:`tier_of` say how hard a problem is; :mod:`curricula.problem` knows the row.
"""

from curricula.difficulty.estimate import estimate
from curricula.difficulty.tiers import tier_of

__all__ = ["estimate", "tier_of"]
