"""What a trainer logs of a batch of rewards: their parts, by kind, tier and task, and the zeros.

Shares and means over the completions that were scored, by name; a name is there only where
it has something to say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from curricula.scoring import Reward

__all__ = ["metrics_of"]

_UNREADABLE = (
    ("no_answer", ("there is no <answer>", "the last <answer>", "the <answer> block is empty")),
    ("no_assertion", ("there is no assertion", "the answer is not one assertion")),
    ("not_filled_in", ("the question marks",)),
    ("no_literal", ("the right side", "an argument cannot", "the call's arguments")),
    ("wrong_call", ("the assertion is about another",)),
    ("too_long", ("the completion is longer", "the assertion is too long")),
)
"""Reasons for nothing, by how they begin; they name values, too."""


def metrics_of(
    rewards: Sequence[Reward], columns: Mapping[str, Any] | None = None
) -> dict[str, float]:
    """Work out what is logged.

    Args:
        rewards: The rewards of a batch.
        columns: The dataset's columns as lists, of which ``tier`` and ``task`` are used.

    Returns:
        Values by name: ``io``, ``white``, ``white_KIND`` (means over the completions asked),
        ``format`` (share with an answer block), ``zero_REASON`` (shares), ``reward_TIER``,
        ``reward_TASK`` (means) and ``infrastructure_errors`` (a count).
    """
    scored = [reward for reward in rewards if reward.total is not None]
    found = {"infrastructure_errors": float(len(rewards) - len(scored))}
    if not scored:
        return found
    count = len(scored)
    reasons = Counter(_zero(reward) for reward in scored if reward.total == 0.0)
    found["io"] = sum(reward.io for reward in scored) / count
    if walked := [reward.white for reward in scored if reward.parts]:
        found["white"] = sum(walked) / len(walked)
    found["format"] = (count - reasons["no_answer"] - reasons["too_long"]) / count
    asked = Counter(part.kind for reward in scored for part in reward.parts)
    right = Counter(part.kind for reward in scored for part in reward.parts if part.right)
    found |= {f"white_{kind}": right[kind] / asked[kind] for kind in sorted(asked)}
    found |= {f"zero_{reason}": reasons[reason] / count for reason in sorted(reasons)}
    for name in ("tier", "task"):
        totals: defaultdict[str, list[float]] = defaultdict(list)
        for label, reward in zip((columns or {}).get(name) or (), rewards, strict=False):
            if label and reward.total is not None:
                totals[label].append(reward.total)
        found |= {f"reward_{label}": sum(of) / len(of) for label, of in sorted(totals.items())}
    return found


def _zero(reward: Reward) -> str:
    """Name the kind of a reason why a completion earned nothing."""
    for name, beginnings in _UNREADABLE:
        if reward.reason.startswith(beginnings):
            return name
    return "wrong"
