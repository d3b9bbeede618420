"""The reward with verl's signature: ``custom_reward_function.path`` in its configuration.

``ground_truth`` is the row as JSON text, as :mod:`cards.exports` writes it.
"""

from __future__ import annotations

import json
from typing import Any

from curricula.scoring import score
from tracing.errors import InfrastructureError

__all__ = ["compute_score"]


def compute_score(
    data_source: str, solution_str: str, ground_truth: Any, extra_info: Any = None, **options: Any
) -> float:
    """Score a completion as :func:`rl.rewards.score` does.

    Args:
        data_source: Unused; verl passes it.
        solution_str: The completion.
        ground_truth: The row, as JSON text or as a mapping.
        extra_info: Unused; verl passes it.
        **options: ``alpha`` and ``gate`` of :func:`rl.rewards.score`.

    Returns:
        The reward in [0, 2].

    Raises:
        InfrastructureError: The machine failed; verl knows no None, and 0 would be a lie.
    """
    row = json.loads(ground_truth) if isinstance(ground_truth, str) else ground_truth
    chosen = {name: options[name] for name in ("alpha", "gate") if name in options}
    reward = score(solution_str, row, **chosen)
    if reward.total is None:
        raise InfrastructureError(reward.reason)
    return reward.total
