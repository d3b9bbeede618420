"""What a learner is asked about a run: derived from its trace, checked without running text.

:func:`derive` chooses questions; a :class:`Question` checks an answer. Each kind is a
file of this package; importing it registers them all in :data:`KINDS`.
"""

from curricula.questions import (
    branch_flip,
    count,
    exception,
    executed,
    input,
    iteration,
    next_statement,
    output,
    path,
    state,
)
from curricula.questions.base import KINDS, Question
from curricula.questions.derive import derive

__all__ = ["KINDS", "Question", "derive"]
