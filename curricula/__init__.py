"""What a learner is asked about a run, and how hard it is.

:mod:`curricula.questions` derives questions from a trace; :func:`grade` measures how often a
model answers a problem rightly, :func:`estimate` guesses it from structure, and
:func:`tier_of` names the range that a rate lies in. :mod:`curricula.problem` knows the row.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curricula import questions
    from curricula.difficulty.estimate import estimate
    from curricula.difficulty.grade import grade
    from curricula.difficulty.tiers import tier_of

__all__ = ["estimate", "grade", "questions", "tier_of"]

_PLACES = {"estimate": "estimate", "grade": "grade", "tier_of": "tiers"}


def __getattr__(name: str) -> Any:
    # Grading needs pyarrow and more; who only scores completions starts without.
    if name in _PLACES:
        return getattr(import_module(f"curricula.difficulty.{_PLACES[name]}"), name)
    if name == "questions":
        return import_module("curricula.questions")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
