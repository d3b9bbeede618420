"""How hard a problem is for a model: measured by asking it, or estimated from structure.

:func:`estimate` needs no model; :func:`tier_of` names the range that a rate lies in.
"""

from curricula.difficulty.base import Count, Difficulty
from curricula.difficulty.tiers import TIERS, Thresholds, tier_of

__all__ = ["TIERS", "Count", "Difficulty", "Thresholds", "tier_of"]
